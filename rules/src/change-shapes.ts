import { changeLevels, changeNames } from '@kc/pack/vocabulary/changes';
import * as z from 'zod/mini';
import { thresholdPattern } from './changes.ts';

export const changeName = z.enum(changeNames);
export const changeLevel = z.enum(changeLevels);

/** See {@link thresholdPattern}. Absent: `defaultThresholds`. */
export const thresholdText = z.string().check(z.regex(thresholdPattern));

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
