import { expect, test } from 'vitest';
import type { Appender } from '../../storage/storage.ts';
import { syncDuringWrite } from './make-pack.ts';

const mebibyte = 2 ** 20;

/** An object that records its size at each sync. A sync settles when the test decides. */
function slowObject() {
  const syncs: { readonly size: number; readonly settle: (fault?: Error) => void }[] = [];
  let size = 0;
  const object: Appender = {
    get size() {
      return size;
    },
    async write(bytes) {
      size += bytes.length;
    },
    sync: () =>
      new Promise((resolve, reject) => {
        syncs.push({ size, settle: (fault) => (fault ? reject(fault) : resolve()) });
      }),
    close: async () => undefined,
  };
  return { object, syncs };
}

const block = new Uint8Array(32 * mebibyte);

test('bytes are synced while others are written, one sync at a time, and the last sync covers all', async () => {
  const { object, syncs } = slowObject();
  const behind = syncDuringWrite(object);
  for (let written = 0; written < 5; written++) await behind.write(block);
  expect(syncs.map(({ size }) => size / mebibyte)).toEqual([64]);
  syncs[0]!.settle();
  await new Promise(setImmediate);
  await behind.write(block);
  expect(syncs.map(({ size }) => size / mebibyte)).toEqual([64, 192]);
  await behind.write(block);
  const last = behind.sync();
  syncs[1]!.settle();
  await expect.poll(() => syncs.map(({ size }) => size / mebibyte)).toEqual([64, 192, 224]);
  syncs[2]!.settle();
  await last;
});

test('a failed sync is reported by the next write and by the last sync, even if that one succeeds', async () => {
  const { object, syncs } = slowObject();
  const behind = syncDuringWrite(object);
  await behind.write(block);
  await behind.write(block);
  syncs[0]!.settle(new Error('The disk is gone'));
  await expect(behind.sync()).rejects.toThrow('The disk is gone');
  await expect(behind.write(block)).rejects.toThrow('The disk is gone');
  expect(syncs).toHaveLength(1);
});

test('an object is not closed during a sync', async () => {
  const { object, syncs } = slowObject();
  const behind = syncDuringWrite(object);
  await behind.write(block);
  await behind.write(block);
  let isClosed = false;
  const closing = behind.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  syncs[0]!.settle();
  await closing;
});
