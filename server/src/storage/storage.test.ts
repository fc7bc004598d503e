import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../test/support/memory-storage.ts';
import { storageConforms } from '../../test/support/storage-conformance.ts';
import { openDiskStorage } from './disk.ts';
import { newKey, StorageFull } from './storage.ts';

storageConforms('disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kc-storage-'));
  const storage = await openDiskStorage(directory);
  return { storage, dispose: () => rm(directory, { recursive: true }) };
});

storageConforms('memory', async () => ({ storage: createMemoryStorage(), dispose: () => Promise.resolve() }));

describe('a storage', () => {
  it('reports a full disk with an error of its own', async () => {
    const appender = await createMemoryStorage(4).append(newKey('file'), 0);
    await appender.write(new Uint8Array(3));
    await expect(appender.write(new Uint8Array(2))).rejects.toThrow(StorageFull);
  });

  it('on disk is readable by the server user only', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'kc-storage-'));
    const directory = join(parent, 'files');
    const storage = await openDiskStorage(directory);
    const key = newKey('file');
    await (await storage.append(key, 0)).close();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, key))).mode & 0o777).toBe(0o600);
    await rm(parent, { recursive: true });
  });
});
