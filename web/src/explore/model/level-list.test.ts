import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { expect, test } from 'vitest';
import { createLevelList, pageRows } from './level-list.ts';
import type { ListQuery } from './list-query.ts';

const query: ListQuery = { level: 'keywords', within: 0, filter: '', sort: '-volume', fields: [], withTrends: false };

/** A page of a list of `total` rows whose node is ten times its rank. */
function pageOf(total: number, from: number): LevelRows {
  const count = Math.max(0, Math.min(pageRows, total - from));
  const node = Uint32Array.from({ length: count }, (_, at) => 10 * (from + at));
  return {
    from,
    total,
    keywords: total,
    slice: { rows: count, node, address: new Uint32Array(2 * count) },
  } as LevelRows;
}

type Asked = { readonly query: ListQuery; readonly part: object; readonly signal: AbortSignal };

/** A list whose requests are answered one by one. */
function listOf(total: number) {
  const requests: (Asked & { resolve(page: LevelRows): void; fail(): void })[] = [];
  const list = createLevelList(
    (query, part, signal) =>
      new Promise((resolve, reject) =>
        requests.push({ query, part, signal, resolve, fail: () => reject(new Error('off')) }),
      ),
  );
  /** Answers the oldest request. */
  async function respond(place?: LevelRows['place']): Promise<object> {
    const { part, resolve } = requests.shift()!;
    const rank = place?.rank ?? ('from' in part ? Number(part.from) : 0);
    resolve({ ...pageOf(total, rank - (rank % pageRows)), place });
    await settled();
    return part;
  }
  return { list, requests, respond, state: list.store.getState };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('the first page shows the node, and the cursor goes to its place', async () => {
  const { list, respond, state } = listOf(1000);
  list.show(query, 77);
  expect(await respond({ rank: 421, is: 'around' })).toEqual({ around: 77, count: pageRows });
  expect([state().total, state().cursor, state().place]).toEqual([1000, 421, 'around']);
  expect(list.rowAt(421)!.page.slice.node[list.rowAt(421)!.at]).toBe(4210);
  expect(list.rowAt(0)).toBeUndefined();
});

test('what comes into sight is requested by rank, with the page after it, and nothing twice', async () => {
  const { list, requests, respond } = listOf(1000);
  list.show(query, 0);
  await respond({ rank: 0, is: 'same' });
  list.request(150, 210);
  expect(await respond()).toEqual({ from: 200, count: pageRows });
  expect(await respond()).toEqual({ from: 400, count: pageRows });
  list.request(150, 210);
  expect(requests).toEqual([]);
});

test('no more than five thousand rows are held: those next to what is in sight', async () => {
  const { list, respond, state } = listOf(100_000);
  list.show(query, 0);
  await respond({ rank: 0, is: 'same' });
  for (let from = 0; from < 8000; from += pageRows) {
    list.request(from, from + 10);
    while (!list.rowAt(from) || !list.rowAt(from + pageRows)) await respond();
  }
  expect(state().pages.size).toBe(25);
  expect(list.rowAt(0)).toBeUndefined();
  expect(list.rowAt(7900)).toBeDefined();
});

test('a list in another order begins at its first row, and keeps the rows before until then', async () => {
  const { list, respond, state, requests } = listOf(1000);
  list.show(query, 0);
  await respond({ rank: 500, is: 'same' });
  list.show({ ...query, sort: 'name' }, 0);
  expect([state().isStale, state().total]).toEqual([true, 1000]);
  expect(list.rowAt(500)).toBeDefined();
  expect(await respond()).toEqual({ from: 0, count: pageRows });
  expect([state().isStale, state().cursor, list.rowAt(500)]).toEqual([false, 0, undefined]);
  list.show({ ...query, sort: 'name', level: 'clusters' }, 9);
  expect(requests[0]!.part).toEqual({ around: 9, count: pageRows });
});

test('the newest list wins: requests of the one before are aborted', async () => {
  const { list, requests, state } = listOf(1000);
  list.show(query, 0);
  list.show({ ...query, filter: 'has-a' }, 0);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  requests[0]!.resolve(pageOf(5, 0));
  await settled();
  expect(state().total).toBeUndefined();
  requests[1]!.resolve(pageOf(7, 0));
  await settled();
  expect(state().total).toBe(7);
});

test('a failure stays until it is tried again', async () => {
  const { list, requests, respond, state } = listOf(1000);
  list.show(query, 3);
  requests.shift()!.fail();
  await settled();
  expect(state().failure).toBeInstanceOf(Error);
  list.show(query, 3);
  expect(requests).toHaveLength(0);
  list.retry(3);
  expect(await respond({ rank: 0, is: 'first' })).toEqual({ around: 3, count: pageRows });
  expect([state().failure, state().total]).toEqual([undefined, 1000]);
});

test('another list that failed begins, when it is tried again, where it was to begin', async () => {
  const { list, requests, respond, state } = listOf(1000);
  list.show(query, 3);
  await respond({ rank: 421, is: 'same' });
  list.show({ ...query, within: 5 }, 3);
  requests.shift()!.fail();
  await settled();
  list.retry(3);
  expect(await respond({ rank: 12, is: 'same' })).toEqual({ around: 3, count: pageRows });
  expect([state().isStale, state().failure, state().cursor]).toEqual([false, undefined, 12]);
});

test('another order that failed begins at its first row when it is tried again', async () => {
  const { list, requests, respond, state } = listOf(1000);
  list.show(query, 3);
  await respond({ rank: 421, is: 'same' });
  list.show({ ...query, sort: 'keywords' }, 3);
  requests.shift()!.fail();
  await settled();
  list.retry(3);
  expect(await respond()).toEqual({ from: 0, count: pageRows });
  expect(state().cursor).toBe(0);
});

test('a page that arrives just before another list is asked for is none of that list', async () => {
  const { list, requests, respond, state } = listOf(1000);
  list.show(query, 0);
  await respond({ rank: 0, is: 'same' });
  list.request(0, 10);
  requests.shift()!.resolve(pageOf(1000, 200));
  list.show({ ...query, within: 5 }, 0);
  await settled();
  expect([state().isStale, state().pages.has(200)]).toEqual([true, false]);
});

test('a range across pages has every row once, whether held or not', async () => {
  const { list, respond } = listOf(1000);
  list.show(query, 0);
  await respond({ rank: 0, is: 'same' });
  const range = list.rowsBetween(198, 401);
  await respond();
  await respond();
  const nodes = (await range).map(([node]) => node);
  expect(nodes).toEqual(Array.from({ length: 204 }, (_, at) => 10 * (198 + at)));
});

test('the cursor stays within the list, and a hidden list forgets its rows', async () => {
  const { list, respond, state } = listOf(30);
  list.show(query, 0);
  await respond({ rank: 0, is: 'same' });
  list.moveTo(99);
  expect(state().cursor).toBe(29);
  list.moveTo(-5);
  expect(state().cursor).toBe(0);
  list.hide();
  expect([state().query, state().total, state().pages.size]).toEqual([undefined, undefined, 0]);
});
