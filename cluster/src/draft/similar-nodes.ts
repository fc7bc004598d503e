import { mostSimilar } from '../../../pack/src/upload/similar-nodes.ts';
import { membersOf } from '../communities/partition.ts';
import { plainRoom, type RowRoom } from '../features/row-products.ts';
import { lengthOf, packed, rowCount, type Vectors } from '../features/vectors.ts';
import { FewCompared, Nearest } from '../neighbours/nearest.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';
import type { Groups } from '../pipeline/keyword-list.ts';
import type { ListNeighbours } from '../pipeline/list-neighbours.ts';
import type { PreparedList } from '../pipeline/prepared-list.ts';
import type { SimilarRows } from '../write/upload-json.ts';
import { type DraftState, excluded } from './draft-state.ts';

/** Similar keywords of a keyword. */
const maxKeywords = 3;
/** What resembles less has nothing in common but what any two keywords of a list have. */
const minSimilarity = 0.2;
/** Clusters that the keywords of a cluster lead to, and with which its centre is compared. */
const maxLeads = 16;
/** If its keywords lead to too few, it is compared with all, unless that were more comparisons: then with so many siblings. */
const maxCompared = 2 ** 17;
const maxSiblings = 64;
/** Keywords with which a keyword is compared if too few of its neighbours are elsewhere, and through which they are found. */
const maxFurther = 16;
const guides = 4;

/**
 * For each cluster the five most similar clusters, by the cosine of their centres; for each subtopic the same among
 * subtopics; and for each keyword the three most similar keywords of other clusters. Nearest first.
 *
 * All follows from the neighbours that clustering found and from the topics as they are now, so it is the same whatever led
 * to them. A cluster is compared with those that its keywords' neighbours are in, and not with all: of 10^5 clusters, that
 * takes a second instead of an hour. A keyword whose neighbours are all in its own cluster is compared with theirs.
 *
 * Strays are similar to others, and nothing to them: they are in no cluster. What is left over ("Other: …") resembles
 * everything, so nothing is similar to it.
 */
export function similarNodes(
  { groups, neighbours }: PreparedList,
  state: DraftState,
  room: RowRoom = plainRoom,
): SimilarRows {
  const topics = new Int32Array(state.topics.length * mostSimilar).fill(-1);
  const clusterOf = clustersOf(state);
  for (const unitOf of [clusterOf, subtopicsOf(state)]) {
    if (unitOf.every((unit) => unit < 0)) continue;
    const found = similarTopics(groups, neighbours, state, unitOf, room);
    found.to.forEach((to, at) => {
      if (to >= 0 && found.similarity[at]! >= minSimilarity) topics[at] = to;
    });
  }
  return {
    topics: { count: mostSimilar, to: topics },
    keywords: { count: maxKeywords, to: similarKeywords(groups, neighbours, state, clusterOf) },
  };
}

/** By topic: the nearest cluster at or above it, otherwise itself. Strays are in none. */
function clustersOf({ topics }: DraftState): Int32Array {
  const of = new Int32Array(topics.length);
  topics.forEach(({ kind, parent }, topic) => {
    const above = parent < 0 ? -1 : of[parent]!;
    const isInCluster = above >= 0 && topics[above]!.kind === 'cluster';
    of[topic] = kind === 'stray' ? -1 : kind !== 'cluster' && isInCluster ? above : topic;
  });
  return of;
}

/** By topic: itself if it is a subtopic. */
const subtopicsOf = ({ topics }: DraftState): Int32Array =>
  Int32Array.from(topics, ({ kind }, topic) => (kind === 'subtopic' ? topic : -1));

/**
 * The rows of each unit: those of `u` are `row[offset[u]] … row[offset[u + 1] - 1]`. Variants that a person put into
 * different units are a row of each.
 */
type Members = {
  /** The first unit of each row; −1 for none. */
  readonly unitOf: Int32Array;
  readonly offset: Uint32Array;
  readonly row: Int32Array;
};

