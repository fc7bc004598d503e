import type { Graph } from '../communities/graph.ts';
import type { Places } from './places.ts';
import type { AssignedTail } from './tail.ts';

/**
 * The places of all groups, from those of the head and what the tail is assigned to. A new page becomes a subtopic of the
 * cluster it is most like, or without subtopics a cluster beside it.
 *
 * @param head and tail: the groups of each, by their numbers in the list
 */
export function withTail(places: Places, head: Int32Array, tail: Int32Array, assigned: AssignedTail): Places {
  const groups = head.length + tail.length;
  const cluster = new Int32Array(groups).fill(-1);
  const subtopic = places.subtopic && new Int32Array(groups).fill(-1);
  const similarity = new Float32Array(groups).fill(Number.NaN);
  head.forEach((group, row) => {
    cluster[group] = places.cluster[row]!;
    if (subtopic) subtopic[group] = places.subtopic![row]!;
    similarity[group] = places.similarity[row]!;
  });
  const clusterOfLeaf = clustersOfLeaves(places);
  const added = assigned.likeness.length;
  tail.forEach((group, row) => {
    const leaf = assigned.of[row]!;
    similarity[group] = assigned.similarity[row]!;
    if (leaf === -1) return;
    const page = -2 - leaf;
    if (subtopic) {
      cluster[group] = clusterOfLeaf(leaf >= 0 ? leaf : assigned.likeness[page]!);
      subtopic[group] = leaf < 0 ? places.subtopics + page : leaf < places.subtopics ? leaf : -1;
    } else cluster[group] = leaf >= 0 ? leaf : places.clusters + page;
  });
  if (subtopic) return { ...places, cluster, subtopic, subtopics: places.subtopics + added, similarity };
  const { pillarOf } = places;
  return {
    ...places,
    cluster,
    clusters: places.clusters + added,
    pillarOf: pillarOf && Int32Array.from([...pillarOf, ...assigned.likeness.map((leaf) => pillarOf[leaf]!)]),
    similarity,
  };
}

/** Leaves are numbered as in `leavesOf`. */
function clustersOfLeaves({ cluster, subtopic, subtopics }: Places): (leaf: number) => number {
  const ofSubtopic = new Int32Array(subtopics);
  subtopic?.forEach((one, row) => {
    if (one >= 0) ofSubtopic[one] = cluster[row]!;
  });
  return (leaf) => (leaf < subtopics ? ofSubtopic[leaf]! : leaf - subtopics);
}

/** A graph of some rows as one of all; the others have no edges. */
export function spread(graph: Graph, rows: Int32Array, count: number): Graph {
  const offset = new Uint32Array(count + 1);
  rows.forEach((row, place) => {
    offset[row + 1] = graph.offset[place + 1]! - graph.offset[place]!;
  });
  for (let row = 0; row < count; row++) offset[row + 1]! += offset[row]!;
  return { offset, to: graph.to.map((place) => rows[place]!), weight: graph.weight };
}
