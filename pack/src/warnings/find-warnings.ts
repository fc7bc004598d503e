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
import { clusterMembers, type DistinctKeywords, distinctKeywords, firstOccurrences } from './occurrences.ts';
import { type RankedUrls, rankedUrls } from './ranked-urls.ts';
import { resultWarnings } from './result-warnings.ts';
import { type FoundWarnings, listBytes, type Warning, type WarningList, warningList } from './warning-list.ts';

/** The warnings of every kind, and the texts of the URLs, to which they refer by number. */
export type AllWarnings = {
  readonly lists: Readonly<Record<WarningKind, FoundWarnings>>;
  readonly urls: readonly string[];
};

type WarningInput = { readonly thresholds: WarningThresholds; readonly original: ByteSource; readonly pause: Pause };

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

const found = oncePerPack<AllWarnings, WarningInput, FilteredPack>(find, {
  nameOf: ({ thresholds }) => JSON.stringify(Object.entries(thresholds).sort()),
  sizeOf: ({ lists }) => Object.values(lists).reduce((sum, list) => sum + ('missing' in list ? 0 : listBytes(list)), 0),
});

async function find(pack: FilteredPack, { thresholds, original, pause }: WarningInput): Promise<AllWarnings> {
  const query = { pack, thresholds, pause };
  const ofUrls = await urlWarnings(query, original);
  const ofResults = await resultWarnings(query, original);
  const lists: FoundWarnings[] = [...Object.values(ofUrls.lists), ...Object.values(ofResults)];
  for (const ofKind of [
    () => mixedWarnings(query),
    () => sizeWarnings('oversized', query),
    () => sizeWarnings('single', query),
    () => repeatWarnings(pack, pause),
    () => unplacedWarnings(pack, pause),
    () => unknownWarnings(query),
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

type ClusterQuery = { readonly pack: FilteredPack; readonly thresholds: WarningThresholds; readonly pause: Pause };

/**
 * The topics of the lowest level with too many keywords, or with exactly one. Figures are those of the branch, as the
 * explorer shows them; the root does not count as a topic here.
 */
async function sizeWarnings(kind: 'oversized' | 'single', { pack, thresholds, pause }: ClusterQuery) {
  const isFound = (keywords: number) => (kind === 'single' ? keywords === 1 : keywords > thresholds.oversized);
  return clusterList(kind, pack, pause, (branch) => (isFound(pack.kept.keywords[branch]!) ? [] : undefined));
}

export async function mixedWarnings({ pack, thresholds, pause }: ClusterQuery): Promise<FoundWarnings> {
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

async function unknownWarnings({ pack, thresholds, pause }: ClusterQuery): Promise<FoundWarnings> {
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

type UrlKind = Extract<WarningKind, 'url-clusters' | 'cluster-urls'>;
type UrlWarnings = {
  readonly lists: Readonly<Record<UrlKind, FoundWarnings>>;
  /** The URLs by number. */
  readonly texts: readonly string[];
};

/**
 * URLs that rank for several clusters, and clusters for which several URLs rank.
 *
 * A keyword counts once in its nearest cluster (see `clustersOf`) and not in those around that, so that nested clusters do not compete
 * with each other. Keywords directly below the root are in no cluster here.
 *
 * Cost: two passes over the keywords, and on the first call for a pack one over the file: see `rankedUrls`.
 */
async function urlWarnings(query: ClusterQuery, original: ByteSource): Promise<UrlWarnings> {
  const { pack, pause } = query;
  const ranked = await rankedUrls(pack.whole, original, pause);
  const missing = !ranked
    ? 'no-urls'
    : pack.whole.metadata.optional.includes('own_position')
      ? undefined
      : 'no-positions';
  if (!ranked || missing) {
    const gap = (kind: UrlKind): FoundWarnings => ({ kind, missing: missing ?? 'no-urls' });
    return { lists: { 'url-clusters': gap('url-clusters'), 'cluster-urls': gap('cluster-urls') }, texts: [] };
  }
  const found = await countInClusters(query, ranked);
  return { lists: found, texts: ranked.texts };
}

/** A URL that ranks for enough keywords of a cluster. */
type Strong = { readonly cluster: number; readonly keywords: number };

async function countInClusters({ pack, thresholds, pause }: ClusterQuery, ranked: RankedUrls) {
  const [{ clusters, starts, rows }, firsts, distinct, position] = [
    await clusterMembers(pack, pause),
    await firstOccurrences(pack.whole, pause),
    await distinctKeywords(pack.whole, pause),
    (await pack.whole.column('own_position'))!,
  ];
  const ranks = ranksIn(ranked, position, thresholds.position);
  /** By URL: the number of keywords of the current cluster for which it ranks. */
  const counted = new Uint32Array(ranked.texts.length);
  /** By first occurrence of a keyword: the index of the cluster in which it was seen last, plus one. */
  const seen = new Uint32Array(pack.whole.metadata.nodes);
  const strongIn = new Map<number, Strong[]>();
  const clusterUrls: Warning[] = [];
  const rest = pauseBetween(pause);
  for (let at = 0; at < clusters.length; at++) {
    if (clusters[at] === 0) continue;
    const members: number[] = [];
    for (let index = starts[at]!; index < starts[at + 1]!; index++) {
      const first = firsts.of(rows[index]!);
      if (seen[first] === at + 1) continue;
      seen[first] = at + 1;
      if (ranked.listOf[rows[index]!] !== noRow) members.push(rows[index]!);
    }
    // A cluster costs something even if it is small.
    await rest(16 + 2 * (starts[at + 1]! - starts[at]!));
    const { urls, torn } = countUrls(ranks, members, counted);
    const strong = urls.filter((url) => counted[url]! >= thresholds.urlKeywords);
    for (const url of strong) addTo(strongIn, url, { cluster: at, keywords: counted[url]! });
    strong.sort((one, other) => counted[other]! - counted[one]! || one - other);
    const [first, second] = strong.map((url) => counted[url]!);
    const isShared = second !== undefined && 100 * second >= thresholds.secondShare * members.length;
    if (isShared || torn.size > 0) {
      const isStrong = new Set(strong);
      const concerned = members.filter((row) => torn.has(row) || ranks(row).some((url) => isStrong.has(url)));
      for (const row of concerned) distinct.add(row);
      const named = [strong[0] ?? Number.NaN, strong[1] ?? Number.NaN];
      const figures = [strong.length, first ?? 0, second ?? 0, ...named, members.length, torn.size];
      clusterUrls.push({ row: clusters[at]!, ...distinct.take(), figures });
    }
    for (const url of urls) counted[url] = 0;
  }
  return {
    'cluster-urls': await warningList('cluster-urls', clusterUrls, pause),
    'url-clusters': await sharedUrls(strongIn, { clusters, starts, rows, ranks, distinct }, pause),
  };
}

function addTo(strongIn: Map<number, Strong[]>, url: number, strong: Strong): void {
  const known = strongIn.get(url);
  if (known) known.push(strong);
  else strongIn.set(url, [strong]);
}

/** The URLs that rank for the keyword of a node. */
type Ranks = (row: number) => number[];

/** A keyword with one URL has the position of its node, which takes precedence over that of its entries. */
function ranksIn({ listOf, starts, urls, positions }: RankedUrls, own: Float32Array, limit: number): Ranks {
  return (row) => {
    const list = listOf[row]!;
    if (list === noRow) return [];
    const [from, end] = [starts[list]!, starts[list + 1]!];
    if (end - from === 1) return own[row]! <= limit ? [urls[from]!] : [];
    const found: number[] = [];
    for (let at = from; at < end; at++) if (positions[at]! <= limit) found.push(urls[at]!);
    return found;
  };
}

/** Counts the members for which each URL ranks. @returns the URLs, and the members for which several rank (`torn`) */
function countUrls(ranks: Ranks, members: readonly number[], counted: Uint32Array) {
  const urls: number[] = [];
  const torn = new Set<number>();
  for (const row of members) {
    const ranking = ranks(row);
    if (ranking.length > 1) torn.add(row);
    for (const url of ranking) if (counted[url]!++ === 0) urls.push(url);
  }
  return { urls, torn };
}

type Members = {
  readonly clusters: Uint32Array;
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
  readonly ranks: Ranks;
  readonly distinct: DistinctKeywords;
};

/** A warning for each URL that ranks for several clusters; the clusters with most of its keywords come first. */
async function sharedUrls(
  strongIn: ReadonlyMap<number, readonly Strong[]>,
  members: Members,
  pause: Pause,
): Promise<WarningList> {
  const { clusters, distinct } = members;
  const shared = new Map([...strongIn].filter(([, strong]) => strong.length > 1));
  await pause();
  const rowsOf = await rowsOfUrls(shared, members, pause);
  const found: Warning[] = [];
  const between = pauseBetween(pause);
  for (const [url, strong] of shared) {
    await between(16 * strong.length + rowsOf.get(url)!.length);
    const places = strong.toSorted(
      (one, other) => other.keywords - one.keywords || clusters[one.cluster]! - clusters[other.cluster]!,
    );
    for (const row of rowsOf.get(url)!) distinct.add(row);
    found.push({
      row: clusters[places[0]!.cluster]!,
      ...distinct.take(),
      figures: [places.length],
      url,
      places: places.map(({ cluster }) => clusters[cluster]!),
      placeKeywords: places.map(({ keywords }) => keywords),
    });
  }
  return warningList('url-clusters', found, pause);
}

/** By URL: the keywords for which it ranks, of the clusters that count for it. */
async function rowsOfUrls(
  shared: ReadonlyMap<number, readonly Strong[]>,
  { starts, rows, ranks }: Members,
  pause: Pause,
): Promise<Map<number, number[]>> {
  const urlsIn = new Map<number, Set<number>>();
  const between = pauseBetween(pause);
  for (const [url, strong] of shared) {
    await between(16 * strong.length);
    for (const { cluster } of strong) urlsIn.set(cluster, (urlsIn.get(cluster) ?? new Set()).add(url));
  }
  const found = new Map<number, number[]>([...shared.keys()].map((url) => [url, []]));
  for (const [cluster, urls] of urlsIn) {
    await between(8 * (starts[cluster + 1]! - starts[cluster]!));
    for (let index = starts[cluster]!; index < starts[cluster + 1]!; index++) {
      for (const url of ranks(rows[index]!)) if (urls.has(url)) found.get(url)!.push(rows[index]!);
    }
  }
  return found;
}
