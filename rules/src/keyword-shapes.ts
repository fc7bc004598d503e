import * as z from 'zod/mini';

/**
 * Means are over known values; `known` is the number of keywords with a known value. Absent means unknown, never zero.
 * `weighted` is the mean weighted by volume; `byImpressions` means that `value` itself is weighted by impressions, and
 * for how many keywords.
 */
export const measure = z.object({
  value: z.optional(z.number()),
  weighted: z.optional(z.number()),
  byImpressions: z.optional(z.number()),
  known: z.number(),
});

/** The URLs of a keyword with several entries, with the position of each: `MergedEntries` of `pack/merged-entries`. */
export const mergedEntries = z.object({
  entries: z.number(),
  read: z.number(),
  urls: z.array(z.object({ url: z.string(), position: z.optional(z.number()), entries: z.number() })),
});
export type MergedEntries = z.infer<typeof mergedEntries>;

/** Number of keywords that no node names, and their volume. */
export const unplacedSummary = z.object({ keywords: z.number(), volume: measure });

/** Keywords that no node names, which are in no roll-up: a page of those that match, the largest volume first. */
export const unplacedPage = z.object({
  /** Number and volume of all of them. */
  all: unplacedSummary,
  /** Number of those whose name contains the requested text. */
  total: z.number(),
  keywords: z.array(z.object({ row: z.number(), name: z.string(), volume: z.optional(z.number()) })),
});
export type UnplacedPage = z.infer<typeof unplacedPage>;

/** One of them: every member of its first entry as in the file, and the values merged from several entries. */
export const unplacedDetail = z.object({
  row: z.number(),
  name: z.string(),
  volume: z.optional(z.number()),
  original: z.optional(z.record(z.string(), z.unknown())),
  merged: z.optional(mergedEntries),
});
export type UnplacedDetail = z.infer<typeof unplacedDetail>;
