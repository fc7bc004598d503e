/** What can be wrong with a hierarchy, in the order of explanation. Same names as in the engine. */
export const warningKinds = [
  'mixed',
  'url-clusters',
  'cluster-urls',
  'results-apart',
  'results-alike',
  'oversized',
  'single',
  'repeated',
  'unplaced',
  'unknown',
] as const;
export type WarningKind = (typeof warningKinds)[number];

/** Listed last, not counted in the badge, and not marked on the map until somebody switches it on. */
export const quietKind: WarningKind = 'unknown';

/** When something is a warning. Shares are in percent; the engine says what each is compared with. */
export type WarningThresholds = {
  readonly mixedKeywords: number;
  readonly mixedShare: number;
  readonly position: number;
  readonly urlKeywords: number;
  readonly secondShare: number;
  readonly sharedUrls: number;
  readonly oversized: number;
  readonly unknownShare: number;
};

export const defaultThresholds: WarningThresholds = {
  mixedKeywords: 5,
  mixedShare: 60,
  position: 20,
  urlKeywords: 2,
  secondShare: 20,
  sharedUrls: 3,
  oversized: 500,
  unknownShare: 20,
};

/** The least and the greatest value of each. All are whole numbers. */
export const thresholdRanges: Readonly<Record<keyof WarningThresholds, readonly [least: number, most: number]>> = {
  mixedKeywords: [1, 1_000_000],
  mixedShare: [1, 100],
  position: [1, 1_000],
  urlKeywords: [2, 1_000_000],
  secondShare: [0, 100],
  sharedUrls: [1, 10],
  oversized: [1, 100_000_000],
  unknownShare: [0, 100],
};

export function areThresholds(values: WarningThresholds): boolean {
  return Object.entries(thresholdRanges).every(([name, [least, most]]) => {
    const value = values[name as keyof WarningThresholds];
    return Number.isInteger(value) && value >= least && value <= most;
  });
}

export const areDefaults = (values: WarningThresholds): boolean =>
  Object.entries(defaultThresholds).every(([name, value]) => values[name as keyof WarningThresholds] === value);
