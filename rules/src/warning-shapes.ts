import { warningGaps, warningKinds } from '@kc/pack/vocabulary/warnings';
import * as z from 'zod/mini';

export const warningKind = z.enum(warningKinds);
/** A node ID: 16 hex digits. */
export const nodeId = z.string().check(z.regex(/^[0-9a-f]{16}$/));
const count = z.number();

export const warningThresholds = z.strictObject({
  mixedKeywords: count,
  mixedShare: count,
  position: count,
  urlKeywords: count,
  secondShare: count,
  sharedUrls: count,
  oversized: count,
  unknownShare: count,
});

const kindSummary = z.object({
  kind: warningKind,
  /** Warnings that are not dismissed. */
  count,
  dismissed: count,
  /** Present if the file lacks what this kind needs: what that is. */
  missing: z.optional(z.enum(warningGaps)),
});

/** All kinds, those that affect most volume first; then mostly unknown clusters, then the kinds that the file has no data for. */
export const warningSummary = z.object({
  kinds: z.array(kindSummary),
  /** The thresholds that are stored for the data. */
  thresholds: warningThresholds,
});
export type WarningSummary = z.infer<typeof warningSummary>;

const place = z.object({
  node: count,
  address: nodeId,
  /** The names from below the root to the node; empty for the root. */
  path: z.array(z.string()),
  /** How many of the warning's keywords are in this place; absent for kinds that do not count them. */
  keywords: z.optional(count),
});
export type WarningPlace = z.infer<typeof place>;

export const warningLine = z.object({
  kind: warningKind,
  ...place.shape,
  /** How many distinct keywords it affects, and their total volume, which is absent if none is known. */
  keywords: count,
  volume: z.optional(z.number()),
  /** The URL or the keyword that the warning is about; absent where it is about its node. */
  subject: z.optional(z.string()),
  /** The figures that this kind states, by name; shares are 0 to 1. Unknown ones are absent. */
  figures: z.record(z.string(), z.number()),
  /** The leading URLs, at most two. */
  urls: z.optional(z.array(z.string())),
  /** Present if the warning is about several places: the first ones, and how many more there are. */
  places: z.optional(z.array(place)),
  morePlaces: z.optional(count),
  /**
   * The keywords that are the evidence, grouped so that all of a group have similar search results. Each group has its first keywords, the
   * number of all of them, and its leading URLs; `moreGroups` counts the groups that are left out.
   */
  groups: z.optional(z.array(z.object({ keywords: z.array(z.string()), count, urls: z.array(z.string()) }))),
  moreGroups: z.optional(count),
});
export type WarningLine = z.infer<typeof warningLine>;

export const warningPage = z.object({ total: count, lines: z.array(warningLine) });
export type WarningPage = z.infer<typeof warningPage>;

/**
 * Parallel lists about the nodes with a warning and the nodes above them. For each row: the kinds of its own warnings (bit `n` stands for
 * kind `n`), how many it has itself, and how many its whole branch has. `isCut`: rows further down are left out.
 */
export const warningMarks = z.object({
  rows: z.array(count),
  kinds: z.array(count),
  own: z.array(count),
  within: z.array(count),
  isCut: z.boolean(),
});
export type WarningMarks = z.infer<typeof warningMarks>;

/** A warning that somebody dismissed. `by` is their name; absent if the account was deleted. */
export const dismissedWarning = z.object({
  id: z.string(),
  kind: warningKind,
  path: z.array(z.string()),
  subject: z.optional(z.string()),
  by: z.optional(z.string()),
  at: z.number(),
});
export type DismissedWarning = z.infer<typeof dismissedWarning>;
