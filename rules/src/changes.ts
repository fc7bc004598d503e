// Without zod, so that the first screen does not load it.

/** The kinds of changes of a node: `changeNames` of `pack/changes`. A node can have several. */
export const changeNames = [
  'new',
  'gone',
  'moved',
  'renamed',
  'volume-up',
  'volume-down',
  'easier',
  'harder',
  'rank-up',
  'rank-down',
  'now-known',
  'no-longer-known',
] as const;
export type ChangeName = (typeof changeNames)[number];

export const changeLevels = ['clusters', 'keywords'] as const;
export type ChangeLevel = (typeof changeLevels)[number];

export type ChangeThresholds = {
  readonly volumePercent: number;
  readonly volume: number;
  readonly difficulty: number;
  readonly position: number;
};
export const defaultThresholds: ChangeThresholds = { volumePercent: 20, volume: 10, difficulty: 5, position: 3 };

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
