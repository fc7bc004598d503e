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
  /** Without the dismissed ones, which `dismissed` counts. */
  count,
  dismissed: count,
  /** Why the file cannot answer. */
  missing: z.optional(z.enum(warningGaps)),
});

/** All kinds, those that affect most volume first; then mostly unknown clusters, then what the file cannot answer. */
export const warningSummary = z.object({
  kinds: z.array(kindSummary),
  /** The kept thresholds of the data. */
  thresholds: warningThresholds,
});
export type WarningSummary = z.infer<typeof warningSummary>;

const place = z.object({
  node: count,
  address: nodeId,
  /** The names from below the root to the node; empty for the root. */
  path: z.array(z.string()),
  /** Of the keywords that the warning is about, those that are here; absent where it says nothing. */
  keywords: z.optional(count),
});
export type WarningPlace = z.infer<typeof place>;

export const warningLine = z.object({
  kind: warningKind,
  ...place.shape,
  /** The distinct keywords that it affects, and their volume; absent if none is known. */
  keywords: count,
  volume: z.optional(z.number()),
  /** The URL or the keyword that the warning is about; absent where it is about its node. */
  subject: z.optional(z.string()),
  /** The numbers of the kind, by name; shares from 0 to 1. Unknown ones are absent. */
  figures: z.record(z.string(), z.number()),
  /** The leading URLs, at most two. */
  urls: z.optional(z.array(z.string())),
  /** All places if there are several: the first ones, and the number of the others. */
  places: z.optional(z.array(place)),
  morePlaces: z.optional(count),
  /** The keywords that show it in groups that are answered alike: the first ones and their number, and the leading URLs. */
  groups: z.optional(z.array(z.object({ keywords: z.array(z.string()), count, urls: z.array(z.string()) }))),
  moreGroups: z.optional(count),
});
export type WarningLine = z.infer<typeof warningLine>;

export const warningPage = z.object({ total: count, lines: z.array(warningLine) });
export type WarningPage = z.infer<typeof warningPage>;

/**
 * The nodes with a warning and the nodes above them, by row: how many each has itself, of which kinds (bit `n` stands
 * for kind `n`), and how many the whole branch has. `isCut`: there are more, further down.
 */
export const warningMarks = z.object({
  rows: z.array(count),
  kinds: z.array(count),
  own: z.array(count),
  within: z.array(count),
  isCut: z.boolean(),
});
export type WarningMarks = z.infer<typeof warningMarks>;

/** A warning that somebody called no problem. `by` is their name; absent if the account is gone. */
export const dismissedWarning = z.object({
  id: z.string(),
  kind: warningKind,
  path: z.array(z.string()),
  subject: z.optional(z.string()),
  by: z.optional(z.string()),
  at: z.number(),
});
export type DismissedWarning = z.infer<typeof dismissedWarning>;
