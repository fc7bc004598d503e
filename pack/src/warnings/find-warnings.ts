import { summarizeUnplaced } from '../detail/not-in-hierarchy.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { intents } from '../format/figures.ts';
import { eachPiece, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import { knownShare } from '../levels/known-share.ts';
import { pageLevel } from '../levels/level.ts';
import { levelRows } from '../levels/level-rows.ts';
import { knownVolumes } from '../levels/row-values.ts';
import { clustersOf, levelsOf } from '../levels/topics.ts';
import type { FilteredPack } from '../sums/filtered-pack.ts';
import { type WarningKind, type WarningThresholds, warningKinds } from '../vocabulary/warnings.ts';
import { firstOccurrences } from './occurrences.ts';
import { resultWarnings } from './result-warnings.ts';
import { urlWarnings } from './url-warnings.ts';
import { type FoundWarnings, listBytes, type Warning, warningList } from './warning-list.ts';

/** The warnings of every kind, and the texts of the URLs, to which they refer by number. */
export type AllWarnings = {
  readonly lists: Readonly<Record<WarningKind, FoundWarnings>>;
  readonly urls: readonly string[];
};

type Asked = { readonly thresholds: WarningThresholds; readonly original: ByteSource; readonly pause: Pause };

/**
 * All warnings about what a filter keeps; see {@link warningKinds}. Cached by the filtered pack and the thresholds.
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
  const ofResults = await resultWarnings(asked, original);
  const lists: FoundWarnings[] = [...Object.values(ofUrls.lists), ...Object.values(ofResults)];
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
 * The keywords that are in several clusters, with all their kept occurrences in file order. A keyword directly
 * below the root is in a cluster, too: see `clustersOf`.
 *
 * Cost: one pass over the nodes if any keyword is repeated, otherwise nothing.
 */
async function repeatWarnings(pack: FilteredPack, pause: Pause): Promise<FoundWarnings> {
  const { whole } = pack;
  const before = await whole.column('previous');
  if (!before) return warningList('repeated', [], pause);
  const [firsts, clusters, place, volumes] = [
    await firstOccurrences(whole, pause),
    await clustersOf(whole, pause),
    await whole.column('node_start'),
    await whole.column('own_volume'),
  ];
  /** By first occurrence in the file: the kept occurrences of a repeated keyword. */
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

/** One warning about all keywords that no node names. They are in no branch, so filters do not apply to them. */
async function unplacedWarnings(pack: FilteredPack, pause: Pause): Promise<FoundWarnings> {
  const { keywords, volume } = await summarizeUnplaced(pack.whole);
  const one = { row: 0, keywords, volume: volume.value ?? Number.NaN, figures: [] };
  return warningList('unplaced', keywords === 0 ? [] : [one], pause);
}

type AskedOfClusters = { readonly pack: FilteredPack; readonly thresholds: WarningThresholds; readonly pause: Pause };

/**
 * The topics of the lowest level with too many keywords, or with exactly one. Figures are those of the branch, as the
 * explorer shows them; the root does not count as a topic here.
 */
async function sizeWarnings(kind: 'oversized' | 'single', { pack, thresholds, pause }: AskedOfClusters) {
  const isFound = (keywords: number) => (kind === 'single' ? keywords === 1 : keywords > thresholds.oversized);
  return clusterList(kind, pack, pause, (branch) => (isFound(pack.kept.keywords[branch]!) ? [] : undefined));
}

export async function mixedWarnings({ pack, thresholds, pause }: AskedOfClusters): Promise<FoundWarnings> {
  if (!(await pack.whole.column('own_intent'))) return { kind: 'mixed', missing: 'no-intent' };
  const known = await pack.column('intent_known');
  const counts = await Promise.all(intents.map((name) => pack.column(name)));
  return clusterList('mixed', pack, pause, (branch) => {
    const keywords = known[branch]!;
    if (keywords < thresholds.mixedKeywords || keywords === 0) return undefined;
    const isLed = counts.some((count) => 100 * count[branch]! >= thresholds.mixedShare * keywords);
    return isLed ? undefined : [keywords, ...counts.map((count) => count[branch]! / keywords)];
  });
}

async function unknownWarnings({ pack, thresholds, pause }: AskedOfClusters): Promise<FoundWarnings> {
  const { optional } = pack.whole.metadata;
  const [hasVolume, hasDifficulty] = [optional.includes('own_volume'), optional.includes('own_difficulty')];
  if (!hasVolume && !hasDifficulty) return { kind: 'unknown', missing: 'no-figures' };
  const [volume, volumeKnown, difficultyKnown] = [
    await pack.column('volume'),
    await pack.column('volume_known'),
    await pack.column('difficulty_known'),
  ];
  const ofDifficulty = await knownVolumes(pack, 'difficulty', pause);
  return clusterList('unknown', pack, pause, (branch) => {
    const keywords = pack.kept.keywords[branch]!;
    const base = { keywords, volumeKnown: volumeKnown[branch]!, volume: volume[branch]! };
    const known = { ...base, known: base.volumeKnown, knownVolume: base.volume };
    const difficulty = { ...base, known: difficultyKnown[branch]!, knownVolume: ofDifficulty[branch]! };
    const shares = [hasVolume ? knownShare(known) : Number.NaN, hasDifficulty ? knownShare(difficulty) : Number.NaN];
    return shares.some((share) => 100 * share < thresholds.unknownShare) ? shares : undefined;
  });
}

/** Warns about topics of the lowest level. @param figuresOf the figures of a warning, by branch; undefined if there is none */
async function clusterList(
  kind: 'oversized' | 'single' | 'mixed' | 'unknown',
  pack: FilteredPack,
  pause: Pause,
  figuresOf: (branch: number) => readonly number[] | undefined,
): Promise<FoundWarnings> {
  const [rows, volume] = [
    await levelRows(pack, pageLevel(await levelsOf(pack.whole, pause)), 0, pause),
    await pack.column('volume'),
  ];
  const { starts } = pack.kept.branches;
  const found: Warning[] = [];
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const row = rows[at]!;
      const branch = starts[row]!;
      const figures = figuresOf(branch);
      if (figures) found.push({ row, volume: volume[branch]!, keywords: pack.kept.keywords[branch]!, figures });
    }
  });
  return warningList(kind, found, pause);
}
