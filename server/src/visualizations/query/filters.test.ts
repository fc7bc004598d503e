import { setCacheBudget } from '@kc/pack/format/once-per-pack';
import { openPack, type PackReader } from '@kc/pack/format/pack-reader';
import { arraySink, arraySource, treeOf } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import { beforeAll, expect, test } from 'vitest';
import { createFilters } from './filters.ts';

let pack: PackReader;

beforeAll(async () => {
  const sink = arraySink();
  await writePack(treeOf('shop (shoes (trail 30 road 20) hats (red 5 blue))'), '00'.repeat(32), sink);
  pack = await openPack(arraySource(sink.bytes()));
});

test('the most recently used filters are cached, and evicted when space runs out', async () => {
  const filters = createFilters(pack);
  const before = setCacheBudget(0);
  try {
    const first = await filters.use('has-r', undefined);
    expect(await filters.use('has-r', undefined)).toBe(first);
    await filters.use('has-b', undefined);
    expect(await filters.use('has-r', undefined)).not.toBe(first);
  } finally {
    setCacheBudget(before);
  }
});

test('requests with the same filter share it, and one that is aborted does not stop it for the others', async () => {
  const filters = createFilters(pack);
  const gone = new AbortController();
  const leaving = filters.use('has-r', gone.signal);
  const staying = filters.use('has-r', undefined);
  gone.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  expect((await staying).filter).toBe('has-r');
});

test('a filter without waiting requests is aborted, and computed again for the next one', async () => {
  const filters = createFilters(pack);
  const gone = new AbortController();
  const leaving = filters.use('has-r', gone.signal);
  gone.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('No request waits for this filter');
  expect((await filters.use('has-r', undefined)).filter).toBe('has-r');
});

test('other requests are answered while a filter is computed', async () => {
  const filters = createFilters(pack);
  let isMade = false;
  const making = filters.use('has-r*volume-1_*depth-1_', undefined).then(() => {
    isMade = true;
  });
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(isMade).toBe(false);
  await making;
});