function unitsOfRows({ of, texts }: Groups, { topicOf }: DraftState, unitOf: Int32Array, units: number): Members {
  const own = new Int32Array(texts.length).fill(-1);
  const further = new Map<string, readonly [row: number, unit: number]>();
  of.forEach((row, keyword) => {
    const topic = topicOf[keyword]!;
    const unit = topic === excluded ? -1 : unitOf[topic]!;
    if (unit < 0) return;
    if (own[row]! < 0) own[row] = unit;
    else if (own[row] !== unit) further.set(`${row} ${unit}`, [row, unit]);
  });
  const pairs = [...further.values()];
  const all = new Int32Array(own.length + pairs.length);
  // What is in no unit is in one more.
  own.forEach((unit, row) => {
    all[row] = unit < 0 ? units : unit;
  });
  pairs.forEach(([, unit], at) => {
    all[own.length + at] = unit;
  });
  const { offset, node } = membersOf({ of: all, count: units + 1 });
  const row = new Int32Array(offset[units]!);
  for (let at = 0; at < row.length; at++)
    row[at] = node[at]! < own.length ? node[at]! : pairs[node[at]! - own.length]![0];
  return { unitOf: own, offset, row };
}

/** Topics × {@link mostSimilar}. @param unitOf by topic the one that its keywords count for; −1 for none */
function similarTopics(
  groups: Groups,
  { page, topic, topicVectors }: ListNeighbours,
  state: DraftState,
  unitOf: Int32Array,
  room: RowRoom,
) {
  const { topics } = state;
  const members = unitsOfRows(groups, state, unitOf, topics.length);
  const compared = new FewCompared(
    centresOf(topicVectors, members, room(topics.length, topicVectors.dimensions)),
    topics.length,
  );
  const nearest = new Nearest(topics.length, mostSimilar);
  const isTarget = topics.map(({ isRest }) => !isRest);
  const offer = (one: number, other: number, value: number): void => {
    if (isTarget[other]) nearest.offer(one, other, value);
  };
  // A cosine is the same from both sides, and a small cluster may lead to nothing that leads to it.
  const both = {
    offer(one: number, other: number, value: number) {
      offer(one, other, value);
      offer(other, one, value);
    },
  };
  const leads = leadsOf(members, [topic, page], topics.length);
  const isLead = (unit: number, other: number): boolean => {
    for (let at = unit * maxLeads; at < (unit + 1) * maxLeads; at++) if (leads[at] === other) return true;
    return false;
  };
  const candidates = new Int32Array(maxLeads);
  for (let unit = 0; unit < topics.length; unit++) {
    for (let at = 0; at < maxLeads; at++) {
      const other = leads[unit * maxLeads + at]!;
      candidates[at] = other >= 0 && other < unit && isLead(other, unit) ? -1 : other;
    }
    compared.beginOwn(unit);
    compared.offer(both, unit, candidates);
  }
  const units = Int32Array.from(topics.keys()).filter((unit) => members.offset[unit + 1]! > members.offset[unit]!);
  const lacking = units.filter((unit) => nearest.threshold(unit) === Number.NEGATIVE_INFINITY);
  const siblings = lacking.length * units.length > maxCompared ? siblingsAmong(state, units) : undefined;
  const own = {
    offer(unit: number, other: number, value: number) {
      if (!nearest.has(unit, other)) offer(unit, other, value);
    },
  };
  for (const unit of lacking) {
    compared.beginOwn(unit);
    compared.offer(own, unit, siblings?.get(topics[unit]!.parent)?.subarray(0, maxSiblings) ?? units);
  }
  return nearest.found();
}

/** The number of units whose centres are in memory as fractions at a time. */
const block = 1024;

/** The mean direction of the rows of each unit. @param centres where to put them */
function centresOf(
  vectors: Vectors<Int8Array>,
  { offset, row }: Members,
  centres: Vectors<Int8Array>,
): Vectors<Int8Array> {
  const { values, dimensions } = vectors;
  const units = rowCount(centres);
  for (let first = 0; first < units; first += block) {
    const sums = new Float32Array(Math.min(block, units - first) * dimensions);
    for (let sum = 0, unit = first; sum < sums.length; sum += dimensions, unit++) {
      for (let member = offset[unit]!; member < offset[unit + 1]!; member++) {
        const scale = 1 / (lengthOf(vectors, row[member]!) || 1);
        const shift = row[member]! * dimensions - sum;
        for (let at = sum; at < sum + dimensions; at++) sums[at]! += scale * values[at + shift]!;
      }
    }
    centres.values.set(packed({ values: sums, dimensions }).values, first * dimensions);
  }
  return centres;
}

