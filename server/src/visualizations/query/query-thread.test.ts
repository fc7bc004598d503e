import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeOf } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { openDiskStorage } from '../../storage/disk.ts';
import { newKey, type Storage } from '../../storage/storage.ts';
import type { PackQueries } from './pack-queries.ts';
import { createQueryThread } from './query-thread.ts';

const packKey = newKey('pack');
const searched = { packKey, query: { mode: 'all' as const, text: 'red', limit: 5, skip: 0 } };

let directory: string;
let storage: Storage;
let log: string[];
let queries: PackQueries;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-query-thread-'));
  storage = await openDiskStorage(directory);
  const sink = await storage.append(packKey, 0);
  await writePack(treeOf('shop (shoes (trail 30 road 20) hats (red 5 blue))'), '00'.repeat(32), sink);
  await sink.close();
  log = [];
  queries = createQueryThread(storage.place, createLog('ERROR', { write: (line) => log.push(line) }));
});
afterAll(async () => {
  await queries.close();
  await rm(directory, { recursive: true });
});

test('an aborted query is rejected, and the next one is answered', async () => {
  const filter = 'has-r';
  const gone = new AbortController();
  const left = queries.search({ ...searched, filter, signal: gone.signal });
  gone.abort();
  const refusal = { data: { code: 'fault/unavailable' } };
  await expect(left).rejects.toMatchObject(refusal);
  await expect(queries.search({ ...searched, filter, signal: gone.signal })).rejects.toMatchObject(refusal);
  expect((await queries.search({ ...searched, filter })).total).toBe(1);
  expect(log).toEqual([]);
});

test('an abort after the answer has no effect', async () => {
  const done = new AbortController();
  const { total } = await queries.search({ ...searched, signal: done.signal });
  done.abort();
  expect(total).toBe(1);
  expect((await queries.search(searched)).total).toBe(1);
});

test('concurrent queries each get their own answer', async () => {
  const [path, fields, places, page] = await Promise.all([
    queries.keptPath({ packKey, path: [0], filter: 'has-r' }),
    queries.fields({ packKey }),
    queries.placesTo({ packKey, address: '0'.repeat(16) }),
    queries.keywords({ packKey, node: 0, limit: 2, after: undefined }),
  ]);
  expect(path).toEqual({ path: [0] });
  expect(fields).toBeInstanceOf(Array);
  expect(places).toBeUndefined();
  expect(page.keywords.map(({ name }) => name)).toEqual(['trail', 'road']);
});

test('a missing pack is refused with a code and logged', async () => {
  const missing = newKey('pack');
  await expect(queries.fields({ packKey: missing })).rejects.toMatchObject({
    data: { code: 'visualization/file-missing' },
  });
  expect(log.join()).toContain(missing);
});

test('a query sent while a crashed thread ends is answered by the next thread', async () => {
  // A thread cannot open a storage in memory, so it ends with an error.
  const place = { kind: 'memory' } as const;
  const dying = createQueryThread(place, createLog('ERROR'));
  const why = /reachable from its own thread/;
  await expect(dying.fields({ packKey })).rejects.toThrow(why);
  await expect(dying.fields({ packKey })).rejects.toThrow(why);
  await dying.close();
});
