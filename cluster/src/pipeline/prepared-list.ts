import type { Graph } from '../communities/graph.ts';
import { putAt, rowCount, rowsAt, type Vectors } from '../features/vectors.ts';
import { numberedPages, type Pages } from '../hierarchy/pages.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';
import { type Groups, type KeywordList, someKeywords } from './keyword-list.ts';
import type { ListNeighbours } from './list-neighbours.ts';

/**
 * What takes long to compute about a list: which keywords resemble each other. It does not depend on the granularity, so that a list can be divided
 * again at once. It consists of columns, which a structured clone can copy.
 */
export type PreparedList = {
  readonly groups: Groups;
  readonly neighbours: ListNeighbours;
  /** Only if the list is grouped by search results: the graph of shared URLs, and the groups found in it. */
  readonly shared: { readonly graph: Graph; readonly clusters: Pages } | undefined;
  /**
   * The stems of the words that most keywords of the whole list have; names leave them out. Without them, names leave out the words that most
   * keywords of this list have.
   */
  readonly seed?: ReadonlySet<string> | undefined;
};

/**
 * Restricts a prepared list to some of its keywords. Neighbours outside of these are dropped, so that some rows have fewer.
 *
 * @param keywords their rows in the list, ascending
 */
export function partOf(
  list: KeywordList,
  { groups, neighbours, shared, seed }: PreparedList,
  keywords: Int32Array,
): { readonly list: KeywordList; readonly prepared: PreparedList } {
  const weight = new Float64Array(groups.texts.length);
  for (const keyword of keywords) weight[groups.of[keyword]!]!++;
  const rows = Int32Array.from(weight.keys()).filter((group) => weight[group]! > 0);
  const place = new Int32Array(weight.length).fill(-1);
  rows.forEach((group, index) => {
    place[group] = index;
  });
  const vectors = (all: Vectors<Int8Array>) => rowsAt(all, rows, new Int8Array(rows.length * all.dimensions));
  return {
    list: someKeywords(list, keywords),
    prepared: {
      groups: {
        of: Int32Array.from(keywords, (keyword) => place[groups.of[keyword]!]!),
        ...headsAmong(list, groups, keywords, rows),
        weight: Float64Array.from(rows, (group) => weight[group]!),
      },
      neighbours: {
        page: amongRows(neighbours.page, rows, place),
        topic: amongRows(neighbours.topic, rows, place),
        pageVectors: vectors(neighbours.pageVectors),
        topicVectors: vectors(neighbours.topicVectors),
      },
      shared: shared && {
        graph: graphAmong(shared.graph, rows, place),
        clusters: numberedPages(Int32Array.from(rows, (row) => shared.clusters.of[row]!)),
      },
      seed,
    },
  };
}

/** The keyword that stands for each group: the group's own one, or, if that is not in the part, the one in the part with the highest volume. */
function headsAmong(
  { texts, volume }: KeywordList,
  groups: Groups,
  keywords: Int32Array,
  rows: Int32Array,
): Pick<Groups, 'texts' | 'volume'> {
  const searches = (keyword: number): number => (Number.isNaN(volume[keyword]!) ? -1 : volume[keyword]!);
  const isHead = (keyword: number): boolean => texts[keyword] === groups.texts[groups.of[keyword]!];
  const heads = new Map<number, number>();
  for (const keyword of keywords) {
    const group = groups.of[keyword]!;
    const head = heads.get(group);
    const isBetter = head === undefined || isHead(keyword) || (!isHead(head) && searches(keyword) > searches(head));
    if (isBetter) heads.set(group, keyword);
  }
  return {
    texts: Array.from(rows, (group) => texts[heads.get(group)!]!),
    volume: Float64Array.from(rows, (group) => volume[heads.get(group)!]!),
  };
}

/** Restricts neighbours to some rows, in their order, nearest first; free places come last. @param place the new number of each row, or −1 */
function amongRows({ count, to, similarity }: Neighbours, rows: Int32Array, place: Int32Array): Neighbours {
  const restricted = {
    to: new Int32Array(rows.length * count).fill(-1),
    similarity: new Float32Array(rows.length * count),
  };
  rows.forEach((row, index) => {
    let next = index * count;
    for (let at = row * count; at < (row + 1) * count; at++) {
      const other = to[at]! < 0 ? -1 : place[to[at]!]!;
      if (other < 0) continue;
      restricted.to[next] = other;
      restricted.similarity[next++] = similarity[at]!;
    }
  });
  return { count, ...restricted };
}

