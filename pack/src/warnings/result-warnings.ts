import type { ByteSource } from '../format/byte-source.ts';
import { type Pause, pauseBetween } from '../format/in-pieces.ts';
import { noRow } from '../format/pack-format.ts';
import type { FilteredPack } from '../sums/filtered-pack.ts';
import type { WarningKind, WarningThresholds } from '../vocabulary/warnings.ts';
import { clusterMembers, type DistinctKeywords, distinctKeywords, firstOccurrences } from './occurrences.ts';
import { type PackResults, packResults } from './pack-results.ts';
import { type FoundWarnings, type Warning, warningList } from './warning-list.ts';

type ResultKind = Extract<WarningKind, 'results-apart' | 'results-alike'>;
type ClusterQuery = { readonly pack: FilteredPack; readonly thresholds: WarningThresholds; readonly pause: Pause };

/**
 * Where clusters and search results disagree. Two keywords are answered alike if they share enough URLs.
 *
 * Apart: a cluster whose keywords fall into several groups, between which no two keywords are answered alike. What it affects
 * are the keywords outside the largest group. Alike: two clusters, of which at least half of the keywords of the smaller one
 * are answered like some of the other. Only keywords with results count, each in its nearest cluster; strays are in none.
 *
 * Cost: one pass over the pairs of keywords that share a URL, and on the first call for a pack one over the file.
 */
export async function resultWarnings(
  query: ClusterQuery,
  original: ByteSource,
): Promise<Readonly<Record<ResultKind, FoundWarnings>>> {
  const { pack, pause } = query;
  const known = await packResults(pack.whole, original, pause);
  if (!known) {
    const gap = (kind: ResultKind): FoundWarnings => ({ kind, missing: 'no-results' });
    return { 'results-apart': gap('results-apart'), 'results-alike': gap('results-alike') };
  }
  const clusters = await clustersWithResults(pack, known, pause);
  const distinct = await distinctKeywords(pack.whole, pause);
  const [apart, linked]: [Warning[], Links] = [[], new Links(clusters)];
  const between = pauseBetween(pause);
  for (const cluster of clusters.keys()) {
    await between(16 + 64 * clusters[cluster]!.rows.length);
    const groups = groupsIn(cluster, clusters[cluster]!, known, query.thresholds.sharedUrls, linked);
    if (groups.length > 1) apart.push(apartWarning(clusters[cluster]!, groups, known, distinct));
  }
  const alike: Warning[] = [];
  for (const pair of linked.pairs()) {
    await between(16 + 4 * (pair[0].rows.length + pair[1].rows.length));
    alike.push(alikeWarning(pair, known, distinct));
  }
  return {
    'results-apart': await warningList('results-apart', apart, pause),
    'results-alike': await warningList('results-alike', alike, pause),
  };
}

/** A cluster, and its keywords with results: their nodes, and their numbers among the results. */
type Cluster = { readonly row: number; readonly rows: readonly number[]; readonly numbers: readonly number[] };

async function clustersWithResults(pack: FilteredPack, { numberOf }: PackResults, pause: Pause): Promise<Cluster[]> {
  const [{ clusters, starts, rows }, firsts] = [
    await clusterMembers(pack, pause),
    await firstOccurrences(pack.whole, pause),
  ];
  const found: Cluster[] = [];
  const between = pauseBetween(pause);
  for (let at = 0; at < clusters.length; at++) {
    await between(16 + 4 * (starts[at + 1]! - starts[at]!));
    if (clusters[at] === 0) continue;
    // A keyword counts once in a cluster.
    const own = new Map<number, number>();
    for (const row of rows.subarray(starts[at], starts[at + 1]))
      if (numberOf[row] !== noRow && !own.has(firsts.of(row))) own.set(firsts.of(row), row);
    const members = [...own.values()];
    if (members.length > 0)
      found.push({ row: clusters[at]!, rows: members, numbers: members.map((row) => numberOf[row]!) });
  }
  return found;
}

/** Which keywords of a cluster are answered like some of another one. */
class Links {
  readonly #clusters: readonly Cluster[];
  /** The clusters of each keyword, by its number among the results. */
  readonly #clustersOf = new Map<number, number[]>();
  /** By cluster and other cluster: the places of keywords in the cluster. */
  readonly #of = new Map<number, Map<number, Set<number>>>();

