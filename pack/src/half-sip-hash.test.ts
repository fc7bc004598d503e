import { expect, test } from 'vitest';
import { halfSipHash } from './half-sip-hash.ts';

/** The published test vectors use the key 00 01 … 07 and the message 00 01 … of each length. */
function vector(length: number): string {
  const out = new Uint32Array(2);
  const message = Uint8Array.from({ length: 68 }, (_, index) => index);
  halfSipHash(0x03020100, 0x07060504, new Int32Array(message.buffer), length, out, 0);
  return [...new Uint8Array(out.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

test('the first published 64-bit vectors come out', () => {
  expect(vector(0)).toBe('218d1f59b9b83cc8');
  expect(vector(1)).toBe('be552412f8387315');
});

test('every byte and the length count', () => {
  const seen = new Set<string>();
  for (let length = 0; length < 64; length++) seen.add(vector(length));
  expect(seen.size).toBe(64);
});

test('what stands behind the message does not count', () => {
  const [one, other] = [new Uint32Array(2), new Uint32Array(2)];
  halfSipHash(1, 2, Int32Array.of(7, 0x00_03_02_01), 7, one, 0);
  halfSipHash(1, 2, Int32Array.of(7, 0x99_03_02_01 | 0), 7, other, 0);
  expect(one).toEqual(other);
});

test('another key gives another hash', () => {
  const [one, other] = [new Uint32Array(2), new Uint32Array(2)];
  const words = Int32Array.of(0x6e6e7572, 0x20676e69, 0x656f6873, 0);
  halfSipHash(1, 2, words, 12, one, 0);
  halfSipHash(1, 3, words, 12, other, 0);
  expect(one).not.toEqual(other);
});