/** The subgraph of some nodes. @param place the new number of each node, or −1 */
function graphAmong(graph: Graph, rows: Int32Array, place: Int32Array): Graph {
  const offset = new Uint32Array(rows.length + 1);
  const to: number[] = [];
  const weight: number[] = [];
  rows.forEach((row, index) => {
    for (let at = graph.offset[row]!; at < graph.offset[row + 1]!; at++) {
      const other = place[graph.to[at]!]!;
      if (other < 0) continue;
      to.push(other);
      weight.push(graph.weight[at]!);
    }
    offset[index + 1] = to.length;
  });
  return { offset, to: Uint32Array.from(to), weight: Float32Array.from(weight) };
}

/** Some keywords of a list, as their rows in it, and what was prepared of them alone. */
export type PreparedPart = { readonly keywords: Int32Array; readonly prepared: PreparedList };

/**
 * Joins separately prepared parts of a list. Keywords of different parts are never neighbours. A keyword that is in no part becomes a group of its
 * own without neighbours.
 */
export function joinedParts({ texts, volume }: KeywordList, parts: readonly PreparedPart[]): PreparedList {
  const of = new Int32Array(texts.length).fill(-1);
  const groups = { texts: [] as string[], volume: [] as number[], weight: [] as number[] };
  const first: number[] = [];
  for (const { keywords, prepared } of parts) {
    const offset = groups.texts.length;
    first.push(offset);
    keywords.forEach((keyword, row) => {
      of[keyword] = offset + prepared.groups.of[row]!;
    });
    prepared.groups.texts.forEach((text, group) => {
      groups.texts.push(text);
      groups.volume.push(prepared.groups.volume[group]!);
      groups.weight.push(prepared.groups.weight[group]!);
    });
  }
  of.forEach((group, keyword) => {
    if (group >= 0) return;
    of[keyword] = groups.texts.push(texts[keyword]!) - 1;
    groups.volume.push(volume[keyword]!);
    groups.weight.push(1);
  });
  const rows = groups.texts.length;
  const all = <Key extends keyof ListNeighbours>(key: Key) => parts.map(({ prepared }) => prepared.neighbours[key]);
  return {
    groups: {
      of,
      texts: groups.texts,
      volume: Float64Array.from(groups.volume),
      weight: Float64Array.from(groups.weight),
    },
    neighbours: {
      page: joinedNeighbours(rows, first, all('page')),
      topic: joinedNeighbours(rows, first, all('topic')),
      pageVectors: joinedVectors(rows, first, all('pageVectors')),
      topicVectors: joinedVectors(rows, first, all('topicVectors')),
    },
    shared: undefined,
  };
}

function joinedNeighbours(rows: number, first: readonly number[], parts: readonly Neighbours[]): Neighbours {
  const count = parts[0]?.count ?? 0;
  const to = new Int32Array(rows * count).fill(-1);
  const similarity = new Float32Array(rows * count);
  parts.forEach((part, number) => {
    const offset = first[number]!;
    to.set(
      part.to.map((row) => (row < 0 ? -1 : offset + row)),
      offset * count,
    );
    similarity.set(part.similarity, offset * count);
  });
  return { count, to, similarity };
}

/** Vectors of short lists have more dimensions than those of long ones. What a row lacks is 0. */
function joinedVectors(
  rows: number,
  first: readonly number[],
  parts: readonly Vectors<Int8Array>[],
): Vectors<Int8Array> {
  const dimensions = Math.max(0, ...parts.map((part) => part.dimensions));
  const into = { values: new Int8Array(rows * dimensions), dimensions };
  parts.forEach((part, number) => {
    const places = Int32Array.from({ length: rowCount(part) || 0 }, (_, row) => first[number]! + row);
    putAt(into, places, part);
  });
  return into;
}
