import { expect, test } from 'vitest';
import { xxh32 } from './xxh32.ts';

const hashOf = (text: string) => xxh32(new TextEncoder().encode(text));

test('matches the published test vectors', () => {
  expect(hashOf('')).toBe(0x02cc5d05);
  expect(hashOf('a')).toBe(0x550d7456);
  expect(hashOf('abc')).toBe(0x32d153ff);
  expect(hashOf('Nobody inspects the spammish repetition')).toBe(0xe2293b2f);
});

test('any flipped bit changes the hash', () => {
  const bytes = Uint8Array.from({ length: 77 }, (_, index) => 3 * index);
  const hash = xxh32(bytes);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7)));
    expect(xxh32(flipped)).not.toBe(hash);
  }
});

test('the offset of the bytes in their buffer does not matter', () => {
  const bytes = new TextEncoder().encode('_Nobody inspects the spammish repetition');
  expect(xxh32(bytes.subarray(1))).toBe(0xe2293b2f);
});
