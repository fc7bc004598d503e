import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { oncePerPack } from './once-per-pack.ts';

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

test('results of one pack are kept by name, those used last', async () => {
  const computed: string[] = [];
  const squared = oncePerPack(
    async (_, { of }: { of: number; pause?: undefined }) => {
      computed.push(`${of}`);
      return of * of;
    },
    { nameOf: ({ of }) => `${of}`, mostKept: 2 },
  );
  const pack = await open();
  for (const of of [1, 2, 1, 3, 1, 2]) expect(await squared(pack, { of })).toBe(of * of);
  expect(computed).toEqual(['1', '2', '3', '2']);
});

test('results with a size are kept while all of them fit, the one used last in any case', async () => {
  const computed: number[] = [];
  const listOf = oncePerPack(
    async (_, { length }: { length: number; pause?: undefined }) => {
      computed.push(length);
      return new Uint8Array(length);
    },
    { nameOf: ({ length }) => `${length}`, mostKept: 10, sizeOf: ({ length }) => length },
  );
  const pack = await open();
  for (const length of [3, 7, 3, 7, 20, 20, 7, 3, 7]) expect(await listOf(pack, { length })).toHaveLength(length);
  expect(computed).toEqual([3, 7, 20, 7, 3]);
  expect([3, 7, 20].map((length) => listOf.has(pack, { length }))).toEqual([true, true, false]);
  expect(listOf.has(await open(), { length: 3 })).toBe(false);
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
