import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { arraySink, arraySource, tablesOf } from '../../test/support/trees.ts';
import { pathTo } from '../format/locate.ts';
import { namesAt } from '../format/names-at.ts';
import { openPack, type PackReader } from '../format/pack-reader.ts';
import { buildTree } from '../tree/tree-builder.ts';
import type { UploadTables } from '../upload/upload-tables.ts';
import { writePack } from '../write/pack-writer.ts';
import { type KeywordCursor, listKeywords } from './list-keywords.ts';
import { runAround, siblingsOf } from './siblings.ts';

async function packOf(tables: UploadTables): Promise<PackReader> {
  const sink = arraySink();
  await writePack(buildTree(tables, [1, 2]), '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

/** The keywords of all pages in one list. */
async function allOf(pack: PackReader, node: number, limit: number): Promise<number[]> {
  const rows: number[] = [];
  let after: KeywordCursor | undefined;
  do {
    const page = await listKeywords(pack, node, limit, after);
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    after = page.next;
  } while (after);
  return rows;
}

test('the keywords of a branch come heaviest first, unknown volumes last, page by page', async () => {
  const pack = await packOf(tablesOf('r (a:cluster (x 5 y) b:cluster (c:cluster (z 7 x 5) w 9))'));
  const names = async (rows: number[]) => (await namesAt(pack, Uint32Array.from(rows))).join(' ');
  expect(await names(await allOf(pack, 0, 2))).toBe('w z x x y');
  expect(await names(await allOf(pack, 1, 3))).toBe('w z x');
});

test('pages of any size contain the keywords below a node, sorted', async () => {
  await fc.assert(
    fc.asyncProperty(tablesArbitrary, fc.nat(), fc.integer({ min: 1, max: 5 }), async (tables, pick, limit) => {
      const pack = await packOf(tables);
      const node = pick % pack.metadata.nodes;
      const isKeyword = await pack.column('is_keyword');
      const volume = await pack.column('own_volume');
      const weight = (row: number) => (Number.isNaN(volume?.[row] ?? Number.NaN) ? -1 : volume![row]!);
      const below: number[] = [];
      for (let row = 0; row < pack.metadata.nodes; row++) {
        if (isKeyword[row] === 1 && (await pathTo(pack, row)).includes(node)) below.push(row);
      }
      below.sort((one, other) => weight(other) - weight(one) || one - other);
      expect(await allOf(pack, node, limit)).toEqual(below);
    }),
    { numRuns: sampled(60) },
  );
});

test('a rank counts the siblings with a lower or an equal known value', async () => {
  const pack = await packOf(tablesOf('r ("trail shoes" 90 "road shoes" 50 "trail socks" 50 "sandals")'));
  const of = async (row: number) => siblingsOf(pack, row, await runAround(pack, row));
  const road = await of(2);
  expect(road?.count).toBe(3);
  expect(road?.standing).toEqual({
    keywords: { known: 3, below: 0, equal: 3 },
    volume: { known: 2, below: 0, equal: 1 },
  });
  expect((await of(1))?.standing.volume).toEqual({ known: 2, below: 2, equal: 0 });
  expect((await of(4))?.standing.volume).toBeUndefined();
  expect(await of(0)).toBeUndefined();
});

test('a node with too many siblings to compare has no rank, unless a filter keeps few of them', async () => {
  const leaves = Array.from({ length: 2 ** 18 + 1 }, (_, at) => `k${at}`);
  const pack = await packOf(tablesOf(`r (${leaves.join(' ')})`));
  expect(await runAround(pack, 5)).toBeUndefined();
  expect(await siblingsOf(pack, 5, await runAround(pack, 5))).toBeUndefined();
  expect(await runAround(pack, 5, (row) => row > 3 && row < 8)).toEqual(Uint32Array.of(4, 5, 6, 7));
  expect(await runAround(pack, 5, () => true)).toBeUndefined();
});

test('siblings are similar if they share words that are not in the parent', async () => {
  const pack = await packOf(
    tablesOf('"running shoes" ("trail running shoes" 9 "Trail shoes Women" 8 "shoes women" 7 "sandals" 6)'),
  );
  const of = async (row: number) =>
    (await siblingsOf(pack, row, await runAround(pack, row)))?.similar.map(({ name, shared }) => `${name}: ${shared}`);
  expect(await of(2)).toEqual(['trail running shoes: trail', 'shoes women: women']);
  expect(await of(4)).toEqual([]);
});
