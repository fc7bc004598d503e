import type { ByteSource } from '../format/byte-source.ts';
import { type Pause, pauseBetween } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { FilteredPack } from '../sums/filtered-pack.ts';
import type { WarningKind, WarningThresholds } from '../vocabulary/warnings.ts';
import { clusterMembers, type DistinctKeywords, distinctKeywords, firstOccurrences } from './occurrences.ts';
import type { RankedUrls } from './ranked-urls.ts';
import { rankedUrls } from './ranked-urls.ts';
import { type FoundWarnings, type Warning, type WarningList, warningList } from './warning-list.ts';

type UrlKind = Extract<WarningKind, 'url-clusters' | 'cluster-urls'>;
type UrlWarnings = {
  readonly lists: Readonly<Record<UrlKind, FoundWarnings>>;
  /** The URLs by number. */
  readonly texts: readonly string[];
};

type Asked = { readonly pack: FilteredPack; readonly thresholds: WarningThresholds; readonly pause: Pause };

/**
 * URLs that rank for several clusters, and clusters for which several URLs rank.
 *
 * A keyword counts once in its nearest cluster (see `clustersOf`) and not in those around that, so that nested clusters do not compete
 * with each other. Keywords directly below the root are in no cluster here.
 *
 * Cost: two passes over the keywords, and on the first call for a pack one over the file: see `rankedUrls`.
 */
export async function urlWarnings(asked: Asked, original: ByteSource): Promise<UrlWarnings> {
  const { pack, pause } = asked;
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
  const found = await countInClusters(asked, ranked);
  return { lists: found, texts: ranked.texts };
}

/** A URL that ranks for enough keywords of a cluster. */
type Strong = { readonly cluster: number; readonly keywords: number };

async function countInClusters({ pack, thresholds, pause }: Asked, ranked: RankedUrls) {
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
