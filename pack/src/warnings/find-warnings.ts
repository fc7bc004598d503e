import { summarizeUnplaced } from '../detail/not-in-hierarchy.ts';
import type { FilteredPack } from '../filter/filtered-pack.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { eachPiece, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import { clustersOf } from '../levels/topics.ts';
import { mixedWarnings, sizeWarnings, unknownWarnings } from './cluster-warnings.ts';
import { firstOccurrences } from './occurrences.ts';
import { urlWarnings } from './url-warnings.ts';
import { type WarningKind, type WarningThresholds, warningKinds } from './warning-kinds.ts';
import { type FoundWarnings, listBytes, type Warning, warningList } from './warning-list.ts';

/** The warnings of every kind, and the URLs that they name by number. */
export type AllWarnings = {
  readonly lists: Readonly<Record<WarningKind, FoundWarnings>>;
  readonly urls: readonly string[];
};

type Asked = { readonly thresholds: WarningThresholds; readonly original: ByteSource; readonly pause: Pause };

/**
 * All warnings about what a filter keeps; see `warning-kinds`. Cached by the filtered pack and the thresholds.
 *
 * Cost: about twenty passes over the nodes, and the URLs on first use: see `rankedUrls`.
 *
 * @param pack under a filter, which may be the empty one
 * @param original the uploaded file
 */
export const findWarnings = (
  pack: FilteredPack,
  thresholds: WarningThresholds,
  original: ByteSource,
  pause: Pause = noPause,
): Promise<AllWarnings> => found(pack, { thresholds, original, pause });

const found = oncePerPack<AllWarnings, Asked, FilteredPack>(find, {
  nameOf: ({ thresholds }) => JSON.stringify(Object.entries(thresholds).sort()),
  sizeOf: ({ lists }) => Object.values(lists).reduce((sum, list) => sum + ('missing' in list ? 0 : listBytes(list)), 0),
});

async function find(pack: FilteredPack, { thresholds, original, pause }: Asked): Promise<AllWarnings> {
  const asked = { pack, thresholds, pause };
  const ofUrls = await urlWarnings(asked, original);
  const lists: FoundWarnings[] = [ofUrls.lists['url-clusters'], ofUrls.lists['cluster-urls']];
  for (const ofKind of [
    () => mixedWarnings(asked),
    () => sizeWarnings('oversized', asked),
    () => sizeWarnings('single', asked),
    () => repeatWarnings(pack, pause),
    () => unplacedWarnings(pack, pause),
    () => unknownWarnings(asked),
  ]) {
    await pause();
    lists.push(await ofKind());
  }
  const byKind = new Map(lists.map((list) => [list.kind, list]));
  return {
    lists: Object.fromEntries(warningKinds.map((kind) => [kind, byKind.get(kind)!])) as AllWarnings['lists'],
    urls: ofUrls.texts,
  };
}

/**
 * The keywords that are in several clusters, with all their kept places in the order of the file. A keyword directly
 * below the root is in a cluster, too: see `clusters`.
 *
 * Cost: one pass over the nodes if any keyword is repeated, otherwise nothing.
 */
export async function repeatWarnings(pack: FilteredPack, pause: Pause): Promise<FoundWarnings> {
  const { whole } = pack;
  const before = await whole.column('previous');
  if (!before) return warningList('repeated', [], pause);
  const [firsts, clusters, place, volumes] = [
    await firstOccurrences(whole, pause),
    await clustersOf(whole, pause),
    await whole.column('node_start'),
    await whole.column('own_volume'),
  ];
  /** By first occurrence: the kept ones of keywords that are repeated. */
  const places = new Map<number, number[]>();
  const add = (row: number) => {
    const first = firsts.of(row);
    const rows = places.get(first) ?? [];
    places.set(first, rows);
    rows.push(row);
  };
  const { nodes } = whole.metadata;
  const isRepeated = new Uint8Array(nodes);
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      const first = firsts.of(row);
      if (first !== row) isRepeated[first] = 1;
    }
  });
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++)
      if (isRepeated[firsts.of(row)] === 1 && pack.counts(row)) add(row);
  });
  const found: Warning[] = [];
  const between = pauseBetween(pause);
  for (const rows of places.values()) {
    await between(16 * rows.length);
    const count = new Set(rows.map((row) => clusters.of(row)).filter((cluster) => cluster !== noRow)).size;
    if (count < 2) continue;
    rows.sort((one, other) => place[one]! - place[other]!);
    const [first] = rows as [number];
    const volume = volumes?.[first] ?? Number.NaN;
    found.push({ row: first, volume, keywords: 1, figures: [count], places: rows });
  }
  return warningList('repeated', found, pause);
}

/** One warning about all keywords that no node names. They are in no branch, so a filter does not change them. */
export async function unplacedWarnings(pack: FilteredPack, pause: Pause): Promise<FoundWarnings> {
  const { keywords, volume } = await summarizeUnplaced(pack.whole);
  const one = { row: 0, keywords, volume: volume.value ?? Number.NaN, figures: [] };
  return warningList('unplaced', keywords === 0 ? [] : [one], pause);
}
