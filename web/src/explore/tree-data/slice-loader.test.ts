import type { Slice, SliceQuery } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { cutTo, loadTree, partOf, withFields, withRest } from '../../../test/support/tree.ts';
import { nextMissing } from './loaded-slices.ts';
import { LoadedTree } from './loaded-tree.ts';
import { createSliceLoader } from './slice-loader.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps. */
const whole = sliceOf('shop (shoes (running 30 walking 5) hats (caps 4))');

/** A loader for a server whose responses the test controls. */
function loaderWith(nodes = Number.POSITIVE_INFINITY) {
  const sent: { query: SliceQuery; signal: AbortSignal; respond: (slice: Slice) => void; fail: () => void }[] = [];
  const errors: unknown[] = [];
  const idle: (() => void)[] = [];
  const merges: number[] = [];
  const tree = new LoadedTree();
  const loader = createSliceLoader({
    tree,
    nodes,
    onMerged: () => merges.push(tree.size),
    onError: (error) => errors.push(error),
    whenIdle: (work) => {
      idle.push(work);
      return () => idle.splice(idle.indexOf(work), 1);
    },
    fetchSlice: (query, signal) =>
      new Promise((respond, reject) => {
        sent.push({ query, signal, respond, fail: () => reject(new Error('refused')) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  const queries = () => sent.map(({ query: { node, skip } }) => ({ node, skip }));
  return { loader, tree, sent, errors, idle, merges, queries };
}

/** Waits until all pending promises have continued. */
const settled = () => new Promise((done) => setTimeout(done));

const want = (node: number, weight = 1) => ({ node, skip: 0, weight });

async function withFirst(nodes?: number) {
  const parts = loaderWith(nodes);
  const first = parts.loader.loadTop();
  parts.sent[0]!.respond(partOf(whole, [0, 1, 2]));
  await first;
  return parts;
}

// Shows P14.3.
test('the first request is for the top of the tree', async () => {
  const { sent, merges } = await withFirst();
  expect(sent[0]!.query).toEqual({ node: 0, skip: 0, budget: 4000 });
  expect(merges).toEqual([3]);
});

test('the largest want is requested first, one at a time', async () => {
  const { loader, sent, queries, tree } = await withFirst();
  loader.request([want(2, 10), want(1, 90)]);
  expect(queries().slice(1)).toEqual([{ node: 1, skip: 0 }]);
  sent[1]!.respond(partOf(whole, [1, 3, 4]));
  await expect
    .poll(() => queries().slice(1))
    .toEqual([
      { node: 1, skip: 0 },
      { node: 2, skip: 0 },
    ]);
  expect(tree.size).toBe(5);
});

test('newer wants abort a request that is no longer wanted, and keep one that still is', async () => {
  const { loader, sent, queries } = await withFirst();
  loader.request([want(1)]);
  loader.request([want(1), want(2)]);
  expect(sent[1]!.signal.aborted).toBe(false);
  loader.request([want(2)]);
  expect(sent[1]!.signal.aborted).toBe(true);
  expect(queries()[2]).toEqual({ node: 2, skip: 0 });
});

test('a request that loaded nothing new is not repeated', async () => {
  const { loader, sent, queries } = await withFirst();
  loader.request([want(1)]);
  sent[1]!.respond(partOf(whole, [1]));
  await settled();
  loader.request([want(1)]);
  expect(queries()).toHaveLength(2);
});

test('a failure is reported once and drops all wants; the next want tries again', async () => {
  const { loader, sent, errors, queries } = await withFirst();
  loader.request([want(1), want(2)]);
  sent[1]!.fail();
  await expect.poll(() => errors).toHaveLength(1);
  await settled();
  expect(queries()).toHaveLength(2);
  loader.request([want(1)]);
  expect(queries()).toHaveLength(3);
});

test('closing aborts the request and starts no other, and an abort is no failure', async () => {
  const { loader, sent, errors } = await withFirst();
  loader.request([want(1), want(2)]);
  loader.close();
  expect(sent[1]!.signal.aborted).toBe(true);
  await settled();
  expect([sent.length, errors]).toEqual([2, []]);
});

test('a tree that fits one slice is loaded whole in idle time, once', async () => {
  const { sent, idle, tree } = await withFirst(whole.rows);
  await expect.poll(() => idle.length).toBe(1);
  idle.shift()!();
  expect(sent[1]!.query).toEqual({ node: 0, skip: 0, budget: 20_000 });
  sent[1]!.respond(whole);
  await expect.poll(() => tree.size).toBe(whole.rows);
  await settled();
  expect(idle).toEqual([]);
});

test('the largest missing part of a bigger tree loads first, except for parts requested in vain', () => {
  const tree = loadTree(sliceOf('shop 1 (big (x 1 +12000) small (y 1 +300))'));
  const [big, small] = [
    { node: 1, skip: 1 },
    { node: 2, skip: 0 },
  ];
  expect(nextMissing(tree, () => false)).toEqual(big);
  expect(nextMissing(tree, ({ node }) => node === 1)).toMatchObject({ node: small.node });
  expect(nextMissing(tree, () => true)).toBeUndefined();
});

test('a large tree is not loaded whole', async () => {
  const { idle } = await withFirst(200_001);
  await settled();
  expect(idle).toEqual([]);
});

test('a path loads step by step, skipping earlier siblings', async () => {
  const { loader, sent, queries, tree } = await withFirst();
  const revealed = loader.loadPath([0, 1, 4]);
  sent[1]!.respond(partOf(whole, [1, 3]));
  await expect.poll(() => queries().length).toBe(3);
  expect(sent[2]!.query).toMatchObject({ node: 1, child: 4 });
  sent[2]!.respond(partOf(whole, [1, 4]));
  expect(await revealed).toBe(3);
  expect(tree.name(tree.rowOf(4))).toBe('walking');
});

const traffic = withFields(whole, { traffic: [9, 5, 4, 3, 2, 4] });

test('a field is loaded by repeating requests, the top first, and with all later slices', async () => {
  const { loader, sent, tree } = await withFirst();
  loader.request([want(1)]);
  sent[1]!.respond(partOf(whole, [1, 3, 4]));
  await settled();
  loader.setFields(['traffic']);
  expect(sent[2]!.query).toEqual({ node: 0, skip: 0, budget: 4000, fields: ['traffic'] });
  sent[2]!.respond(partOf(traffic, [0, 1, 2]));
  await settled();
  expect(tree.isWhole('traffic')).toBe(false);
  expect(sent[3]!.query).toMatchObject({ node: 1, fields: ['traffic'] });
  sent[3]!.respond(partOf(traffic, [1, 3, 4]));
  await settled();
  expect(tree.isWhole('traffic')).toBe(true);
  loader.request([want(2)]);
  expect(sent[4]!.query).toMatchObject({ node: 2, fields: ['traffic'] });
});

test('wants go before repeated requests, which then continue; a loaded field is not requested twice', async () => {
  const { loader, sent } = await withFirst();
  loader.setFields(['traffic']);
  loader.request([want(1)]);
  expect(sent[1]!.signal.aborted).toBe(true);
  sent[2]!.respond(partOf(traffic, [1, 3, 4]));
  await settled();
  expect(sent[3]!.query).toMatchObject({ node: 0, skip: 0 });
  sent[3]!.respond(partOf(traffic, [0, 1, 2]));
  await settled();
  loader.setFields([]);
  loader.setFields(['traffic']);
  expect(sent).toHaveLength(4);
});

test('repeated requests leave missing children to be loaded in idle time', async () => {
  const { loader, sent, idle, tree } = await withFirst(whole.rows);
  loader.setFields(['traffic']);
  sent[1]!.respond(partOf(traffic, [0, 1, 2]));
  await expect.poll(() => idle.length).toBe(1);
  idle.shift()!();
  expect(sent[2]!.query).toEqual({ node: 0, skip: 0, budget: 20_000, fields: ['traffic'] });
  sent[2]!.respond(traffic);
  await expect.poll(() => tree.size).toBe(whole.rows);
});

/** The rows that the filter "has-a" keeps: 0 shop, 2 hats, 5 caps, with other figures. */
const kept = cutTo(whole, [0, 2, 5]);

describe('another filter', () => {
  test('replaces the content at once when its top and the places to keep have loaded', async () => {
    const { loader, sent, tree, merges } = await withFirst();
    const swaps: string[] = [];
    const before = tree.version;
    const done = loader.setFilter(
      'has-a',
      false,
      () => [[0, 2, 5]],
      (replace) => {
        swaps.push(`${tree.size} rows`);
        replace();
        swaps.push(`${tree.size} rows`);
      },
    );
    expect(sent[1]!.query).toEqual({ node: 0, skip: 0, budget: 4000, filter: 'has-a' });
    sent[1]!.respond(partOf(kept, [0, 1]));
    await settled();
    expect([tree.size, sent[2]!.query.node, sent[2]!.query.filter]).toEqual([3, 2, 'has-a']);
    sent[2]!.respond(partOf(kept, [1, 2]));
    expect(await done).toBe(true);
    expect(swaps).toEqual(['3 rows', '3 rows']);
    expect(Array.from(tree.node.subarray(0, tree.size))).toEqual([0, 2, 5]);
    expect(tree.version).toBeGreaterThan(before);
    expect([tree.isComplete, merges]).toEqual([true, [3]]);
  });

  test('that shows the rest makes two requests: for all rows, and for those it keeps', async () => {
    const { loader, sent, tree } = await withFirst();
    const done = loader.setFilter('has-a', true, () => [], swapAtOnce);
    expect(sent.slice(1).map(({ query }) => query)).toEqual([
      { node: 0, skip: 0, budget: 4000, filter: 'has-a', rest: true },
      { node: 0, skip: 0, budget: 4000 },
    ]);
    sent[1]!.respond(withRest(whole, [0, 2, 5]));
    await settled();
    expect(tree.isComplete).toBe(false);
    sent[2]!.respond(whole);
    expect(await done).toBe(true);
    expect([tree.size, tree.isLeftOut(1), tree.isLeftOut(2), tree.shape.keywords[0]]).toEqual([6, true, false, 3]);
  });

  test('does not stop for a pending navigation, which continues under the filter', async () => {
    const { loader, sent, tree } = await withFirst();
    const row = loader.loadPath([0, 2, 5]);
    await settled();
    const done = loader.setFilter('has-a', false, () => [], swapAtOnce);
    await settled();
    expect(sent.map(({ query, signal }) => [query.node, query.filter, signal.aborted])).toEqual([
      [0, undefined, false],
      [2, undefined, true],
      [0, 'has-a', false],
    ]);
    sent[2]!.respond(partOf(kept, [0, 1]));
    expect(await done).toBe(true);
    await settled();
    expect(sent[3]!.query).toMatchObject({ node: 2, filter: 'has-a' });
    sent[3]!.respond(partOf(kept, [1, 2]));
    expect([await row, tree.rowOf(5)]).toEqual([3, 2]);
  });

  test('that shows the rest is loaded whole in idle time, including excluded rows', async () => {
    const { loader, sent, tree, idle } = await withFirst(6);
    const done = loader.setFilter('has-a', true, () => [], swapAtOnce);
    const [kept, all] = [withRest(whole, [0, 2, 5]), whole].map((of) => partOf(of, [0, 1, 2, 5]));
    sent[1]!.respond(kept!);
    sent[2]!.respond(all!);
    expect(await done).toBe(true);
    expect(tree.isComplete).toBe(false);
    idle.at(-1)!();
    expect(sent[3]!.query).toMatchObject({ node: 0, skip: 0, filter: 'has-a', rest: true });
  });

  test('applies to all later requests, and drops earlier wants', async () => {
    const { loader, sent } = await withFirst();
    loader.request([want(1)]);
    const done = loader.setFilter('has-a', false, () => [], swapAtOnce);
    expect(sent[1]!.signal.aborted).toBe(true);
    loader.request([want(2)]);
    expect(sent).toHaveLength(3);
    sent[2]!.respond(partOf(kept, [0, 1]));
    await done;
    await settled();
    expect(sent).toHaveLength(3);
    loader.request([want(2)]);
    expect(sent[3]!.query).toEqual({ node: 2, skip: 0, budget: 4000, filter: 'has-a' });
  });

  test('that is newer wins, and the old content stays until it has loaded', async () => {
    const { loader, sent, tree } = await withFirst();
    const first = loader.setFilter('has-x', false, () => [], swapAtOnce);
    const second = loader.setFilter('has-a', false, () => [], swapAtOnce);
    expect(sent[1]!.signal.aborted).toBe(true);
    expect(await first).toBe(false);
    expect(tree.size).toBe(3);
    sent[2]!.respond(kept);
    expect(await second).toBe(true);
    expect(tree.rowOf(1)).toBe(-1);
  });

  test('that is newer wins while a place to keep is loaded for the one before', async () => {
    const { loader, sent, tree } = await withFirst();
    const first = loader.setFilter(
      'has-x',
      false,
      () => [
        [0, 1, 3],
        [0, 2, 5],
      ],
      swapAtOnce,
    );
    sent[1]!.respond(partOf(whole, [0, 1, 2]));
    await settled();
    expect(sent[2]!.query).toMatchObject({ node: 1, filter: 'has-x' });
    loader.cancelFilter();
    const second = loader.setFilter('has-a', false, () => [], swapAtOnce);
    await settled();
    const pending = sent.filter(({ signal }) => !signal.aborted).map(({ query }) => query.filter);
    expect(pending.slice(2)).toEqual(['has-a']);
    sent.at(-1)!.respond(kept);
    expect([await first, await second, tree.size]).toEqual([false, true, 3]);
  });

  test('that fails is reported to its caller, and the old content stays', async () => {
    const { loader, sent, errors, tree } = await withFirst();
    const done = loader.setFilter('has-a', false, () => [], swapAtOnce);
    sent[1]!.fail();
    await expect(done).rejects.toThrow('refused');
    loader.request([want(1)]);
    expect([tree.size, errors, sent[2]!.query.filter]).toEqual([3, [], undefined]);
  });

  test('that is no longer wanted is aborted', async () => {
    const { loader, sent, tree } = await withFirst();
    const done = loader.setFilter('has-a', false, () => [], swapAtOnce);
    loader.cancelFilter();
    expect(await done).toBe(false);
    expect([sent[1]!.signal.aborted, tree.size]).toEqual([true, 3]);
  });

  test('delays a navigation that begins meanwhile, and then loads its path as far as it is kept', async () => {
    const { loader, sent } = await withFirst();
    const done = loader.setFilter('has-a', false, () => [], swapAtOnce);
    const revealed = loader.loadPath([0, 1, 3]);
    sent[1]!.respond(kept);
    await done;
    expect(await revealed).toBe(1);
    expect(sent).toHaveLength(2);
  });
});

const swapAtOnce = (replace: () => void) => replace();

test('children between the first ones and those that a link led to are requested, and none stay missing', async () => {
  // Rows: 0 r, 1 to 9 its children, the heaviest first.
  const wide = sliceOf(`r (${Array.from({ length: 9 }, (_, at) => `k${at} ${90 - at}`).join(' ')})`);
  const { loader, sent, queries, tree } = loaderWith();
  const first = loader.loadTop();
  sent[0]!.respond(partOf(wide, [0, 1, 2, 3]));
  await first;
  const led = loader.loadPath([0, 7]);
  await settled();
  sent[1]!.respond(partOf(wide, [0, 1, 2, 3]));
  await settled();
  expect(sent[2]!.query).toMatchObject({ node: 0, child: 7 });
  sent[2]!.respond(partOf(wide, [0, 7, 8]));
  expect(await led).toBe(2);
  // A chart wants the children after the five loaded ones.
  loader.request([{ node: 0, skip: 5, weight: 1 }]);
  expect(queries().at(-1)).toEqual({ node: 0, skip: 3 });
  sent.at(-1)!.respond(partOf(wide, [0, 4, 5, 6]));
  await settled();
  loader.request([{ node: 0, skip: 8, weight: 1 }]);
  expect(queries().at(-1)).toEqual({ node: 0, skip: 6 });
  sent.at(-1)!.respond(partOf(wide, [0, 7, 8, 9]));
  await settled();
  expect([tree.size, tree.isComplete]).toEqual([10, true]);
});

test('the missing part of a tree is requested from the first gap on in idle time', async () => {
  const wide = sliceOf(`r (${Array.from({ length: 6 }, (_, at) => `k${at} ${90 - at}`).join(' ')})`);
  const { loader, sent, queries, idle, tree } = loaderWith(7);
  const first = loader.loadTop();
  sent[0]!.respond(partOf(wide, [0, 1, 2]));
  await first;
  const led = loader.loadPath([0, 6]);
  await settled();
  sent.at(-1)!.respond(partOf(wide, [0, 1, 2]));
  await settled();
  sent.at(-1)!.respond(partOf(wide, [0, 6]));
  await led;
  while (idle.length > 0 && !tree.isComplete) {
    idle.shift()!();
    expect(queries().at(-1)).toEqual({ node: 0, skip: 2 });
    sent.at(-1)!.respond(partOf(wide, [0, 3, 4, 5, 6]));
    await settled();
  }
  expect(tree.isComplete).toBe(true);
});
