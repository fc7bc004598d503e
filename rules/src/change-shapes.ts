import * as z from 'zod/mini';

/** The kinds of changes of a node: `changeNames` of `pack/changes`. A node can have several. */
export const changeName = z.enum([
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
]);
export type ChangeName = z.infer<typeof changeName>;
export const changeNames = changeName.options;

export const changeLevel = z.enum(['clusters', 'keywords']);
export type ChangeLevel = z.infer<typeof changeLevel>;

/**
 * From where on a difference is a change: the least change in volume in percent and in searches, in difficulty and in
 * position, joined by `_`. Absent: {@link usualThresholds}.
 */
export const thresholdText = z.string().check(z.regex(/^\d{1,6}(\.\d{1,3})?(_\d{1,9}(\.\d{1,3})?){3}$/));

export type ChangeThresholds = {
  readonly volumePercent: number;
  readonly volume: number;
  readonly difficulty: number;
  readonly position: number;
};
export const usualThresholds: ChangeThresholds = { volumePercent: 20, volume: 10, difficulty: 5, position: 3 };

/** The thresholds of a text; undefined if it is none. */
export function readThresholds(text: string): ChangeThresholds | undefined {
  if (!thresholdText.safeParse(text).success) return undefined;
  const [volumePercent, volume, difficulty, position] = text.split('_').map(Number);
  return { volumePercent: volumePercent!, volume: volume!, difficulty: difficulty!, position: position! };
}

export const writeThresholds = ({ volumePercent, volume, difficulty, position }: ChangeThresholds): string =>
  [volumePercent, volume, difficulty, position].join('_');

/** The figures of a node in one of the uploads; an unknown one is absent. */
const changedFigures = z.object({
  keywords: z.number(),
  volume: z.optional(z.number()),
  difficulty: z.optional(z.number()),
  position: z.optional(z.number()),
});
export type ChangedFigures = z.infer<typeof changedFigures>;

/** A node of a list of changes: `ChangedNode` of `pack/describe-changes`. */
export const changedNode = z.object({
  changes: z.array(changeName),
  name: z.string(),
  /** The names from below the root to its parent: in the earlier upload for a gone node. */
  path: z.array(z.string()),
  /** Absent for a gone node. */
  node: z.optional(z.number()),
  /** 16 hex digits: of the earlier upload for a gone node. */
  address: z.string(),
  /** Of a moved or renamed node: the names from below the root to itself in the earlier upload. */
  from: z.optional(z.array(z.string())),
  before: z.optional(changedFigures),
  after: z.optional(changedFigures),
});
export type ChangedNode = z.infer<typeof changedNode>;

/** What changed from an earlier upload to a later one, and a page of the nodes, largest change in volume first. */
export const changesPage = z.object({
  /** Whether nothing differs at all. */
  isSame: z.boolean(),
  /** The number of nodes of the level with each kind of change. */
  counts: z.record(changeName, z.number()),
  /** The number of listed nodes on all pages. */
  total: z.number(),
  nodes: z.array(changedNode),
});
export type ChangesPage = z.infer<typeof changesPage>;
