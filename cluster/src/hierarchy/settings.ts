/** How finely keywords are divided. */
export type Granularity = {
  /** Clusters of keywords that one page can answer: CPM resolution, and the lowest similarity of an edge. */
  readonly page: { readonly resolution: number; readonly leastSimilarity: number };
  /** Modularity resolution of topics. */
  readonly topicResolution: number;
};

/** From the coarsest to the finest. */
const stops: readonly Granularity[] = [
  { page: { resolution: 0.005, leastSimilarity: 0.2 }, topicResolution: 0.4 },
  { page: { resolution: 0.01, leastSimilarity: 0.2 }, topicResolution: 0.6 },
  { page: { resolution: 0.02, leastSimilarity: 0.2 }, topicResolution: 0.8 },
  { page: { resolution: 0.03, leastSimilarity: 0.2 }, topicResolution: 1 },
  { page: { resolution: 0.05, leastSimilarity: 0.3 }, topicResolution: 1.4 },
  { page: { resolution: 0.08, leastSimilarity: 0.4 }, topicResolution: 2 },
  { page: { resolution: 0.12, leastSimilarity: 0.5 }, topicResolution: 3 },
  { page: { resolution: 0.2, leastSimilarity: 0.6 }, topicResolution: 4 },
  { page: { resolution: 0.4, leastSimilarity: 0.7 }, topicResolution: 6 },
];

export type Preset = 'page' | 'balanced' | 'broad';

export type ClusterSettings = {
  readonly granularity: Granularity;
  /** Of meaning in the similarity of pages; wording has the rest. */
  readonly meaningWeight: number;
  /** Keywords; a smaller cluster is dissolved. */
  readonly smallestCluster: number;
  /** Share of the list; a larger cluster is divided again. */
  readonly largestShare: number;
  /** A keyword joins a cluster if the mean similarity to its nearest members is at least this. */
  readonly joinSimilarity: number;
  readonly seed: number;
};

const presets: Readonly<Record<Preset, Omit<ClusterSettings, 'granularity' | 'seed'> & { readonly stop: number }>> = {
  page: { stop: 8, meaningWeight: 0.5, smallestCluster: 2, largestShare: 0.05, joinSimilarity: 0.55 },
  balanced: { stop: 4, meaningWeight: 0.6, smallestCluster: 3, largestShare: 0.05, joinSimilarity: 0.45 },
  broad: { stop: 2, meaningWeight: 0.6, smallestCluster: 5, largestShare: 0.1, joinSimilarity: 0.35 },
};

/** @param stop from 1 (coarsest) to 9 (finest), in place of the preset's own */
export function settingsOf(preset: Preset, stop?: number): ClusterSettings {
  const { stop: own, ...rest } = presets[preset];
  return { ...rest, granularity: stops[(stop ?? own) - 1]!, seed: 1 };
}
