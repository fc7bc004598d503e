import { expect, test } from 'vitest';
import { CheckedSource } from './checked-source.ts';
import { blockBytes } from './pack-format.ts';
import { xxh32 } from './xxh32.ts';

const blocks = 9;

/**
 * A source in which every byte is the number of its block. It reads into the offered memory, and finishes some reads
 * sooner than others.
 */
function numberedSource() {
  let reads = 0;
  const fill = (offset: number, bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += blockBytes) bytes.fill((offset + at) / blockBytes, at, at + blockBytes);
    return bytes;
  };
  const source = {
    size: blocks * blockBytes,
    async read(offset: number, length: number, into = new Uint8Array(length)) {
      for (let turns = (reads++ * 7) % 5; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      return fill(offset, into);
    },
  };
  const hashes = Uint32Array.from({ length: blocks }, (_, block) =>
    xxh32(fill(block * blockBytes, new Uint8Array(blockBytes))),
  );
  return { source, hashes, reads: () => reads };
}

test('concurrent readers get their own blocks, however few are cached', async () => {
  const { source, hashes, reads } = numberedSource();
  const checked = new CheckedSource(source, hashes, source.size, 2 * blockBytes);
  const said: number[][] = [];
  await Promise.all(
    Array.from({ length: 200 }, async (_, asker) => {
      const block = (asker * 5 + (asker >> 3)) % blocks;
      await checked.with(block, (bytes) => said.push([block, bytes[0]!, bytes[blockBytes >> 1]!, bytes.at(-1)!]));
      const next = (block + 3) % blocks;
      await checked.with(next, (bytes) => said.push([next, bytes[0]!, bytes[blockBytes >> 1]!, bytes.at(-1)!]));
    }),
  );
  expect(said.length).toBe(400);
  expect(said.filter(([block, ...bytes]) => bytes.some((byte) => byte !== block))).toEqual([]);
  expect(reads()).toBeGreaterThan(blocks);
});

test('a cached block is returned at once', async () => {
  const { source, hashes, reads } = numberedSource();
  const checked = new CheckedSource(source, hashes, source.size, 2 * blockBytes);
  let first = -1;
  await checked.with(4, () => undefined);
  expect(checked.with(4, (bytes) => (first = bytes[0]!))).toBeUndefined();
  expect([first, reads()]).toEqual([4, 1]);
});

test('a range can span blocks, some of them cached', async () => {
  const { source, hashes } = numberedSource();
  const checked = new CheckedSource(source, hashes, source.size, 2 * blockBytes);
  await checked.with(3, () => undefined);
  const range = new Uint8Array(3 * blockBytes);
  await checked.read(1.5 * blockBytes, range);
  const halves = Array.from({ length: 6 }, (_, half) => range[half * (blockBytes >> 1)]);
  expect(halves).toEqual([1, 2, 2, 3, 3, 4]);
});
