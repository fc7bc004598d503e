import { defaultThresholds, type WarningKind, type WarningThresholds } from '@kc/pack/vocabulary/warnings';

/** Listed last, not counted in the badge, and not marked on the map until somebody switches it on. */
export const quietKind: WarningKind = 'unknown';

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
