import * as z from 'zod/mini';

/**
 * Means are over known values; `known` says over how many keywords. Absent means unknown, never zero. `weighted` is the mean
 * weighted by volume; `byImpressions` says that `value` itself is weighted by impressions, and of how many keywords.
 */
export const measure = z.object({
  value: z.optional(z.number()),
  weighted: z.optional(z.number()),
  byImpressions: z.optional(z.number()),
  known: z.number(),
});

/** Of a keyword with several entries, their addresses with the position of each: `MergedEntries` of `pack/merged-entries`. */
export const mergedEntries = z.object({
  entries: z.number(),
  read: z.number(),
  urls: z.array(z.object({ url: z.string(), position: z.optional(z.number()), entries: z.number() })),
});
export type MergedEntries = z.infer<typeof mergedEntries>;

/** How many keywords no node names, and their volume. */
export const unplacedSummary = z.object({ keywords: z.number(), volume: measure });

/** Keywords that no node names, which are in no roll-up: some of those that answer, the greatest volume first. */
export const unplacedPage = z.object({
  /** All that there are, and their volume. */
  all: unplacedSummary,
  /** Those whose name contains the text that was asked for. */
  total: z.number(),
  keywords: z.array(z.object({ row: z.number(), name: z.string(), volume: z.optional(z.number()) })),
});
export type UnplacedPage = z.infer<typeof unplacedPage>;

/** One of them: every member of its first entry as it stands in the file, and what several entries say. */
export const unplacedDetail = z.object({
  row: z.number(),
  name: z.string(),
  volume: z.optional(z.number()),
  original: z.optional(z.record(z.string(), z.unknown())),
  merged: z.optional(mergedEntries),
});
export type UnplacedDetail = z.infer<typeof unplacedDetail>;
