import { expect, test } from 'vitest';
import { leftMs, nextChunkBytes, rateOf, withSample } from './transfer-rate.ts';

const MiB = 1024 * 1024;

test('the rate is of the last five seconds', () => {
  let samples = withSample([], { atMs: 0, bytes: 0 });
  samples = withSample(samples, { atMs: 2_000, bytes: 1_000 });
  samples = withSample(samples, { atMs: 6_000, bytes: 9_000 });
  // 8,000 bytes in the 4 s since the second sample; the first is older than 5 s.
  expect(rateOf(samples)).toBe(2_000);
});

test('one sample tells no rate', () => {
  expect(rateOf([])).toBeUndefined();
  expect(rateOf([{ atMs: 1, bytes: 5 }])).toBeUndefined();
});

test('the time left is told from the third second on, and never while nothing moves', () => {
  const samples = [
    { atMs: 0, bytes: 0 },
    { atMs: 4_000, bytes: 4_000 },
  ];
  expect(leftMs(samples, 10_000, 2_999)).toBeUndefined();
  expect(leftMs(samples, 10_000, 4_000)).toBe(6_000);
  expect(
    leftMs(
      [
        { atMs: 0, bytes: 7 },
        { atMs: 4_000, bytes: 7 },
      ],
      10_000,
      4_000,
    ),
  ).toBeUndefined();
});

test('chunks grow on a fast line and shrink on a slow one, from 1 to 16 MiB', () => {
  expect(nextChunkBytes(MiB, 200)).toBe(2 * MiB);
  expect(nextChunkBytes(4 * MiB, 2_000)).toBe(4 * MiB);
  expect(nextChunkBytes(4 * MiB, 9_000)).toBe(2 * MiB);
  expect(nextChunkBytes(16 * MiB, 10)).toBe(16 * MiB);
  expect(nextChunkBytes(MiB, 60_000)).toBe(MiB);
});
