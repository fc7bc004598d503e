import { expect, test } from 'vitest';
import { memoryRefusal } from './make-pack.ts';

const mib = 2 ** 20;

test('a file that fits is accepted', () => {
  expect(
    memoryRefusal({ nodes: 30_000, keywords: 30_000, bytes: 8 * mib, fieldBytes: 0, nameBytes: 0 }, 8 * mib, 256 * mib),
  ).toBeUndefined();
});

test('the memory for the whole file is estimated from its beginning', () => {
  const progress = { nodes: 0, keywords: 500_000, bytes: 64 * mib, nameBytes: 8 * mib, fieldBytes: 0 };
  const refusal = memoryRefusal(progress, 640 * mib, 512 * mib);
  // 64 MiB + 10 × 500,000 rows × 110 bytes (524.5 MiB) + 10 × 8 MiB of names × 1.25.
  expect(refusal).toEqual({ code: 'upload/too-big-to-fit', params: { neededMib: 689, allowedMib: 512 } });
});

test('columns of fields are included', () => {
  const progress = { nodes: 0, keywords: 0, bytes: 64 * mib, fieldBytes: 100 * mib, nameBytes: 0 };
  const refusal = memoryRefusal(progress, 128 * mib, 256 * mib);
  expect(refusal?.params).toEqual({ neededMib: 64 + 2 * 2 * 100, allowedMib: 256 });
});

test('a short beginning is not extrapolated to the whole', () => {
  expect(
    memoryRefusal({ nodes: 0, keywords: 200_000, bytes: mib, fieldBytes: 0, nameBytes: 0 }, 640 * mib, 512 * mib),
  ).toBeUndefined();
});
