import { expect, test } from 'vitest';
import { sliceOf } from '../../test/support/trees.ts';
import { decodeSlice, encodeSlice } from './slice-wire.ts';

const slice = sliceOf('shoes:root (running:cluster (trail 30 road 20 "zażółć" ) walking 5)');

test('every column survives encoding and decoding', () => {
  expect(decodeSlice(encodeSlice(slice))).toEqual(slice);
});

test('requested fields survive with their names and values', () => {
  const rows = { known: Uint32Array.of(4, 3, 1, 1, 1, 0) };
  const fields = [
    {
      ...rows,
      name: 'land',
      kind: 'category',
      values: ['', 'ü'],
      value: Uint8Array.of(1, 1, 1, 1, 1, 0),
      count: Uint32Array.of(4, 3, 1, 1, 1, 0),
    },
    {
      ...rows,
      name: 'Features',
      kind: 'set',
      values: ['', 'Video', 'Ads'],
      value: Uint32Array.of(1, 0, 1, 0, 3, 0, 2, 0, 1, 0, 0, 0),
      count: Uint32Array.of(3, 2, 1, 1, 1, 0),
    },
    { ...rows, name: 'Traffic', kind: 'number', rollUp: 'sum', value: Float64Array.of(5, 4, 2, 1, 1, Number.NaN) },
    { ...rows, name: 'Score', kind: 'number', rollUp: 'mean', value: Float64Array.of(5, 4, 2, 1, 1, Number.NaN) },
  ] as const;
  expect(decodeSlice(encodeSlice({ ...slice, fields }))).toEqual({ ...slice, fields });
});

test('the columns of a decoded body are views of it, not copies', () => {
  const body = encodeSlice(slice);
  const decoded = decodeSlice(body);
  expect(decoded.volume.buffer).toBe(body.buffer);
  expect(decoded.names.buffer).toBe(body.buffer);
});

test('a body that is not aligned to eight bytes can be decoded', () => {
  const body = encodeSlice(slice);
  const shifted = new Uint8Array(body.length + 3);
  shifted.set(body, 3);
  expect(decodeSlice(shifted.subarray(3))).toEqual(slice);
});

test('another version, a truncated body and anything else are rejected', () => {
  const body = encodeSlice(slice);
  expect(() => decodeSlice(body.subarray(0, body.length - 1))).toThrow(/expected/);
  expect(() => decodeSlice(body.with(3, 200))).toThrow(/version 200/);
  expect(() => decodeSlice(new TextEncoder().encode('<!doctype html><html></html>'))).toThrow('Not a slice');
  expect(() => decodeSlice(new Uint8Array(0))).toThrow('Not a slice');
});
