import { mostSimilar } from '../../../pack/src/upload/similar-nodes.ts';
import { packed, rowsAt, type Vectors } from '../features/vectors.ts';
import { CentreSums } from '../hierarchy/linkage.ts';
import { FewCompared, Nearest } from '../neighbours/nearest.ts';
import type { Groups } from '../pipeline/keyword-list.ts';
import type { ListNeighbours } from '../pipeline/list-neighbours.ts';
import type { PreparedList } from '../pipeline/prepared-list.ts';
import type { SimilarRows } from '../write/upload-json.ts';
import { type DraftState, excluded } from './draft-state.ts';

/** Similar keywords of a keyword. */
const mostKeywords = 3;
/** What resembles less has nothing in common but what any two keywords of a list have. */
const leastSimilarity = 0.2;
/** Clusters that the keywords of a cluster lead to, and with which its centre is compared. */
const mostLeads = 16;
/** If its keywords lead to too few, it is compared with all, unless that were more comparisons: then with so many siblings. */
const mostCompared = 2 ** 20;
const mostSiblings = 64;
/** Keywords with which a keyword is compared if too few of its neighbours are elsewhere, and through whom they are found. */
const mostFurther = 16;
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
export function similarNodes({ groups, neighbours }: PreparedList, state: DraftState): SimilarRows {
  const topics = new Int32Array(state.topics.length * mostSimilar).fill(-1);
  const clusterOf = clustersOf(state);
  for (const unitOf of [clusterOf, subtopicsOf(state)]) {
    if (unitOf.every((unit) => unit < 0)) continue;
    const found = similarTopics(groups, neighbours, state, unitOf);
    found.to.forEach((to, at) => {
      if (to >= 0 && found.similarity[at]! >= leastSimilarity) topics[at] = to;
    });
  }
  return {
    topics: { count: mostSimilar, to: topics },
    keywords: { count: mostKeywords, to: similarKeywords(groups, neighbours, state, clusterOf) },
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

/** Which unit each row is in, and further pairs of row and unit of variants that a person put into different ones. */
type Members = {
  readonly unitOf: Int32Array;
  readonly further: readonly (readonly [row: number, unit: number])[];
};

function membersOf({ of, texts }: Groups, { topicOf }: DraftState, unitOf: Int32Array): Members {
  const own = new Int32Array(texts.length).fill(-1);
  const further = new Map<string, readonly [number, number]>();
  of.forEach((row, keyword) => {
    const topic = topicOf[keyword]!;
    const unit = topic === excluded ? -1 : unitOf[topic]!;
    if (unit < 0) return;
    if (own[row]! < 0) own[row] = unit;
    else if (own[row] !== unit) further.set(`${row} ${unit}`, [row, unit]);
  });
  return { unitOf: own, further: [...further.values()] };
}

/** Topics × {@link mostSimilar}. @param unitOf by topic the one that its keywords count for; −1 for none */
function similarTopics(
  groups: Groups,
  { page, topic, topicVectors }: ListNeighbours,
  state: DraftState,
  unitOf: Int32Array,
) {
  const { topics } = state;
  const members = membersOf(groups, state, unitOf);
  const centres = centresOf(topicVectors, members, topics.length);
  const compared = new FewCompared(packed(centres), topics.length);
  const nearest = new Nearest(topics.length, mostSimilar);
  const isTarget = topics.map(({ isRest }) => !isRest);
  const offer = (one: number, other: number, value: number): void => {
    if (isTarget[other] && !nearest.has(one, other)) nearest.offer(one, other, value);
  };
  // A cosine is the same from both sides, and a small cluster may lead to nothing that leads to it.
  const both = {
    offer(one: number, other: number, value: number) {
      offer(one, other, value);
      offer(other, one, value);
    },
  };
  const leads = new Leads(members, topics.length);
  for (const [unit, rows] of rowsByUnit(members, topics.length)) {
    compared.beginOwn(unit);
    compared.offer(both, unit, leads.from(unit, rows, [topic, page]));
  }
  const units = Int32Array.from(new Set(members.unitOf.filter((unit) => unit >= 0))).sort();
  const lacking = units.filter((unit) => nearest.least(unit) === Number.NEGATIVE_INFINITY);
  const siblings = lacking.length * units.length > mostCompared ? siblingsAmong(state, units) : undefined;
  for (const unit of lacking) {
    compared.beginOwn(unit);
    compared.offer({ offer }, unit, siblings?.get(topics[unit]!.parent)?.subarray(0, mostSiblings) ?? units);
  }
  return nearest.found();
}

function centresOf(vectors: Vectors<Int8Array>, { unitOf, further }: Members, units: number): Vectors {
  const sums = new CentreSums(vectors.dimensions, units);
  sums.add(vectors, unitOf);
  const rows = further.map(([row]) => row);
  const values = new Int8Array(rows.length * vectors.dimensions);
  sums.add(
    rowsAt(vectors, rows, values),
    Int32Array.from(further, ([, unit]) => unit),
  );
  return sums.centres();
}

/** The rows of each unit that has some, in rising order of units. */
function* rowsByUnit({ unitOf, further }: Members, units: number): Generator<readonly [number, Int32Array]> {
  const start = new Uint32Array(units + 1);
  const each = (visit: (row: number, unit: number) => void) => {
    unitOf.forEach((unit, row) => {
      if (unit >= 0) visit(row, unit);
    });
    for (const [row, unit] of further) visit(row, unit);
  };
  each((_, unit) => {
    start[unit + 1]!++;
  });
  for (let unit = 0; unit < units; unit++) start[unit + 1]! += start[unit]!;
  const next = start.slice();
  const rows = new Int32Array(start[units]!);
  each((row, unit) => {
    rows[next[unit]!++] = row;
  });
  for (let unit = 0; unit < units; unit++)
    if (start[unit + 1]! > start[unit]!) yield [unit, rows.subarray(start[unit], start[unit + 1])];
}

/** Finds the units that the neighbours of rows are in. */
class Leads {
  readonly #unitOf: Int32Array;
  /** Rows of each unit. */
  readonly #size: Float64Array;
  /** The similarity to each unit so far; 0 between two calls. */
  readonly #sum: Float64Array;

  constructor({ unitOf }: Members, units: number) {
    this.#unitOf = unitOf;
    this.#size = new Float64Array(units);
    this.#sum = new Float64Array(units);
    for (const unit of unitOf) if (unit >= 0) this.#size[unit]!++;
  }

  /** The units that some rows resemble most, for their size. @param own unit of the rows */
  from(own: number, rows: Int32Array, graphs: readonly ListNeighbours['page'][]): Int32Array {
    const found: number[] = [];
    for (const { count, to, similarity } of graphs) {
      for (const row of rows) {
        for (let at = row * count; at < (row + 1) * count; at++) {
          const unit = to[at]! < 0 ? -1 : this.#unitOf[to[at]!]!;
          if (unit < 0 || unit === own || !(similarity[at]! > 0)) continue;
          if (this.#sum[unit] === 0) found.push(unit);
          this.#sum[unit]! += similarity[at]!;
        }
      }
    }
    // A large unit has more rows to be near to.
    const weight = new Map(found.map((unit) => [unit, this.#sum[unit]! / Math.sqrt(this.#size[unit]!)]));
    for (const unit of found) this.#sum[unit] = 0;
    const best = found.length <= mostLeads ? found : found.sort((a, b) => weight.get(b)! - weight.get(a)! || a - b);
    return Int32Array.from(best.slice(0, mostLeads));
  }
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

/** Keywords × {@link mostKeywords}. */
function similarKeywords(
  { of, texts }: Groups,
  { page, topic, pageVectors }: ListNeighbours,
  { topicOf }: DraftState,
  clusterOf: Int32Array,
): Int32Array {
  const at = (keyword: number): number => (topicOf[keyword] === excluded ? -1 : clusterOf[topicOf[keyword]!]!);
  const variants = variantsOf(of, texts.length);
  /** The first keyword of a row that is in another cluster; −1 if there is none. */
  const elsewhere = (row: number, cluster: number): number => {
    for (const keyword of variants(row)) if (at(keyword) >= 0 && at(keyword) !== cluster) return keyword;
    return -1;
  };
  const found = new Int32Array(of.length * mostKeywords).fill(-1);
  const compared = new FewCompared(pageVectors, texts.length);
  of.forEach((row, keyword) => {
    if (topicOf[keyword] === excluded) return;
    const cluster = at(keyword);
    const first = keyword * mostKeywords;
    let next = 0;
    const take = (other: number): void => {
      if (other >= 0) found[first + next++] = other;
    };
    take(elsewhere(row, cluster));
    for (let place = row * page.count; next < mostKeywords && place < (row + 1) * page.count; place++)
      if (page.to[place]! >= 0 && page.similarity[place]! >= leastSimilarity) take(elsewhere(page.to[place]!, cluster));
    if (next === mostKeywords) return;
    const known = new Set(found.subarray(first, first + next));
    const further = furtherRows(row, page, topic, (other) => {
      const there = elsewhere(other, cluster);
      return there >= 0 && !known.has(there);
    });
    if (further.length === 0) return;
    const nearest = new Nearest(1, mostKeywords);
    compared.beginOwn(row);
    compared.offer(nearest, 0, further);
    const { to, similarity } = nearest.found();
    for (let place = 0; next < mostKeywords && place < mostKeywords; place++)
      if (to[place]! >= 0 && similarity[place]! >= leastSimilarity) take(elsewhere(to[place]!, cluster));
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
    for (let at = of * count; at < (of + 1) * count && rows.size < mostFurther; at++)
      if (to[at]! >= 0 && to[at] !== row && isWanted(to[at]!)) rows.add(to[at]!);
  };
  add(topic, row);
  for (let at = row * page.count; at < row * page.count + guides; at++) if (page.to[at]! >= 0) add(page, page.to[at]!);
  return Int32Array.from(rows);
}

/** The keywords of each row, in the order of the list. */
function variantsOf(of: Int32Array, rows: number): (row: number) => Int32Array {
  const start = new Uint32Array(rows + 1);
  for (const row of of) start[row + 1]!++;
  for (let row = 0; row < rows; row++) start[row + 1]! += start[row]!;
  const next = start.slice();
  const keywords = new Int32Array(of.length);
  of.forEach((row, keyword) => {
    keywords[next[row]!++] = keyword;
  });
  return (row) => keywords.subarray(start[row], start[row + 1]);
}
