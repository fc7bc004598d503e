import type { Levels } from '../hierarchy/topics.ts';

/** Where each group of keywords belongs. */
export type Places = {
  /** −1 for a stray. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  /** −1 for a group that is in a cluster and none of its subtopics; undefined if clusters have none. */
  readonly subtopic: Int32Array | undefined;
  readonly subtopics: number;
  /** The pillar topic of each cluster; undefined if there are too few clusters. */
  readonly pillarOf: Int32Array | undefined;
  readonly pillars: number;
  /** How close each group is to the centre of its subtopic, or else its cluster: a cosine. NaN for strays. */
  readonly similarity: Float32Array;
};

/** The smallest parts of a tree, in one numbering: subtopics, then clusters for what is in no subtopic. */
export type Leaves = { readonly of: Int32Array; readonly count: number };

export function leavesOf({ clusters, subtopics }: Pick<Levels, 'clusters' | 'subtopics'>): Leaves {
  if (!subtopics) return clusters;
  return {
    of: clusters.of.map((cluster, row) =>
      cluster < 0 ? -1 : subtopics.of[row]! < 0 ? subtopics.count + cluster : subtopics.of[row]!,
    ),
    count: subtopics.count + clusters.count,
  };
}
