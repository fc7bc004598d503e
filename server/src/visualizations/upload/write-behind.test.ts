import { expect, test } from 'vitest';
import { writeBehind } from './upload-store.ts';

/** Records writes. Each write settles when the test decides. */
function slowAppender() {
  const written: Uint8Array[] = [];
  const waiting: (() => void)[] = [];
  return {
    written,
    lengths: () => written.map((bytes) => bytes.length),
    letThrough: () => waiting.shift()!(),
    size: 0,
    write(bytes: Uint8Array): Promise<void> {
      written.push(bytes.slice());
      return new Promise((resolve) => waiting.push(resolve));
    },
    sync: async () => undefined,
    close: async () => undefined,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first block is written at once, and those that arrive meanwhile in one write, in order', async () => {
  const appender = slowAppender();
  const writes = writeBehind(appender);
  for (const byte of [1, 2, 3]) await writes.take(Uint8Array.of(byte, byte));
  expect(appender.lengths()).toEqual([2]);
  appender.letThrough();
  await turn();
  expect(appender.lengths()).toEqual([2, 4]);
  appender.letThrough();
  await writes.settled();
  expect(Buffer.concat(appender.written)).toEqual(Buffer.of(1, 1, 2, 2, 3, 3));
});

test('no more than half a mebibyte is buffered, and a larger block is written in parts', async () => {
  const appender = slowAppender();
  const writes = writeBehind(appender);
  const block = Uint8Array.from({ length: 2 ** 20 + 7 }, (_, index) => index);
  let isTaken = false;
  const taken = writes.take(block).then(() => {
    isTaken = true;
  });
  await turn();
  expect([isTaken, appender.lengths()]).toEqual([false, [2 ** 19]]);
  while (appender.written.reduce((sum, bytes) => sum + bytes.length, 0) < block.length) {
    appender.letThrough();
    await turn();
  }
  appender.letThrough();
  await taken;
  await writes.settled();
  expect(Buffer.concat(appender.written).equals(block)).toBe(true);
});

test('after a failed write nothing more is written, and the failure is reported', async () => {
  const appender = slowAppender();
  const writes = writeBehind({ ...appender, write: () => Promise.reject(new Error('EIO')) });
  await writes.take(Uint8Array.of(1));
  await turn();
  await expect(writes.settled()).rejects.toThrow('EIO');
  await expect(writes.take(new Uint8Array(2 ** 20))).rejects.toThrow('EIO');
  expect(appender.written).toEqual([]);
});
