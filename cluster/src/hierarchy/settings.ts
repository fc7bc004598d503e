import type { Preset } from '@kc/pack/vocabulary/choices';

/** How finely keywords are divided. */
export type Granularity = {
  /** CPM resolution of clusters of keywords that one page can answer. */
  readonly pageResolution: number;
  /** Modularity resolution of topics. */
  readonly topicResolution: number;
};

/** From the coarsest to the finest. */
const stops: readonly Granularity[] = [
  { pageResolution: 0.003, topicResolution: 0.4 },
  { pageResolution: 0.006, topicResolution: 0.6 },
  { pageResolution: 0.01, topicResolution: 0.8 },
  { pageResolution: 0.015, topicResolution: 1 },
  { pageResolution: 0.03, topicResolution: 1.4 },
  { pageResolution: 0.06, topicResolution: 2 },
  { pageResolution: 0.1, topicResolution: 3 },
  { pageResolution: 0.2, topicResolution: 4 },
  { pageResolution: 0.4, topicResolution: 6 },
];

export const granularityStops = stops.length;

/** With fewer clusters than this there is no level above them. */
export const minWithPillars = 8;

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
  /** The weight of meaning in the similarity that decides pages, 0 to 1; wording has the rest. */
  readonly meaningWeight: number;
  /** In keywords. A smaller cluster is dissolved. */
  readonly smallestCluster: number;
  /** As a share of the list. A larger cluster is divided again. */
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

/** The values of a preset that a person may replace. */
type SettingChoices = Partial<Pick<ClusterSettings, 'stop' | 'shape' | 'pillars' | 'smallestCluster' | 'seed'>>;

/** @throws RangeError for a stop that does not exist */
export function settingsOf(preset: Preset, choices: SettingChoices = {}): ClusterSettings {
  const values = { ...presets[preset], seed: 1, ...choices };
  const granularity = stops[values.stop - 1];
  if (!granularity) throw new RangeError(`There is no stop ${values.stop} of granularity`);
  return { preset, ...values, granularity };
}

/** The same settings at another stop. @throws RangeError for one that does not exist */
export const atStop = <Settings extends ClusterSettings>(settings: Settings, stop: number): Settings => ({
  ...settings,
  stop,
  granularity: settingsOf(settings.preset, { stop }).granularity,
});
