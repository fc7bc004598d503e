/** How finely keywords are divided. */
export type Granularity = {
  /** Clusters of keywords that one page can answer: CPM resolution, and the lowest similarity of an edge. */
  readonly page: { readonly resolution: number; readonly leastSimilarity: number };
  /** Modularity resolution of topics. */
  readonly topicResolution: number;
};

/** From the coarsest to the finest. */
const stops: readonly Granularity[] = [
  { page: { resolution: 0.003, leastSimilarity: 0.2 }, topicResolution: 0.4 },
  { page: { resolution: 0.006, leastSimilarity: 0.2 }, topicResolution: 0.6 },
  { page: { resolution: 0.01, leastSimilarity: 0.2 }, topicResolution: 0.8 },
  { page: { resolution: 0.015, leastSimilarity: 0.2 }, topicResolution: 1 },
  { page: { resolution: 0.03, leastSimilarity: 0.3 }, topicResolution: 1.4 },
  { page: { resolution: 0.06, leastSimilarity: 0.4 }, topicResolution: 2 },
  { page: { resolution: 0.1, leastSimilarity: 0.5 }, topicResolution: 3 },
  { page: { resolution: 0.2, leastSimilarity: 0.6 }, topicResolution: 4 },
  { page: { resolution: 0.4, leastSimilarity: 0.7 }, topicResolution: 6 },
];

export const granularityStops = stops.length;

/** With fewer clusters than this there is no level above them. */
export const fewestWithPillars = 8;

export const presetNames = ['page', 'balanced', 'broad'] as const;
export type Preset = (typeof presetNames)[number];
export const isPreset = (value: unknown): value is Preset => presetNames.some((name) => name === value);

/**
 * What a cluster is. `pages`: keywords that one page can answer. `topics`: keywords about one topic. `nested`: topics,
 * divided into pages as subtopics. `automatic`: pages, or nested if these are too many to be looked through.
 */
export type Shape = 'pages' | 'topics' | 'nested' | 'automatic';

export type ClusterSettings = {
  readonly preset: Preset;
  /** From 1, the coarsest, to `granularityStops`. */
  readonly stop: number;
  readonly granularity: Granularity;
  readonly shape: Shape;
  /** How many pillar topics there should be; by default it depends on the number of clusters. */
  readonly pillars?: number;
  /** Whether clusters lie below pillar topics; by default if there are enough of them. */
  readonly hasPillars?: boolean;
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

type PresetValues = Omit<ClusterSettings, 'preset' | 'granularity' | 'pillars' | 'hasPillars' | 'seed'>;

const presets: Readonly<Record<Preset, PresetValues>> = {
  page: {
    stop: 8,
    shape: 'pages',
    meaningWeight: 0.5,
    smallestCluster: 2,
    largestShare: 0.05,
    joinSimilarity: 0.55,
  },
  balanced: {
    stop: 4,
    shape: 'automatic',
    meaningWeight: 0.6,
    smallestCluster: 3,
    largestShare: 0.05,
    joinSimilarity: 0.45,
  },
  broad: {
    stop: 2,
    shape: 'topics',
    meaningWeight: 0.6,
    smallestCluster: 5,
    largestShare: 0.1,
    joinSimilarity: 0.35,
  },
};

/** What a person may choose in place of a preset's values. */
export type SettingChoices = Partial<Pick<ClusterSettings, 'stop' | 'shape' | 'pillars' | 'smallestCluster' | 'seed'>>;

/** @throws RangeError for a stop that does not exist */
export function settingsOf(preset: Preset, choices: SettingChoices = {}): ClusterSettings {
  const values = { ...presets[preset], seed: 1, ...choices };
  const granularity = stops[values.stop - 1];
  if (!granularity) throw new RangeError(`There is no stop ${values.stop} of granularity`);
  return { preset, ...values, granularity };
}
