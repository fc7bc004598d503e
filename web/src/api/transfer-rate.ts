import { limits } from '@kc/rules/limits';

/** The number of bytes sent by a point in time, in ms of one clock. */
export type Sample = { readonly atMs: number; readonly bytes: number };

const smoothedOverMs = 5_000;
const silentForMs = 3_000;

/** Adds a sample and drops those too old for smoothing. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples.filter((one) => sample.atMs - one.atMs <= smoothedOverMs), sample];
}

/** Whether the transfer has stalled, so that its rate is outdated. */
export function isStalled(samples: readonly Sample[], nowMs: number): boolean {
  const last = samples.at(-1);
  return last !== undefined && nowMs - last.atMs >= silentForMs;
}

/** Bytes per second over the last five seconds; `undefined` before there is enough data and while stalled. */
export function rateOf(samples: readonly Sample[], nowMs: number): number | undefined {
  const recent = samples.filter((one) => nowMs - one.atMs <= smoothedOverMs);
  const first = recent[0];
  const last = recent.at(-1);
  if (!first || !last || first === last || nowMs <= first.atMs || isStalled(samples, nowMs)) return undefined;
  return ((last.bytes - first.bytes) / (nowMs - first.atMs)) * 1000;
}

/** Milliseconds left; `undefined` in the first three seconds and while stalled. */
export function leftMs(
  samples: readonly Sample[],
  totalBytes: number,
  { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number },
): number | undefined {
  const rate = rateOf(samples, nowMs);
  const last = samples.at(-1);
  if (!rate || !last || nowMs - sinceMs < silentForMs) return undefined;
  return ((totalBytes - last.bytes) / rate) * 1000;
}

const quickMs = 1_000;
const slowMs = 4_000;

/**
 * The size of the next chunk: doubled after a fast one, halved after a slow one, from 1 to 16 MiB.
 *
 * @param max the largest that a proxy lets through
 */
export function nextChunkBytes(bytes: number, tookMs: number, max: number = limits.maxChunkBytes): number {
  const next = tookMs < quickMs ? bytes * 2 : tookMs > slowMs ? bytes / 2 : bytes;
  return Math.min(max, Math.max(limits.minChunkBytes, next));
}

/** A chunk that a proxy may let through, after it refused one; undefined if that was as small as they get. */
export function afterTooLarge(bytes: number): number | undefined {
  if (bytes <= limits.smallestChunkBytes) return undefined;
  return Math.max(limits.smallestChunkBytes, Math.floor(bytes / 4));
}
