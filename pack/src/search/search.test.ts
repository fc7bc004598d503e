import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { searchPack } from '../../test/support/search-pack.ts';
import { arraySink, arraySource, treeOf } from '../../test/support/trees.ts';
import { simdFinder } from '../find/find-texts.ts';
import { phrase } from '../find/text-query.ts';
import { namesAt } from '../format/names-at.ts';
import { openPack } from '../format/pack-reader.ts';
import { writePack } from '../write/pack-writer.ts';
import { countHits, findHits, placeHits, rankHits } from './search.ts';

async function packOf(hierarchy: string, keywords?: string) {
  const sink = arraySink();
  await writePack(treeOf(hierarchy, keywords), '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

async function found(hierarchy: string, text: string, limit = 50) {
  const pack = await packOf(hierarchy);
  const { total, rows } = await searchPack(pack, phrase(text), limit);
  return { total, names: await namesAt(pack, Uint32Array.from(rows)) };
}

// Shows P15.6.
test('hits are ranked: the whole name, its beginning, a word, then any part; the heaviest first in each group', async () => {
  const tree = 'r (reshoes 900 "new shoes" 3 "old shoes" 7 shoes 1 "shoes & more" 2 "shoesfor all" 5 boots 99)';
  expect(await found(tree, 'shoes')).toEqual({
    total: 6,
    names: ['shoes', 'shoesfor all', 'shoes & more', 'old shoes', 'new shoes', 'reshoes'],
  });
});

// Shows P15.6.
test('case and accents are ignored in query and name', async () => {
  expect((await found('r (CAFÉ café cafe\u0301 Cafe caf)', 'cAFÉ')).total).toBe(4);
  expect((await found('r (Straße łódź ΟΔΟΣ)', 'STRASSE')).names).toEqual(['Straße']);
  expect((await found('r (Straße łódź ΟΔΟΣ)', 'οδος')).names).toEqual(['ΟΔΟΣ']);
});

test('a match does not span two names', async () => {
  expect((await found('r (ab cd)', 'bc')).total).toBe(0);
  expect((await found('r (ab bcab bc)', 'bc')).total).toBe(2);
});

test('a word matches anywhere in the name', async () => {
  expect((await found('r ("xrun run" 1 "xruns" 9)', 'run')).names).toEqual(['xrun run', 'xruns']);
});

test('all hits are counted, and the best are listed', async () => {
  expect(await found('r (a1 1 a2 2 a3 3 a4 4)', 'a', 2)).toEqual({ total: 4, names: ['a4', 'a3'] });
});

test('an empty text finds nothing', async () => {
  expect(await found('r (a)', '  ')).toEqual({ total: 0, names: [] });
});

test('vowel marks count as letters, and accents do not', async () => {
  expect((await found('r (कि का की)', 'का')).names).toEqual(['का']);
  expect((await found('r (กิน กน)', 'กิน')).names).toEqual(['กิน']);
  expect((await found('r (كِتَاب كتاب)', 'كتاب')).total).toBe(2);
});

test('part of a word finds the whole word, whatever the final form of its last letter', async () => {
  expect((await found('r (ΟΔΟΣΗΜΑ)', 'οδος')).names).toEqual(['ΟΔΟΣΗΜΑ']);
});

test('the best hits can be skipped to get the following ones', async () => {
  const pack = await packOf('r (a1 1 xa 9 a3 3 a4 4 "b a" 7)');
  const hits = await findHits(pack, phrase('a'));
  const namesFrom = async (skip: number) => namesAt(pack, Uint32Array.from(await rankHits(pack, hits, skip, 2)).sort());
  const names = await Promise.all([0, 2, 4, 6].map(namesFrom));
  expect(names.map((page) => page.toSorted())).toEqual([['a3', 'a4'], ['a1', 'b a'], ['xa'], []]);
});

test('a search that is aborted between two pieces stops', async () => {
  const hierarchy = `r (${Array.from({ length: 70_000 }, (_, index) => `n${index}`).join(' ')})`;
  const given = new Error('nobody asks any more');
  const pause = async () => {
    throw given;
  };
  await expect(findHits(await packOf(hierarchy), phrase('n'), { pause })).rejects.toBe(given);
});

test('hit places contain the branches and hits below a branch, and the last row they cover', async () => {
  const pack = await packOf('r (one 9 (red 5 blue 3) two 8 (green 4 "two red" 2 reddish 1) three 1)');
  const hits = await findHits(pack, phrase('red'));
  const counts = await countHits(pack, hits);
  const places = async (under: number, limit: number) => {
    const { nodes, counts: said, hits: own, upTo } = await placeHits(pack, hits, counts, under, limit);
    const names = await namesAt(pack, Uint32Array.from(nodes));
    return { names: names.map((name, at) => `${name} ${said[at]}`), own: own.length, upTo };
  };
  const last = pack.metadata.nodes - 1;
  const all = await places(0, 99);
  expect(all.names.toSorted()).toEqual(['one 1', 'r 3', 'red 1', 'reddish 1', 'two 2', 'two red 1']);
  expect([all.own, all.upTo]).toEqual([3, last]);
  const cut = await places(0, 3);
  expect(cut.names.toSorted()).toEqual(['one 1', 'r 3', 'two 2']);
  expect(cut.upTo).toBeLessThan(last);
  expect(await places(last, 9)).toEqual({ names: ['reddish 1'], own: 1, upTo: last });
  expect((await findHits(pack, phrase('nowhere'))).total).toBe(0);
});

test('the finder in WebAssembly is available here', () => {
  expect(simdFinder(readFileSync(new URL('../../dist/find-texts.wasm', import.meta.url)))).toBeDefined();
});
