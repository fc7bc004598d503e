import { expect, test } from 'vitest';
import { afterTooLarge, isStalled, leftMs, nextChunkBytes, rateOf, withSample } from './transfer-rate.ts';

const MiB = 1024 * 1024;

test('the rate is the average of the last five seconds', () => {
  let samples = withSample([], { atMs: 0, bytes: 0 });
  samples = withSample(samples, { atMs: 2_000, bytes: 1_000 });
  samples = withSample(samples, { atMs: 6_000, bytes: 9_000 });
  // 8,000 bytes in the 4 s since the second sample; the first is older than 5 s.
  expect(rateOf(samples, 6_000)).toBe(2_000);
});

test('one sample gives no rate', () => {
  expect(rateOf([], 0)).toBeUndefined();
  expect(rateOf([{ atMs: 1, bytes: 5 }], 1)).toBeUndefined();
});

test('while nothing is sent the rate drops, and after three seconds there is none', () => {
  const samples = [
    { atMs: 0, bytes: 0 },
    { atMs: 2_000, bytes: 4_000 },
  ];
  expect(rateOf(samples, 2_000)).toBe(2_000);
  expect(rateOf(samples, 4_000)).toBe(1_000);
  expect(isStalled(samples, 4_999)).toBe(false);
  expect(isStalled(samples, 5_000)).toBe(true);
  expect(rateOf(samples, 5_000)).toBeUndefined();
  expect(leftMs(samples, 10_000, { nowMs: 5_000, sinceMs: 0 })).toBeUndefined();
});

test('a transfer that has not begun is not stalled', () => expect(isStalled([], 1_000_000)).toBe(false));

test('the time left is shown from the third second on, and never while nothing is sent', () => {
  const moving = [
    { atMs: 0, bytes: 0 },
    { atMs: 4_000, bytes: 4_000 },
  ];
  expect(leftMs(moving, 10_000, { nowMs: 4_000, sinceMs: 1_001 })).toBeUndefined();
  expect(leftMs(moving, 10_000, { nowMs: 4_000, sinceMs: 0 })).toBe(6_000);
  const stalled = moving.map(({ atMs }) => ({ atMs, bytes: 7 }));
  expect(leftMs(stalled, 10_000, { nowMs: 4_000, sinceMs: 0 })).toBeUndefined();
});

test('chunks grow on a fast connection and shrink on a slow one, from 1 to 16 MiB', () => {
  expect(nextChunkBytes(MiB, 200)).toBe(2 * MiB);
  expect(nextChunkBytes(4 * MiB, 2_000)).toBe(4 * MiB);
  expect(nextChunkBytes(4 * MiB, 9_000)).toBe(2 * MiB);
  expect(nextChunkBytes(16 * MiB, 10)).toBe(16 * MiB);
  expect(nextChunkBytes(MiB, 60_000)).toBe(MiB);
});

test('behind a proxy chunks do not grow beyond what it lets through', () => {
  expect(nextChunkBytes(MiB / 2, 200, MiB / 2)).toBe(MiB / 2);
  expect(nextChunkBytes(MiB / 2, 60_000, MiB / 2)).toBe(MiB / 2);
});

// Shows P10.19.
test('refused chunks shrink to 64 KiB, and no further', () => {
  const sizes: number[] = [];
  for (let bytes: number | undefined = 16 * MiB; bytes !== undefined; bytes = afterTooLarge(bytes)) sizes.push(bytes);
  expect(sizes).toEqual([16 * MiB, 4 * MiB, MiB, MiB / 4, MiB / 16]);
  expect(afterTooLarge(100 * 1024)).toBe(64 * 1024);
});
