import { expect, test } from 'vitest';
import type { Slice } from '../../src/slice/slice.ts';
import { arraySink, arraySource, sliceOf } from './trees.ts';

const nameOf = (slice: Slice, row: number) =>
  new TextDecoder().decode(slice.names.subarray(slice.nameStart[row], slice.nameStart[row + 1]));

test('a slice written as text is breadth first and sums up', () => {
  const slice = sliceOf('shoes (running:cluster (trail 30 "road & track" 20 sand) walking 5)');
  expect(Array.from({ length: slice.rows }, (_, row) => nameOf(slice, row))).toEqual([
    'shoes',
    'running',
    'walking',
    'trail',
    'road & track',
    'sand',
  ]);
  expect([...slice.parent]).toEqual([0, 0, 0, 1, 1, 1]);
  expect([...slice.depth]).toEqual([0, 1, 1, 2, 2, 2]);
  expect([...slice.keywords]).toEqual([4, 3, 1, 1, 1, 1]);
  expect([...slice.volume]).toEqual([55, 50, 5, 30, 20, Number.NaN]);
  expect([...slice.volumeKnown]).toEqual([3, 2, 1, 1, 1, 0]);
  expect(slice.types[slice.type[1]!]).toBe('cluster');
});

test('children that are not shown are counted', () => {
  const slice = sliceOf('shoes 100 (trail 30 +4)');
  expect(slice.rows).toBe(2);
  expect(slice.childCount[0]).toBe(5);
  expect(slice.childKeywords[0]).toBe(5);
  expect(slice.leaves[0]).toBe(5);
  expect(slice.childVolume[0]).toBe(100);
});

test('siblings of the same name have different node IDs', () => {
  const slice = sliceOf('shoes (trail trail)');
  const addresses = [0, 1, 2].map((row) => `${slice.address[2 * row]} ${slice.address[2 * row + 1]}`);
  expect(new Set(addresses).size).toBe(3);
});

test('text without a tree, or with two roots, is rejected', () => {
  expect(() => sliceOf('')).toThrow('No tree');
  expect(() => sliceOf('a (b')).toThrow('No tree');
  expect(() => sliceOf('a b')).toThrow('A second root');
});

test('an array source returns exactly the requested range', async () => {
  const source = arraySource(Uint8Array.of(1, 2, 3, 4));
  expect([...(await source.read(1, 2))]).toEqual([2, 3]);
  expect(source.bytesRead).toBe(2);
  await expect(source.read(3, 2)).rejects.toThrow(RangeError);
});

test('an array sink keeps its content, even if the caller reuses the array', async () => {
  const sink = arraySink();
  const block = Uint8Array.of(1, 2);
  await sink.write(block);
  block.fill(9);
  await sink.write(block);
  expect([...sink.bytes()]).toEqual([1, 2, 9, 9]);
});