  constructor(clusters: readonly Cluster[]) {
    this.#clusters = clusters;
    clusters.forEach(({ numbers }, cluster) => {
      for (const number of numbers) pushTo(this.#clustersOf, number, cluster);
    });
  }

  /** Notes that the keyword at a place of a cluster is answered like one with this number, in each other cluster that has it. */
  add(cluster: number, place: number, number: number): void {
    for (const other of this.#clustersOf.get(number) ?? []) if (other !== cluster) this.#link(cluster, place, other);
  }

  #link(cluster: number, place: number, other: number): void {
    const others = this.#of.get(cluster) ?? new Map<number, Set<number>>();
    this.#of.set(cluster, others);
    others.set(other, (others.get(other) ?? new Set()).add(place));
  }

  /** The pairs of clusters that are answered alike, each with the keywords that are; the larger cluster first. */
  *pairs(): Generator<readonly [Cluster, Cluster]> {
    const clusters = this.#clusters;
    for (const [one, others] of this.#of) {
      for (const [other, places] of others) {
        if (other < one) continue;
        const back = this.#of.get(other)!.get(one)!;
        const isSmaller = clusters[one]!.rows.length < clusters[other]!.rows.length;
        const [small, its] = isSmaller ? [one, places] : [other, back];
        if (2 * its.size < clusters[small]!.rows.length) continue;
        const [first, second] = [some(clusters[one]!, places), some(clusters[other]!, back)];
        yield isSmaller ? [second, first] : [first, second];
      }
    }
  }
}

const some = ({ row, rows, numbers }: Cluster, places: ReadonlySet<number>): Cluster => {
  const order = [...places].sort((one, other) => one - other);
  return { row, rows: order.map((at) => rows[at]!), numbers: order.map((at) => numbers[at]!) };
};

/**
 * The groups of a cluster, the largest first, each with the places of its keywords in the cluster. Adds to `linked` which of them are
 * answered like keywords of other clusters.
 *
 * @param minShared how many URLs two keywords share if they are answered alike
 */
function groupsIn(
  cluster: number,
  { numbers }: Cluster,
  { sharing }: PackResults,
  minShared: number,
  linked: Links,
): number[][] {
  const placeOf = new Map(numbers.map((number, place) => [number, place]));
  const group = numbers.map((_, place) => place);
  const rootOf = (place: number): number => {
    let at = place;
    while (group[at] !== at) {
      group[at] = group[group[at]!]!;
      at = group[at]!;
    }
    return at;
  };
  numbers.forEach((number, place) => {
    sharing(number, (other, shared) => {
      if (shared < minShared) return;
      const inside = placeOf.get(other);
      if (inside !== undefined) {
        const [one, two] = [rootOf(place), rootOf(inside)];
        group[Math.max(one, two)] = Math.min(one, two);
      }
      linked.add(cluster, place, other);
    });
    // A keyword that is in several clusters is answered like itself.
    linked.add(cluster, place, number);
  });
  const groups = new Map<number, number[]>();
  for (const place of numbers.keys()) pushTo(groups, rootOf(place), place);
  return [...groups.values()].sort((one, other) => other.length - one.length || one[0]! - other[0]!);
}

function pushTo(lists: Map<number, number[]>, key: number, value: number): void {
  const own = lists.get(key);
  if (own) own.push(value);
  else lists.set(key, [value]);
}

function apartWarning(
  { row, rows, numbers }: Cluster,
  groups: readonly (readonly number[])[],
  { results }: PackResults,
  distinct: DistinctKeywords,
): Warning {
  for (const place of groups.slice(1).flat()) distinct.add(rows[place]!);
  const evidence = groups.map((places) => ({
    rows: places.map((place) => rows[place]!),
    urls: mostCommon(
      places.map((place) => numbers[place]!),
      results,
    ),
  }));
  return { row, ...distinct.take(), figures: [groups.length, groups[0]!.length, rows.length], evidence };
}

function alikeWarning(
  pair: readonly [Cluster, Cluster],
  { results }: PackResults,
  distinct: DistinctKeywords,
): Warning {
  for (const { rows } of pair) for (const row of rows) distinct.add(row);
  const [first, second] = pair.map(({ numbers }) => countsOf(numbers, results));
  const common = [...first!.keys()].filter((url) => second!.has(url));
  const weight = (url: number) => first!.get(url)! + second!.get(url)!;
  const urls = common.sort((one, other) => weight(other) - weight(one) || one - other).slice(0, namedUrls);
  return {
    row: pair[0].row,
    ...distinct.take(),
    figures: [pair[0].rows.length, pair[1].rows.length],
    places: pair.map(({ row }) => row),
    placeKeywords: pair.map(({ rows }) => rows.length),
    evidence: pair.map(({ rows }) => ({ rows, urls: urls.map((url) => results.texts[url]!) })),
  };
}

const namedUrls = 3;

/** The URLs that most of some keywords have; of a keyword alone, its best one. */
function mostCommon(numbers: readonly number[], results: PackResults['results']): string[] {
  const counts = [...countsOf(numbers, results)];
  const best = counts.sort((one, other) => other[1] - one[1]).slice(0, namedUrls);
  const named = best.filter(([, count], at) => count > 1 || (numbers.length === 1 && at === 0));
  return named.map(([url]) => results.texts[url]!);
}

/** By URL, how many of some keywords have it; in order of their ranks. */
function countsOf(numbers: readonly number[], { offset, url }: PackResults['results']): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers)
    for (let at = offset[number]!; at < offset[number + 1]!; at++)
      counts.set(url[at]!, (counts.get(url[at]!) ?? 0) + 1);
  return counts;
}
