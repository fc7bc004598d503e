import type { ChangeThresholds } from '@kc/pack/vocabulary/changes';

// Without zod, so that the first screen does not load it.

/**
 * From where on a difference is a change, as a text: the least change in volume in percent and in searches, in
 * difficulty and in position, joined by `_`.
 */
export const thresholdPattern = /^\d{1,6}(\.\d{1,3})?(_\d{1,9}(\.\d{1,3})?){3}$/;

/** The thresholds of a text; undefined if it is none. */
export function readThresholds(text: string): ChangeThresholds | undefined {
  if (!thresholdPattern.test(text)) return undefined;
  const [volumePercent, volume, difficulty, position] = text.split('_').map(Number);
  return { volumePercent: volumePercent!, volume: volume!, difficulty: difficulty!, position: position! };
}

export const writeThresholds = ({ volumePercent, volume, difficulty, position }: ChangeThresholds): string =>
  [volumePercent, volume, difficulty, position].join('_');
