import * as z from 'zod/mini';
import { activityKinds, activityResults } from './activity.ts';
import { limits } from './limits.ts';
import { defaultDepths, refreshIntervals } from './settings.ts';
import { account, row, status } from './shapes.ts';
import { storableText } from './text-shapes.ts';

/** A preview of the clean-up of duplicate accounts. */
export const duplicateReport = z.object({
  /** Emails that have several accounts. */
  emails: z.number(),
  /** Accounts that would be marked as merged into another one. */
  merges: z.number(),
  /** The first emails in alphabetical order. */
  groups: z.array(
    z.object({
      email: z.string(),
      kept: account,
      merged: z.array(account),
      /** The current administrator's own account, if it is not the one that is kept. */
      untouched: z.array(account),
      /** The status of the kept account afterwards. */
      statusAfter: status,
    }),
  ),
});
export type DuplicateReport = z.infer<typeof duplicateReport>;

/** Shapes of the calls about what a user may store. */

/** A limit of one user; null: that of the settings. */
const ownLimit = (max: number) => z.nullable(z.number().check(z.int(), z.gte(0), z.lte(max)));

export const ownLimits = z.strictObject({
  /** Visualizations that the user may have to import another list. */
  visualizations: ownLimit(limits.maxOwnVisualizations),
  /** MB (2^20 bytes) that lists, drafts and their maps may take. */
  storageMb: ownLimit(limits.maxOwnStorageMb),
});
export type OwnLimits = z.infer<typeof ownLimits>;

const use = z.object({ used: z.number(), byDefault: z.number() });

/** What a user has, what the settings allow, and the limits that an administrator has set for this user. */
export const userQuota = z.object({
  visualizations: use,
  storageMb: use,
  own: ownLimits,
});
export type UserQuota = z.infer<typeof userQuota>;

/** Shapes of the calls about settings. */

export const settings = z.strictObject({
  defaultDepth: z.enum(defaultDepths),
  autoExpand: z.boolean(),
  openRegistration: z.boolean(),
  autoApprove: z.boolean(),
  darkMode: z.boolean(),
  dataRefreshInterval: z.enum(refreshIntervals),
  userImports: z.boolean(),
  maxUserVisualizations: z.number().check(z.int(), z.gte(1), z.lte(1000)),
  maxUserImportMb: z.number().check(z.int(), z.gte(1), z.lte(limits.maxUploadMb)),
  clientLinks: z.boolean(),
});
/** See `SavedSettings` of `rules/settings` for the meaning of each field. */
export const savedSettings = z.object({
  version: z.number(),
  settings,
  themeChosen: z.boolean(),
  policyEnforced: z.boolean(),
});
export const screenSettings = z.object({
  defaultDepth: z.enum(defaultDepths),
  autoExpand: z.boolean(),
  dataRefreshInterval: z.enum(refreshIntervals),
  userImports: z.boolean(),
  clientLinks: z.boolean(),
  theme: z.optional(z.enum(['light', 'dark'])),
});

const bytes = z.number().check(z.nonnegative());
/** Files that were deleted and are kept for a day. */
export const deletedFiles = z.object({ files: z.number(), bytes });
export type DeletedFiles = z.infer<typeof deletedFiles>;
export const storageSpace = z.object({ free: z.optional(bytes), kept: deletedFiles });

/** Input and output schemas of the calls about the audit log, with their types for both sides. */

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
