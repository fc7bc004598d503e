/** The kinds of changes of a node between two uploads, by their bit. A node can have several. */
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

/** The minimum difference of two known figures that counts as a change. */
export type ChangeThresholds = {
  /** In percent of the earlier volume, and in searches per month; both must be reached. */
  readonly volumePercent: number;
  readonly volume: number;
  /** In points. */
  readonly difficulty: number;
  readonly position: number;
};
export const defaultThresholds: ChangeThresholds = { volumePercent: 20, volume: 10, difficulty: 5, position: 3 };
