import { expect, test } from 'vitest';
import { testServer } from '../../test/support/server.ts';
import { createLog } from '../log.ts';
import { type Place, watchSpace } from './space.ts';

const gib = 2 ** 30;

function watched(free: { data_dir: number | Error; storage: number | Error }) {
  const lines: string[] = [];
  const read = (place: 'data_dir' | 'storage') => async () => {
    const now = free[place];
    if (now instanceof Error) throw now;
    return now;
  };
  const watch = watchSpace({
    free: { data_dir: read('data_dir'), storage: read('storage') },
    alarmBytes: 2 * gib,
    log: createLog('INFO', { write: (line) => lines.push(line) }),
  });
  watch.stop();
  return { watch, lines: () => lines.splice(0).map((line) => JSON.parse(line)) };
}

// Shows P26.1.
test('REL-60 little free space is reported once, with its place, and once more when there is enough again', async () => {
  const free = { data_dir: 2 * gib, storage: 2 * gib };
  const { watch, lines } = watched(free);
  await watch.look();
  expect(watch.low()).toEqual([]);
  expect(lines()).toEqual([]);
  free.storage = 2 * gib - 1;
  await watch.look();
  await watch.look();
  expect(watch.low()).toEqual(['storage']);
  expect(lines()).toMatchObject([
    { level: 'ERROR', event: 'disk-low', place: 'storage', free: 2 * gib - 1, alarm: 2 * gib },
  ]);
  free.storage = 2 * gib;
  await watch.look();
  expect(watch.low()).toEqual([]);
  expect(lines()).toMatchObject([{ level: 'INFO', event: 'disk-low', place: 'storage' }]);
});

test('REL-60 a storage without a known limit is never low', async () => {
  const { watch } = watched({ data_dir: 0, storage: Number.POSITIVE_INFINITY });
  await watch.look();
  expect(watch.low()).toEqual(['data_dir']);
});

test('REL-60 a place that cannot be read keeps its state, and the other one is looked at', async () => {
  const free: { data_dir: number | Error; storage: number } = { data_dir: 0, storage: 0 };
  const { watch, lines } = watched(free);
  await watch.look();
  lines();
  free.data_dir = new Error('gone');
  free.storage = 9 * gib;
  await watch.look();
  expect(watch.low()).toEqual(['data_dir']);
  expect(lines()).toMatchObject([
    { event: 'disk-low', place: 'storage' },
    { level: 'WARN', place: 'data_dir' },
  ]);
});

// Shows P26.1.
test('REL-60 /readyz names places with little space, and stays ready', async () => {
  let low: readonly Place[] = [];
  const server = await testServer({}, { space: { low: () => low } });
  const ready = async () => {
    const { statusCode, payload } = await server.call('GET', '/readyz');
    return [statusCode, JSON.parse(payload)];
  };
  expect(await ready()).toEqual([200, { ok: true }]);
  low = ['storage'];
  expect(await ready()).toEqual([200, { ok: true, low: ['storage'] }]);
  await server.close();
});
