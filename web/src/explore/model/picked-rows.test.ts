import type { LevelRows } from '@kc/pack/levels/rows-wire';
import { formatAddress } from '@kc/pack/names/path-hash';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { combinePicked, maxPicked, nothingPicked, type Picked, rowsOfPicked } from './picked.ts';

/** Lists of nodes by filter, in pages. */
const listsOf = (lists: Readonly<Record<string, readonly number[]>>) => ({
  async rows({ filter }: { filter: string }, part: { count: number; from?: number }): Promise<LevelRows> {
    const all = lists[filter]!;
    const page = all.slice(part.from, part.from! + part.count);
    const slice = {
      rows: page.length,
      node: Uint32Array.from(page),
      address: Uint32Array.from(page.flatMap((n) => [n, 0])),
    };
    return { total: all.length, from: part.from, slice } as unknown as LevelRows;
  },
});
const all = (filter: string, except: readonly number[] = []): Picked => ({
  filter,
  screenFilter: filter,
  all: { level: 'clusters', within: 0 },
  rows: new Map(except.map((node) => [node, formatAddress(node, 0)])),
});
const pickedOf = (nodes: readonly number[]): Picked => ({
  ...nothingPicked,
  rows: new Map(nodes.map((node) => [node, formatAddress(node, 0)])),
});

test('two selections together have the rows of both, and one without the other has the rest', async () => {
  const nodes = fc.uniqueArray(fc.integer({ min: 1, max: 2000 }), { maxLength: 1200 });
  await fc.assert(
    fc.asyncProperty(nodes, nodes, fc.boolean(), fc.boolean(), async (one, other, isFirstWhole, isOtherWhole) => {
      const source = listsOf({ one, other });
      const [first, second] = [
        isFirstWhole ? all('one') : pickedOf(one),
        isOtherWhole ? all('other') : pickedOf(other),
      ];
      const added = await combinePicked(source, first, second, 'add', 'f');
      expect(new Set(added!.rows.keys())).toEqual(new Set([...one, ...other]));
      const difference = await combinePicked(source, first, second, 'subtract', 'f');
      expect(new Set(difference!.rows.keys())).toEqual(new Set(one.filter((node) => !other.includes(node))));
    }),
    { numRuns: 40 },
  );
});

test('rows that were taken out of a whole list are not in it', async () => {
  const rows = await rowsOfPicked(listsOf({ f: [1, 2, 3] }), all('f', [2]), 10);
  expect([...rows]).toEqual([
    [1, formatAddress(1, 0)],
    [3, formatAddress(3, 0)],
  ]);
});

test('more than can be picked one by one is not cut silently', async () => {
  const many = Array.from({ length: maxPicked + 1 }, (_, n) => n + 1);
  const source = listsOf({ many });
  expect(await combinePicked(source, pickedOf([9999]), all('many'), 'add', '')).toBeUndefined();
  expect(await combinePicked(source, all('many'), pickedOf([1]), 'subtract', '')).toBeUndefined();
  expect((await rowsOfPicked(source, all('many'), 7)).size).toBe(7);
});
