import type { FilteredPack } from '../../src/sums/filtered-pack.ts';
import { defaultThresholds, type WarningThresholds } from '../../src/vocabulary/warnings.ts';
import type { PlainEntry } from './filter-oracle.ts';
import { clusterOf, distinctWithin, type OracleNode, plainNodes, rowsOfLevel } from './levels-oracle.ts';

/** A warning as an oracle tells it: rows and URLs as they are, shares rounded. */
export type PlainWarning = {
  readonly row: number;
  readonly volume: number | undefined;
  readonly keywords: number;
  readonly figures: readonly (number | string | undefined)[];
  readonly url?: string;
  readonly places?: readonly number[];
};
export type PlainWarnings = Readonly<Record<string, readonly PlainWarning[] | string>>;

const knownSum = (nodes: readonly OracleNode[]): number | undefined => {
  const known = nodes.filter(({ volume }) => !Number.isNaN(volume));
  return known.length === 0 ? undefined : known.reduce((sum, { volume }) => sum + volume, 0);
};
/** Subtopics, if any, unless they contain the clusters. */
function smallestLevel(nodes: readonly OracleNode[]): 'clusters' | 'subtopics' {
  const subtopics = nodes.filter(({ type }) => type === 'subtopic');
  const isThere = (type: string) => nodes.some((node) => node.type === type);
  if (!isThere('subtopic')) return 'clusters';
  const isInside = (node: OracleNode) =>
    nodes.some(({ parent }) => parent === node) && clusterOf(node)?.type === 'cluster';
  return !isThere('cluster') || subtopics.some(isInside) ? 'subtopics' : 'clusters';
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** The URLs of each keyword by node, in the most naive way. */
export type UrlsOf = (row: number) => readonly { readonly url: string; readonly position: number }[];

/** Every warning, from its definition, node by node. Lists are in the order of their rows and URLs. */
export async function expectedWarnings(
  pack: FilteredPack,
  urlsOf: UrlsOf,
  thresholds: WarningThresholds = defaultThresholds,
): Promise<PlainWarnings> {
  const nodes = await plainNodes(pack);
  const keywords = nodes.filter((node) => node.counts && node.row > 0);
  const clusters = rowsOfLevel(nodes, smallestLevel(nodes), 0);
  const ofCluster = (row: number) => distinctWithin(nodes, [row]);
  const clusterWarnings = (figures: (inside: OracleNode[]) => PlainWarning['figures'] | undefined) =>
    clusters.flatMap((row): PlainWarning[] => {
      const inside = ofCluster(row);
      const found = figures(inside);
      return found ? [{ row, volume: knownSum(inside), keywords: inside.length, figures: found }] : [];
    });
  const { optional } = pack.whole.metadata;
  const [hasVolume, hasDifficulty] = [optional.includes('own_volume'), optional.includes('own_difficulty')];
  return {
    mixed: optional.includes('own_intent') ? clusterWarnings((inside) => mixed(inside, thresholds)) : 'no-intent',
    ...urlWarnings(nodes, urlsOf, thresholds, optional.includes('own_position')),
    // No random file has search results: `result-warnings.test.ts` counts them by hand.
    'results-apart': 'no-results',
    'results-alike': 'no-results',
    oversized: clusterWarnings((inside) => (inside.length > thresholds.oversized ? [] : undefined)),
    single: clusterWarnings((inside) => (inside.length === 1 ? [] : undefined)),
    repeated: repeated(keywords),
    unknown:
      hasVolume || hasDifficulty
        ? clusterWarnings((inside) => unknown(inside, thresholds, hasVolume, hasDifficulty))
        : 'no-figures',
  };
}

function mixed(inside: readonly OracleNode[], { mixedKeywords, mixedShare }: WarningThresholds) {
  const known = inside.filter(({ intent }) => intent !== 0);
  const shares = [0, 0, 0, 0];
  for (const { intent } of known) {
    const bits = [0, 1, 2, 3].filter((bit) => intent & (1 << bit));
    for (const bit of bits) shares[bit]! += 1 / known.length;
  }
  // Sums of thirds are not exact.
  if (known.length < mixedKeywords || known.length === 0) return undefined;
  if (shares.some((share) => 100 * share >= mixedShare - 1e-9)) return undefined;
  return [known.length, ...shares.map(rounded)];
}

function unknown(
  inside: readonly OracleNode[],
  { unknownShare }: WarningThresholds,
  hasVolume: boolean,
  hasDifficulty: boolean,
) {
  const shareOf = (figure: 'volume' | 'difficulty') => {
    const volumes = inside.filter(({ volume }) => !Number.isNaN(volume));
    const sum = volumes.reduce((total, { volume }) => total + volume, 0);
    const known = inside.filter((node) => !Number.isNaN(node[figure]));
    if (2 * volumes.length < inside.length || !(sum > 0)) return known.length / inside.length;
    return known.reduce((total, { volume }) => total + (volume || 0), 0) / sum;
  };
  const shares = [hasVolume ? shareOf('volume') : Number.NaN, hasDifficulty ? shareOf('difficulty') : Number.NaN];
  if (!shares.some((share) => 100 * share < unknownShare)) return undefined;
  return shares.map((share) => (Number.isNaN(share) ? undefined : rounded(share)));
}

function repeated(keywords: readonly OracleNode[]): PlainWarning[] {
  const byKey = grouped(keywords, ({ key }) => key);
  const found: PlainWarning[] = [];
  for (const nodes of byKey.values()) {
    const clusters = new Set(nodes.flatMap((node) => clusterOf(node)?.row ?? []));
    if (clusters.size < 2) continue;
    const places = nodes.toSorted((one, other) => one.place - other.place);
    found.push({
      row: places[0]!.row,
      volume: knownSum(places.slice(0, 1)),
      keywords: 1,
      figures: [clusters.size],
      places: places.map(({ row }) => row),
    });
  }
  return found.sort((one, other) => one.row - other.row);
}

function urlWarnings(
  nodes: readonly OracleNode[],
  urlsOf: UrlsOf,
  thresholds: WarningThresholds,
  hasPositions: boolean,
): PlainWarnings {
  const gap = nodes.every(({ row }) => urlsOf(row).length === 0)
    ? 'no-urls'
    : hasPositions
      ? undefined
      : 'no-positions';
  if (gap) return { 'url-clusters': gap, 'cluster-urls': gap };
  const keywords = nodes.filter((node) => node.counts && node.row > 0 && (clusterOf(node)?.row ?? 0) !== 0);
  const byCluster = grouped(keywords, (node) => clusterOf(node)!.row);
  const ranking = ({ row }: OracleNode) =>
    urlsOf(row).flatMap(({ url, position }) => (position <= thresholds.position ? [url] : []));
  /** The first node of each keyword in pack order. */
  const distinct = (some: readonly OracleNode[]) =>
    [...grouped(some, ({ key }) => key).values()].map(([first]) => first!);
  const volumeOf = (some: readonly OracleNode[]) => {
    const first = [...grouped(some, ({ key }) => key).values()].map(
      (places) => places.toSorted((one, other) => one.place - other.place)[0]!,
    );
    return { volume: knownSum(first), keywords: first.length };
  };
  const strong = (row: number): Map<string, OracleNode[]> => {
    const found = new Map<string, OracleNode[]>();
    for (const node of distinct(byCluster.get(row)!))
      for (const url of ranking(node)) found.set(url, [...(found.get(url) ?? []), node]);
    return new Map([...found].filter(([, some]) => some.length >= thresholds.urlKeywords));
  };
  const rows = [...byCluster.keys()].sort((one, other) => one - other);
  const clusterUrls = rows.flatMap((row): PlainWarning[] => {
    const members = distinct(byCluster.get(row)!).filter((node) => urlsOf(node.row).length > 0);
    const leading = [...strong(row)].map(([, some]) => some.length).sort((one, other) => other - one);
    const torn = members.filter((node) => ranking(node).length > 1);
    const isShared = leading.length > 1 && 100 * leading[1]! >= thresholds.secondShare * members.length;
    if (!isShared && torn.length === 0) return [];
    const isStrong = strong(row);
    const concerned = members.filter((node) => torn.includes(node) || ranking(node).some((url) => isStrong.has(url)));
    const figures = [leading.length, leading[0] ?? 0, leading[1] ?? 0, members.length, torn.length];
    return [{ row, ...volumeOf(concerned), figures }];
  });
  const urls = [...new Set(keywords.flatMap(ranking))].sort();
  const urlClusters = urls.flatMap((url): PlainWarning[] => {
    const places = rows.filter((row) => strong(row).has(url));
    if (places.length < 2) return [];
    const count = (row: number) => strong(row).get(url)!.length;
    const sorted = places.toSorted((one, other) => count(other) - count(one) || one - other);
    const concerned = places.flatMap((row) => byCluster.get(row)!.filter((node) => ranking(node).includes(url)));
    return [{ row: sorted[0]!, ...volumeOf(concerned), figures: [places.length], url, places: sorted }];
  });
  return { 'url-clusters': urlClusters, 'cluster-urls': clusterUrls };
}

/** The URLs of the entries of a keyword, by its key: one position for each, weighted by impressions if known, otherwise the best. */
export function urlsOfEntries(entries: readonly EntryWithUrl[], wanted: string): readonly PlainUrl[] {
  const withUrl = entries.filter(({ keyword, URL }) => keyOf(keyword) === wanted && URL !== undefined);
  return [...grouped(withUrl, ({ URL }) => plainUrl(URL!))].map(([url, some]) => ({ url, position: positionOf(some) }));
}

export type PlainUrl = { readonly url: string; readonly position: number };
export type EntryWithUrl = PlainEntry & {
  readonly URL?: string;
  readonly position?: number;
  readonly Impressions?: number;
};

function positionOf(entries: readonly EntryWithUrl[]): number {
  const known = entries.filter(({ position }) => position !== undefined);
  const weight = known.reduce((sum, { Impressions = 0 }) => sum + Impressions, 0);
  if (weight > 0)
    return known.reduce((sum, { position, Impressions = 0 }) => sum + position! * Impressions, 0) / weight;
  return known.length > 0 ? Math.min(...known.map(({ position }) => position!)) : Number.NaN;
}

const keyOf = (text: string) =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();

/** For the addresses that the tests use. */
export const plainUrl = (url: string): string =>
  url
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/#.*$/, '')
    .replace(/\?utm_source=x$/, '')
    .replace(/\/$/, '');

/** The items by a key, in their order. */
export function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
