import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { createIngest } from '../ingest.ts';
import { decodeRows, encodeRows } from '../levels/rows-wire.ts';
import { takeRows } from '../levels/take-rows.ts';
import type { Tree } from '../tree/tree.ts';
import { simdLoop } from '../upload/json-loop-simd.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import { namesAt } from './names-at.ts';
import { PackDamaged } from './pack-format.ts';
import type { PackReader } from './pack-reader.ts';
import { describeSimilar, similarTo } from './similar.ts';

const hierarchy = {
  name: 'shoes',
  children: [
    { name: 'trail', type: 'cluster', children: ['trail shoes', 'trail boots'] },
    { name: 'road', type: 'cluster', children: ['road shoes', 'road racing', 'road boots'] },
  ],
};
/** In document order: 0 shoes, 1 trail, 2 trail shoes, 3 trail boots, 4 road, 5 road shoes, 6 road racing, 7 road boots. */
const similar = [0, 1, 4, 2, 5, 7, 1, 7, 1, 1, 1, 2, 0, 2, 3, 2];

const binary = new Uint8Array(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)));

function treeWith(file: unknown, loop?: ReturnType<typeof simdLoop>): Tree {
  const ingest = createIngest({ hashKey: [1, 2], loop });
  ingest.push(new TextEncoder().encode(JSON.stringify(file)));
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return result.tree;
}

async function packWith(tree: Tree) {
  const sink = arraySink();
  await writePack(tree, '5e'.repeat(32), sink);
  return checkPack(arraySource(sink.bytes()));
}

test.each([
  ['steps', undefined],
  ['WebAssembly', simdLoop(binary)],
] as const)('a pack says which nodes are similar, whatever the order of its rows (%s)', async (_, loop) => {
  const pack = await packWith(treeWith({ keywords: ['old hat'], hierarchy, similar_nodes: similar }, loop));
  expect(pack.metadata).toMatchObject({ version: 10, similar: 8 });
  const rows = Array.from({ length: 8 }, (_, row) => row);
  const found = await similarTo(pack, Uint32Array.from(rows));
  const names = await namesAt(pack, Uint32Array.from(rows));
  const byName = Object.fromEntries(rows.map((row) => [names[row], found[row]!.map((one) => names[one])]));
  expect(byName).toEqual({
    shoes: [],
    trail: ['road'],
    'trail shoes': ['road shoes', 'road boots'],
    'trail boots': ['road boots'],
    road: ['trail'],
    'road shoes': ['trail shoes'],
    'road racing': [],
    'road boots': ['trail boots', 'trail shoes'],
  });
});

test('details and lists name what is similar, as far as a filter keeps it', async () => {
  const pack = await packWith(treeWith({ hierarchy, similar_nodes: similar }));
  const query = { level: 'clusters', within: 0, sort: [], from: 0, count: 9, fields: [], withTrends: false } as const;
  const page = decodeRows(encodeRows(await takeRows(pack, { ...query, withSimilar: true })));
  // Three keywords of "road" are more than two of "trail".
  expect([page.hasSimilar, page.similar]).toEqual([true, [['trail'], ['road']]]);
  expect((await takeRows(pack, query)).similar).toEqual([]);
  const [trailShoes] = await rowsOf(pack, 'trail shoes');
  expect((await describeSimilar(pack, trailShoes!)).map(({ name, above }) => [name, above])).toEqual([
    ['road shoes', 'road'],
    ['road boots', 'road'],
  ]);
  const [roadShoes] = await rowsOf(pack, 'road shoes');
  const filtered = { ...pack, whole: pack, keeps: (row: number) => row !== roadShoes };
  expect((await describeSimilar(filtered, trailShoes!)).map(({ name }) => name)).toEqual(['road boots']);
});

/** The rows with a name. */
async function rowsOf(pack: PackReader, name: string): Promise<number[]> {
  const names = await namesAt(
    pack,
    Uint32Array.from({ length: pack.metadata.nodes }, (_, row) => row),
  );
  return names.flatMap((one, row) => (one === name ? [row] : []));
}

test('a pack without similar nodes has no column for them', async () => {
  const pack = await packWith(treeWith({ hierarchy }));
  expect('similar' in pack.metadata).toBe(false);
  expect(await similarTo(pack, Uint32Array.of(1, 2))).toEqual([[], []]);
});

test('what does not fit to the hierarchy is dropped, and never refuses a file', () => {
  const dropped = {
    'one list too few': similar.slice(0, -3),
    'one number too many': [...similar, 0],
    'a list that is cut': similar.slice(0, -1),
    'the root as similar': similar.with(2, 0),
    'a node that is not there': similar.with(2, 8),
    'a node similar to itself': similar.with(2, 1),
    'half a node': similar.with(2, 4.5),
    'more similar nodes than there may be': [0, 6, 2, 3, 4, 5, 6, 7, ...similar.slice(3)],
    'a text': similar.with(2, 'road' as unknown as number),
    null: similar.with(2, null as unknown as number),
    'no similar nodes': [0, 0, 0, 0, 0, 0, 0, 0],
    'an object': { 1: [4] },
    'a number': 4,
  };
  for (const [what, similar_nodes] of Object.entries(dropped))
    expect([what, treeWith({ hierarchy, similar_nodes }).tables.similar]).toEqual([what, undefined]);
  expect(treeWith({ similar_nodes: similar, hierarchy }).tables.similar).toBe(undefined);
  expect(treeWith({ hierarchy, similar_nodes: similar }).tables.similar).toBeDefined();
});

test('the check of a pack refuses rows that are no nodes', async () => {
  const tree = treeWith({ hierarchy, similar_nodes: similar });
  // The root's row is 0.
  tree.tables.similar!.to[0] = 0;
  await expect(packWith(tree)).rejects.toThrow(PackDamaged);
});
