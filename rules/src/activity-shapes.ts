/** Input and output schemas of the calls about the audit log, with their types for both sides. */
import * as z from 'zod/mini';
import { activityKinds, activityResults } from './activity.ts';
import { limits } from './limits.ts';
import { row } from './shapes.ts';
import { storableText } from './storable-text.ts';

/** A filter for the audit log; empty: all of it. `text` is searched in emails, IDs and details. */
export const activityFilter = {
  kind: z.optional(z.enum(activityKinds)),
  text: z.optional(storableText({ max: limits.maxFilterLength })),
};
/** The query of the raw route that returns the filtered activity as CSV. */
export const activityExport = z.object(activityFilter);
/** The same as JSON lines, after the line with an ID. */
export const activityLines = z.object({ ...activityFilter, after: z.optional(row) });
export type ActivityFilter = z.infer<typeof activityExport>;

/** One event of the audit log. */
export const activityLine = z.object({
  id: z.number(),
  /** Milliseconds since 1970, UTC. */
  at: z.number(),
  /** Who did it, and the account it was done to: emails if known, otherwise the IDs in the log, `system` or `anyone`. */
  actor: z.string(),
  target: z.string(),
  actorId: z.string(),
  targetId: z.string(),
  /** Whether the account was deleted. Its email is known until an administrator removes it from the log. */
  actorDeleted: z.boolean(),
  targetDeleted: z.boolean(),
  kind: z.enum(activityKinds),
  result: z.enum(activityResults),
  /** By name; which details there are depends on the kind. */
  details: z.record(z.string(), z.unknown()),
});
export type ActivityLine = z.infer<typeof activityLine>;
