import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { atLeast, TooSlow } from './upload-store.ts';

afterEach(() => vi.useRealTimers());

async function lengthsOf(blocks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const block of blocks) lengths.push(block.length);
  return lengths;
}

test('data that arrives fast enough passes unchanged, and its end may be short', async () => {
  async function* quick() {
    yield new Uint8Array(4_000);
    yield new Uint8Array(1);
  }
  expect(await lengthsOf(atLeast(1, 3_600_000, quick()))).toEqual([4_000, 1]);
});

test('REL-23 a sender that stops in the middle is too slow', async () => {
  const stream = new PassThrough();
  stream.write(new Uint8Array(3));
  await expect(lengthsOf(atLeast(1_000, 50, stream))).rejects.toThrow(TooSlow);
});

test('REL-23 a sender that sent enough gets another window, and is too slow if it then sends nothing', async () => {
  const stream = new PassThrough();
  stream.write(new Uint8Array(1_000));
  const blocks = atLeast(1_000, 50, stream);
  expect((await blocks.next()).value).toHaveLength(1_000);
  await expect(blocks.next()).rejects.toThrow(TooSlow);
});

test('time that the receiver takes does not count', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const stream = new PassThrough();
  const blocks = atLeast(1_000, 50, stream);
  stream.write(new Uint8Array(1));
  await blocks.next();
  await vi.advanceTimersByTimeAsync(100);
  stream.end(new Uint8Array(1));
  expect((await blocks.next()).value).toHaveLength(1);
});

test('a broken connection ends the blocks with an error', async () => {
  const stream = new PassThrough();
  stream.write(new Uint8Array(1));
  const blocks = atLeast(1, 3_600_000, stream);
  await blocks.next();
  stream.destroy(new Error('gone'));
  await expect(blocks.next()).rejects.toThrow('gone');
});
