import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namesAt } from './node-detail.ts';
import { openPack } from './pack-reader.ts';
import { writePack } from './pack-writer.ts';
import { searchPack } from './search.ts';
import { arraySink, arraySource, treeOf } from './testing.ts';

async function packOf(hierarchy: string, keywords?: string) {
  const sink = arraySink();
  await writePack(treeOf(hierarchy, keywords), '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

async function found(hierarchy: string, text: string, limit = 50) {
  const pack = await packOf(hierarchy);
  const { total, rows } = await searchPack(pack, text, limit);
  return { total, names: await namesAt(pack, Uint32Array.from(rows)) };
}

test('the whole name comes first, then its beginning, then a word, then any part; in each the heaviest', async () => {
  const tree = 'r (reshoes 900 "new shoes" 3 "old shoes" 7 shoes 1 "shoes & more" 2 "shoesfor all" 5 boots 99)';
  expect(await found(tree, 'shoes')).toEqual({
    total: 6,
    names: ['shoes', 'shoesfor all', 'shoes & more', 'old shoes', 'new shoes', 'reshoes'],
  });
});

test('case and accents do not matter on either side', async () => {
  expect((await found('r (CAFÉ café cafe\u0301 Cafe caf)', 'cAFÉ')).total).toBe(4);
  expect((await found('r (Straße łódź ΟΔΟΣ)', 'STRASSE')).names).toEqual(['Straße']);
  expect((await found('r (Straße łódź ΟΔΟΣ)', 'οδος')).names).toEqual(['ΟΔΟΣ']);
});

test('a match does not run from one name into the next', async () => {
  expect((await found('r (ab cd)', 'bc')).total).toBe(0);
  expect((await found('r (ab bcab bc)', 'bc')).total).toBe(2);
});

test('a word counts wherever it stands in the name', async () => {
  expect((await found('r ("xrun run" 1 "xruns" 9)', 'run')).names).toEqual(['xrun run', 'xruns']);
});

test('all are counted, the best of them listed', async () => {
  expect(await found('r (a1 1 a2 2 a3 3 a4 4)', 'a', 2)).toEqual({ total: 4, names: ['a4', 'a3'] });
});

test('no text finds nothing', async () => {
  expect(await found('r (a)', '  ')).toEqual({ total: 0, names: [] });
});

test('a name is found when, and only when, it contains the text', { timeout: 60_000 }, async () => {
  const word = fc.stringMatching(/^[ab]{1,6}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 30 }),
      fc.stringMatching(/^[ab]{1,3}$/),
      async (names, text) => {
        const { total, names: hits } = await found(`r (${names.join(' ')})`, text);
        const expected = names.filter((name) => name.includes(text));
        expect(total).toBe(expected.length);
        expect(hits.toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: 100 },
  );
});
