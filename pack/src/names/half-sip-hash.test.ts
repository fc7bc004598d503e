import { expect, test } from 'vitest';
import { halfSipHash, halfSipHashAfter } from './half-sip-hash.ts';

/** The published test vectors use the key 00 01 … 07 and a message 00 01 … of each length. */
function vector(length: number): string {
  const out = new Uint32Array(2);
  const message = Uint8Array.from({ length: 68 }, (_, index) => index);
  halfSipHash(0x03020100, 0x07060504, new DataView(message.buffer), 0, length, out, 0);
  return [...new Uint8Array(out.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

test('matches the first published 64-bit vectors', () => {
  expect(vector(0)).toBe('218d1f59b9b83cc8');
  expect(vector(1)).toBe('be552412f8387315');
});

test('every byte and the length affect the hash', () => {
  const seen = new Set<string>();
  for (let length = 0; length < 64; length++) seen.add(vector(length));
  expect(seen.size).toBe(64);
});

const viewOf = (...bytes: number[]) => new DataView(Uint8Array.from(bytes).buffer);

test('bytes around the message do not affect the hash', () => {
  const [one, other] = [new Uint32Array(2), new Uint32Array(2)];
  halfSipHash(1, 2, viewOf(7, 0, 0, 0, 1, 2, 3), 0, 7, one, 0);
  halfSipHash(1, 2, viewOf(9, 7, 0, 0, 0, 1, 2, 3, 9), 1, 8, other, 0);
  expect(one).toEqual(other);
});

test('two words before the bytes hash like eight bytes', () => {
  for (const rest of [[], [9], [9, 8, 7, 6, 5]]) {
    const [one, other] = [new Uint32Array(2), new Uint32Array(2)];
    halfSipHash(1, 2, viewOf(4, 3, 2, 1, 0xff, 0, 0, 0xf0, ...rest), 0, 8 + rest.length, one, 0);
    halfSipHashAfter(1, 2, 0x01_02_03_04, 0xf0_00_00_ff, viewOf(...rest), 0, rest.length, other, 0);
    expect(one).toEqual(other);
  }
});

test('another key gives another hash', () => {
  const [one, other] = [new Uint32Array(2), new Uint32Array(2)];
  const message = new DataView(new TextEncoder().encode('running shoe').buffer);
  halfSipHash(1, 2, message, 0, 12, one, 0);
  halfSipHash(1, 3, message, 0, 12, other, 0);
  expect(one).not.toEqual(other);
});
