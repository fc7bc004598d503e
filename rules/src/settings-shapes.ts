/** Shapes of the calls about settings. */
import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { defaultDepths, refreshIntervals } from './settings.ts';

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
export const keptFiles = z.object({ files: z.number(), bytes });
export type KeptFiles = z.infer<typeof keptFiles>;
export const storageSpace = z.object({ free: z.optional(bytes), kept: keptFiles });
