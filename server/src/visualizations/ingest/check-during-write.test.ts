import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeOf } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import { newKey, type StoragePlace } from '../../storage/storage.ts';
import type { IngestFacts } from './ingest-messages.ts';
import { type CheckDuringWrite, checkDuringWrite } from './make-pack.ts';

const mebibyte = 2 ** 20;
/** The pack is larger than 4 MiB, so the thread gets a part of it before the last one. */
const tree = treeOf(
  `shop (${Array.from({ length: 60_000 }, (_, index) => `Keyword-number-${index} ${index}`).join(' ')})`,
  'alone',
);

let place: StoragePlace;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-check-'));
  place = { kind: 'disk', directory };
});
afterAll(() => rm(directory, { recursive: true }));

/** Writes a pack that is checked meanwhile. @param meanwhile called after each write with the path and the bytes */
async function writeChecked(
  meanwhile: (path: string, bytes: number) => Promise<void> = async () => undefined,
): Promise<{ facts: Promise<IngestFacts>; bytes: number }> {
  const storage = await openStorage(place);
  const key = newKey('temp');
  const pack = await storage.append(key, 0);
  let behind: CheckDuringWrite | undefined;
  const write = async (bytes: Uint8Array) => {
    await pack.write(bytes);
    behind?.written(pack.size);
    await meanwhile(join(directory, key), pack.size);
  };
  await writePack(tree, '00'.repeat(32), { write }, undefined, (head) => {
    behind = checkDuringWrite({ place, key }, head);
  });
  await pack.close();
  return { facts: behind!.finish(pack.size), bytes: pack.size };
}

test('a pack checked during the write has the same facts as its file', async () => {
  const { facts, bytes } = await writeChecked();
  expect(bytes).toBeGreaterThan(4 * mebibyte);
  expect(await facts).toMatchObject({
    keywords: 1,
    nodes: 60_001,
    rootName: 'shop',
    thumbnail: { pillars: [], rest: 10_000 },
  });
});

test('the check covers what is in the file, not what was passed to the writer', async () => {
  let isDone = false;
  const { facts } = await writeChecked(async (path, bytes) => {
    if (isDone || bytes < 3 * mebibyte) return;
    isDone = true;
    const file = await open(path, 'r+');
    await file.write(Uint8Array.of(0xff), 0, 1, 3 * mebibyte - 100);
    await file.close();
  });
  await expect(facts).rejects.toThrow(/is damaged/);
});

test('a truncated pack is rejected', async () => {
  const { facts } = await writeChecked(async (path, bytes) => {
    if (bytes < 4 * mebibyte) return;
    const file = await open(path, 'r+');
    await file.truncate(2 * mebibyte);
    await file.close();
  });
  await expect(facts).rejects.toThrow();
});
