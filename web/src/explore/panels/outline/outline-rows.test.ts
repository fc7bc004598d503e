import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { indentOf, type OutlineRow, outlineRows } from './outline-rows.ts';

function treeOf(text: string): LoadedTree {
  const tree = new LoadedTree();
  tree.merge(sliceOf(text));
  return tree;
}

function shown(tree: LoadedTree, lines: readonly OutlineRow[]): string[] {
  return lines.map(
    (line) => `${'·'.repeat(line.level - 1)}${line.kind === 'node' ? tree.name(line.row) : `+${line.nodes}`}`,
  );
}

const shop = treeOf('shop 100 (shoes 60 (trail 30 road 20 +2) hats 40)');
const row = (name: string) => Array.from({ length: shop.size }, (_, r) => r).find((r) => shop.name(r) === name)!;

describe('the rows of the outline', () => {
  test('a collapsed branch is one row', () => {
    expect(shown(shop, outlineRows(shop, 0, new Set()))).toEqual(['shop']);
  });

  test('an expanded branch shows its children, and how many of them are not loaded', () => {
    const lines = outlineRows(shop, 0, new Set([0, row('shoes')]));
    expect(shown(shop, lines)).toEqual(['shop', '·shoes', '··trail', '··road', '··+2', '·hats']);
    expect(lines[3]).toMatchObject({ position: 2, of: 4 });
  });

  test('another order changes the rows and nothing else', () => {
    const reversed = (row: number) => shop.children(row).toReversed();
    expect(shown(shop, outlineRows(shop, 0, new Set([0]), reversed))).toEqual(['shop', '·hats', '·shoes']);
  });

  test('loaded children that are not listed are counted in the last row', () => {
    const first = (row: number) => shop.children(row).subarray(0, 1);
    expect(shown(shop, outlineRows(shop, 0, new Set([0]), first))).toEqual(['shop', '·shoes', '·+1']);
  });
});

test('the indentation grows with the level, and at any depth leaves space for the name', () => {
  expect([1, 2, 6, 7, 16].map(indentOf)).toEqual([0, 14, 70, 74, 110]);
  expect(indentOf(500)).toBe(110);
});
