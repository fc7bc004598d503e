import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameHash } from './name-hash.ts';

/** The hash as written in the paper, with the given numbers of rounds per word and of final rounds. */
function reference(rounds: number, last: number, [key0, key1]: readonly [number, number], bytes: Uint8Array) {
  const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by));
  const v = [key0, key1 ^ 0xee, 0x6c796765 ^ key0, 0x74656462 ^ key1] as [number, number, number, number];
  const round = () => {
    v[0] = (v[0] + v[1]) | 0;
    v[1] = rotate(v[1], 5) ^ v[0];
    v[0] = rotate(v[0], 16);
    v[2] = (v[2] + v[3]) | 0;
    v[3] = rotate(v[3], 8) ^ v[2];
    v[0] = (v[0] + v[3]) | 0;
    v[3] = rotate(v[3], 7) ^ v[0];
    v[2] = (v[2] + v[1]) | 0;
    v[1] = rotate(v[1], 13) ^ v[2];
    v[2] = rotate(v[2], 16);
  };
  const times = (count: number) => Array.from({ length: count }, round);
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / 4) * 4);
  padded.set(bytes);
  padded[padded.length - 1] = bytes.length;
  const message = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 4) {
    v[3] ^= message.getInt32(at, true);
    times(rounds);
    v[0] ^= message.getInt32(at, true);
  }
  v[2] ^= 0xee;
  times(last);
  const low = v[1] ^ v[3];
  v[1] ^= 0xdd;
  times(last);
  return [low >>> 0, (v[1] ^ v[3]) >>> 0];
}

test('the reference matches the published vectors of HalfSipHash-2-4', () => {
  const vector = (length: number) =>
    reference(
      2,
      4,
      [0x03020100, 0x07060504],
      Uint8Array.from({ length }, (_, index) => index),
    );
  expect(vector(0)).toEqual([0x591f8d21, 0xc83cb8b9]);
  expect(vector(1)).toEqual([0x122455be, 0x157338f8]);
});

test('the hash of a name is HalfSipHash-1-3, wherever the name is stored', () => {
  const key = fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(2 ** 32 - 1));
  fc.assert(
    fc.property(key, fc.uint8Array({ maxLength: 40 }), fc.nat(5), ([key0, key1], name, before) => {
      const bytes = new Uint8Array(before + name.length + 3).fill(0xff);
      bytes.set(name, before);
      const out = new Uint32Array(3);
      nameHash(key0, key1, new DataView(bytes.buffer), before, before + name.length, out, 1);
      expect([...out]).toEqual([0, ...reference(1, 3, [key0, key1], name)]);
    }),
  );
});
