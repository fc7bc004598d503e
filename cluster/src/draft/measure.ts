import type { Graph } from '../communities/graph.ts';
import { rowsAt } from '../features/vectors.ts';
import { centralityOf } from '../hierarchy/linkage.ts';
import { similarityGraph } from '../neighbours/neighbours.ts';
import type { PreparedList } from '../pipeline/prepared-list.ts';
import type { DraftContext } from './context.ts';
import { type DraftState, excluded } from './draft-state.ts';

/** Graphs that were built before, which takes a while. They depend on nothing but the prepared list. */
const graphs = new WeakMap<PreparedList, Graph>();

/** The graph whose communities are the clusters of a list. */
function graphFor(prepared: PreparedList): Graph {
  const graph = prepared.shared?.graph ?? graphs.get(prepared) ?? similarityGraph(prepared.neighbours.page);
  graphs.set(prepared, graph);
  return graph;
}

/**
 * Computes the confidence of some topics, and of all topics above them, and the similarities of their keywords anew.
 *
 * @param ids of topics; those that do not exist are ignored
 */
export function measured(context: DraftContext, state: DraftState, ids: ReadonlySet<string>): DraftState {
  const { prepared } = context;
  const changed = withAbove(state, ids);
  const similarity = state.similarity.slice();
  state.topicOf.forEach((topic, keyword) => {
    if (topic === excluded || isStrayIn(state, topic, ids)) similarity[keyword] = Number.NaN;
  });
  if (!prepared || changed.length === 0) return { ...state, similarity };
  const graph = graphFor(prepared);
  const topics = [...state.topics];
  const keywords = keywordsIn(state, changed);
  const isUpper = new Set(state.topics.flatMap(({ kind, parent }) => (kind === 'cluster' ? [parent] : [])));
  for (const topic of changed) {
    const inside = keywords.get(topic)!;
    const confidence = isUpper.has(topic) ? Number.NaN : confidenceAmong(graph, rowsOf(prepared, inside));
    topics[topic] = { ...topics[topic]!, confidence: Math.round(100 * confidence) };
    const own = inside.filter((keyword) => state.topicOf[keyword] === topic);
    setSimilarity(prepared, own, similarity);
  }
  return { ...state, topics, similarity };
}

const isStrayIn = ({ topics }: DraftState, topic: number, ids: ReadonlySet<string>): boolean =>
  topics[topic]!.kind === 'stray' && ids.has(topics[topic]!.id);

/** The numbers of some topics and of all above them, except strays. */
function withAbove({ topics }: DraftState, ids: ReadonlySet<string>): number[] {
  const isWanted = new Uint8Array(topics.length);
  topics.forEach(({ id }, topic) => {
    if (!ids.has(id)) return;
    for (let at = topic; at >= 0; at = topics[at]!.parent) isWanted[at] = 1;
  });
  return [...topics.keys()].filter((topic) => isWanted[topic] === 1 && topics[topic]!.kind !== 'stray');
}

/** Computes the confidence and similarities of all topics anew. */
export const measureAgain = (context: DraftContext, state: DraftState): DraftState =>
  measured(context, state, new Set(state.topics.map(({ id }) => id)));

/** By topic, the keywords in it and below it, ascending. */
function keywordsIn({ topics, topicOf }: DraftState, wanted: readonly number[]): ReadonlyMap<number, number[]> {
  const found = new Map(wanted.map((topic) => [topic, [] as number[]]));
  topicOf.forEach((lowest, keyword) => {
    for (let at = lowest; at >= 0; at = topics[at]!.parent) found.get(at)?.push(keyword);
  });
  return found;
}

/** The rows of keywords. Spelling variants share one row, as when a list is divided. */
const rowsOf = ({ groups }: PreparedList, keywords: readonly number[]): ReadonlySet<number> =>
  new Set(keywords.map((keyword) => groups.of[keyword]!));

/** The share of edge weight at some rows that stays among them; NaN without edges. */
function confidenceAmong({ offset, to, weight }: Graph, rows: ReadonlySet<number>): number {
  let inner = 0;
  let all = 0;
  for (const row of rows) {
    for (let at = offset[row]!; at < offset[row + 1]!; at++) {
      all += weight[at]!;
      if (rows.has(to[at]!)) inner += weight[at]!;
    }
  }
  return inner / all;
}

/** Sets the similarity of some keywords: their cosines with the centre of all of them. */
function setSimilarity(prepared: PreparedList, keywords: readonly number[], similarity: Float32Array): void {
  const { pageVectors } = prepared.neighbours;
  const rows = [...rowsOf(prepared, keywords)];
  const vectors = rowsAt(pageVectors, rows, new Int8Array(rows.length * pageVectors.dimensions));
  const found = centralityOf(vectors, new Int32Array(rows.length), 1);
  const ofRow = new Map(rows.map((row, index) => [row, found[index]!]));
  for (const keyword of keywords) similarity[keyword] = ofRow.get(prepared.groups.of[keyword]!)!;
}
