import { expect, test } from 'vitest';
import { halfSipHash } from './half-sip-hash.ts';

/** The published test vectors use the key 00 01 … 07 and the message 00 01 … of each length. */
function vector(length: number): string {
  const out = new Uint32Array(2);
  const message = Uint8Array.from({ length }, (_, index) => index);
  halfSipHash(0x03020100, 0x07060504, message, 0, length, out, 0);
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

test('another key gives another hash', () => {
  const [one, other] = [new Uint32Array(2), new Uint32Array(2)];
  const bytes = new TextEncoder().encode('running shoes');
  halfSipHash(1, 2, bytes, 0, bytes.length, one, 0);
  halfSipHash(1, 3, bytes, 0, bytes.length, other, 0);
  expect(one).not.toEqual(other);
});
