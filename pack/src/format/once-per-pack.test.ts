import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { cacheUsageOf, oncePerPack, releasePack, setCacheBudget } from './once-per-pack.ts';

const open = async () => (await packOf({ name: 'root', children: [{ name: 'a' }] }, [])).pack;
const unwanted = new Error('nobody asks any more');

test('two requests at once compute once, and later ones not at all', async () => {
  let computed = 0;
  const nodesOf = oncePerPack(async (pack) => {
    computed++;
    return pack.metadata.nodes;
  });
  const pack = await open();
  expect(await Promise.all([nodesOf(pack, {}), nodesOf(pack, {})])).toEqual([2, 2]);
  expect(await nodesOf(pack, {})).toBe(2);
  expect(computed).toBe(1);
  await nodesOf(await open(), {});
  expect(computed).toBe(2);
});

test('when the request that computes goes away, one that waits computes instead', async () => {
  let computed = 0;
  const nodesOf = oncePerPack(async (pack, { pause }: { pause: () => Promise<void> }) => {
    computed++;
    await pause();
    return pack.metadata.nodes;
  });
  const pack = await open();
  const first = nodesOf(pack, { pause: () => Promise.reject(unwanted) });
  const others = [1, 2].map(() => nodesOf(pack, { pause: async () => undefined }));
  await expect(first).rejects.toBe(unwanted);
  expect(await Promise.all(others)).toEqual([2, 2]);
  expect(computed).toBe(2);
});

test('a request that goes away while it waits does not compute', async () => {
  let computed = 0;
  const nodesOf = oncePerPack(async (_, { pause }: { pause: () => Promise<void> }): Promise<number> => {
    computed++;
    await pause();
    return 1;
  });
  const pack = await open();
  const pause = () => Promise.reject(unwanted);
  const both = [nodesOf(pack, { pause }), nodesOf(pack, { pause })];
  for (const one of both) await expect(one).rejects.toBe(unwanted);
  expect(computed).toBe(1);
});

/** A list of so many bytes, under a name. */
function lists() {
  const computed: string[] = [];
  const of = oncePerPack(
    async (_, { name, length }: { name?: string; length: number; pause?: undefined; also?: readonly object[] }) => {
      computed.push(name ?? `${length}`);
      return new Uint8Array(length);
    },
    {
      nameOf: ({ name, length }) => name ?? `${length}`,
      sizeOf: ({ length }) => length,
      alsoOf: ({ also }) => also ?? [],
    },
  );
  return { of, computed };
}

test('results are kept while all of them fit, those used last, and the last one in any case', async () => {
  const before = setCacheBudget(10);
  try {
    const { of, computed } = lists();
    const pack = await open();
    for (const length of [3, 7, 3, 7, 20, 20, 7, 3, 7]) expect(await of(pack, { length })).toHaveLength(length);
    expect(computed).toEqual(['3', '7', '20', '7', '3']);
    expect([3, 7, 20].map((length) => of.has(pack, { length }))).toEqual([true, true, false]);
    expect(of.has(await open(), { length: 3 })).toBe(false);
  } finally {
    setCacheBudget(before);
  }
});

test('of what no longer fits, what was used longest ago goes, not what was computed first', async () => {
  const before = setCacheBudget(10);
  try {
    const { of, computed } = lists();
    const pack = await open();
    for (const length of [4, 5, 4, 6, 4]) await of(pack, { length });
    expect(computed).toEqual(['4', '5', '6']);
  } finally {
    setCacheBudget(before);
  }
});

test('all computations and all packs share one budget', async () => {
  const before = setCacheBudget(10);
  try {
    const [{ of }, { of: others }] = [lists(), lists()];
    const [pack, second] = [await open(), await open()];
    await of(pack, { length: 4 });
    await others(pack, { length: 4 });
    await of(second, { length: 4 });
    expect([of.has(pack, { length: 4 }), others.has(pack, { length: 4 })]).toEqual([false, true]);
    expect(of.has(second, { length: 4 })).toBe(true);
  } finally {
    setCacheBudget(before);
  }
});

test('a released pack keeps nothing, nor does another one keep what was computed from it', async () => {
  const { of, computed } = lists();
  const [pack, other] = [await open(), await open()];
  await of(pack, { length: 5 });
  await of(other, { length: 6, name: 'of both', also: [pack] });
  await of(other, { length: 7, name: 'own' });
  expect(cacheUsageOf(pack)).toEqual({ results: 2, bytes: 11 });
  releasePack(pack);
  expect(cacheUsageOf(pack)).toEqual({ results: 0, bytes: 0 });
  expect(cacheUsageOf(other)).toEqual({ results: 1, bytes: 7 });
  await of(other, { length: 7, name: 'own' });
  await of(other, { length: 6, name: 'of both', also: [pack] });
  expect(computed).toEqual(['5', 'of both', 'own', 'of both']);
});

test('what is being computed is not there yet', async () => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const nodesOf = oncePerPack(async (pack) => held.then(() => pack.metadata.nodes));
  const pack = await open();
  const asked = nodesOf(pack, {});
  expect(nodesOf.has(pack, {})).toBe(false);
  letGo();
  await asked;
  expect(nodesOf.has(pack, {})).toBe(true);
});
