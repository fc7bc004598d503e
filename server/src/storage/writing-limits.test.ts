// Shows T71.
import { expect, test } from 'vitest';
import { createMemoryStorage } from '../../test/support/memory-storage.ts';
import { newKey, type Storage } from './storage.ts';
import { spareBytes, withinLimits } from './writing-limits.ts';

const MiB = 2 ** 20;

test('all objects together take no more than a process may write', async () => {
  const storage = withinLimits(createMemoryStorage(), 100);
  const [one, other] = [await storage.append(newKey('temp'), 0), await storage.append(newKey('temp'), 0)];
  await one.write(new Uint8Array(60));
  await expect(other.write(new Uint8Array(41))).rejects.toThrow('More than 100 bytes');
  expect([one.size, other.size]).toEqual([60, 0]);
});

test('a process leaves the reserve free, also if the disk fills up while it writes', async () => {
  let free = spareBytes + 20 * MiB;
  const storage: Storage = { ...createMemoryStorage(), freeForWork: async () => free };
  const appender = await withinLimits(storage).append(newKey('temp'), 0);
  await appender.write(new Uint8Array(MiB));
  free = spareBytes;
  // Looking costs time, so it is done now and then.
  const filling = async () => {
    for (let block = 0; block < 16; block++) await appender.write(new Uint8Array(MiB));
  };
  await expect(filling()).rejects.toMatchObject({ name: 'StorageFull' });
  const another = await withinLimits(storage).append(newKey('temp'), 0);
  await expect(another.write(new Uint8Array(1))).rejects.toMatchObject({ name: 'StorageFull' });
});