/** Units × {@link maxLeads}: the units that the rows of each resemble most, for their size; −1 for none. */
function leadsOf({ unitOf, offset, row }: Members, graphs: readonly Neighbours[], units: number): Int32Array {
  /** Of the unit in progress: the similarity to each unit so far, and the units that have some. */
  const sum = new Float64Array(units);
  const found = new Int32Array(units);
  const nearest = new Nearest(units, maxLeads);
  for (let own = 0; own < units; own++) {
    let count = 0;
    for (const graph of graphs) {
      for (let member = offset[own]!; member < offset[own + 1]!; member++) {
        const first = row[member]! * graph.count;
        for (let at = first; at < first + graph.count; at++) {
          const other = graph.to[at]! < 0 ? -1 : unitOf[graph.to[at]!]!;
          if (other < 0 || other === own || !(graph.similarity[at]! > 0)) continue;
          if (sum[other] === 0) found[count++] = other;
          sum[other]! += graph.similarity[at]!;
        }
      }
    }
    for (let index = 0; index < count; index++) {
      const other = found[index]!;
      // A large unit has more rows to be near to.
      nearest.offer(own, other, sum[other]! / Math.sqrt(offset[other + 1]! - offset[other]!));
      sum[other] = 0;
    }
  }
  return nearest.found().to;
}

/** The units below each topic, in the order of the tree: the largest first. */
function siblingsAmong({ topics }: DraftState, units: Int32Array): ReadonlyMap<number, Int32Array> {
  const below = new Map<number, number[]>();
  for (const unit of units) {
    const own = below.get(topics[unit]!.parent);
    if (own) own.push(unit);
    else below.set(topics[unit]!.parent, [unit]);
  }
  return new Map(Array.from(below, ([parent, own]) => [parent, Int32Array.from(own)]));
}

/** Keywords × {@link maxKeywords}. */
function similarKeywords(
  { of, texts }: Groups,
  { page, topic, pageVectors }: ListNeighbours,
  { topicOf }: DraftState,
  clusterOf: Int32Array,
): Int32Array {
  const at = (keyword: number): number => (topicOf[keyword] === excluded ? -1 : clusterOf[topicOf[keyword]!]!);
  const variants = membersOf({ of, count: texts.length });
  /** The first keyword of a row that is in another cluster; −1 if there is none. */
  const elsewhere = (row: number, cluster: number): number => {
    for (let next = variants.offset[row]!; next < variants.offset[row + 1]!; next++) {
      const keyword = variants.node[next]!;
      if (at(keyword) >= 0 && at(keyword) !== cluster) return keyword;
    }
    return -1;
  };
  const found = new Int32Array(of.length * maxKeywords).fill(-1);
  const compared = new FewCompared(pageVectors, texts.length);
  of.forEach((row, keyword) => {
    if (topicOf[keyword] === excluded) return;
    const cluster = at(keyword);
    const first = keyword * maxKeywords;
    let next = 0;
    const take = (other: number): void => {
      if (other >= 0) found[first + next++] = other;
    };
    take(elsewhere(row, cluster));
    for (let place = row * page.count; next < maxKeywords && place < (row + 1) * page.count; place++)
      if (page.to[place]! >= 0 && page.similarity[place]! >= minSimilarity) take(elsewhere(page.to[place]!, cluster));
    if (next === maxKeywords) return;
    const known = new Set(found.subarray(first, first + next));
    const further = furtherRows(row, page, topic, (other) => {
      const there = elsewhere(other, cluster);
      return there >= 0 && !known.has(there);
    });
    if (further.length === 0) return;
    const nearest = new Nearest(1, maxKeywords);
    compared.beginOwn(row);
    compared.offer(nearest, 0, further);
    const { to, similarity } = nearest.found();
    for (let place = 0; next < maxKeywords && place < maxKeywords; place++)
      if (to[place]! >= 0 && similarity[place]! >= minSimilarity) take(elsewhere(to[place]!, cluster));
  });
  return found;
}

/** What is near a row as topics see it, or near its nearest neighbours. @param isWanted decides about a row */
function furtherRows(
  row: number,
  page: ListNeighbours['page'],
  topic: ListNeighbours['topic'],
  isWanted: (row: number) => boolean,
): Int32Array {
  const rows = new Set<number>();
  const add = ({ count, to }: ListNeighbours['page'], of: number): void => {
    for (let at = of * count; at < (of + 1) * count && rows.size < maxFurther; at++)
      if (to[at]! >= 0 && to[at] !== row && isWanted(to[at]!)) rows.add(to[at]!);
  };
  add(topic, row);
  for (let at = row * page.count; at < row * page.count + guides; at++) if (page.to[at]! >= 0) add(page, page.to[at]!);
  return Int32Array.from(rows);
}
