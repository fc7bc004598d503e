import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree, partOf } from '../../../../test/support/tree.ts';
import type { Glow } from '../../model/search-results.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { createIcicle } from '../icicle/layout.ts';
import { type Layout, markKind } from '../layout/layout.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { marksThatGlow } from './glow.ts';

const view = { width: 1440, height: 900 };
const window = { ...view, isWhole: true };
const options = {
  ...view,
  focus: 0,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'keywords',
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
} as const;

/** The server's response about hits, for a tree that is completely loaded. */
function glowOf(tree: LoadedTree, isHit: (row: number) => boolean, lastRow = Number.POSITIVE_INFINITY): Glow {
  const counts = new Map<number, number>();
  const hits = new Set<number>();
  for (let row = 0; row < tree.size; row++) {
    if (!isHit(row)) continue;
    hits.add(tree.node[row]!);
    for (let at = row; at >= 0; at = tree.parent[at]!) {
      counts.set(tree.node[at]!, (counts.get(tree.node[at]!) ?? 0) + 1);
      if (at === 0) break;
    }
  }
  for (const node of [...counts.keys()]) if (node > lastRow) counts.delete(node);
  return { counts, hits: new Set([...hits].filter((node) => node <= lastRow)), lastRow };
}

const layouts: readonly (readonly [string, () => Layout])[] = [
  ['treemap', createTreemap],
  ['tree', createTree],
  ['icicle', createIcicle],
  ['bubbles', createBubbles],
  ['sunburst', createSunburst],
];
const wide = () => sliceOf(`shop (${Array.from({ length: 9000 }, (_, i) => `k${i} 1`).join(' ')})`);
const shop = () => sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4 hoods 2) tail)');

describe.each(layouts)('hits glow in every view: %s', (_, create) => {
  // Shows P15.7.
  test('each hit in one mark: its own, or the one that represents it', () => {
    for (const slice of [shop(), wide()]) {
      const tree = loadTree(slice);
      for (const every of [1, 3, 7]) {
        const isHit = (row: number) => row > 0 && row % every === 0;
        const glow = glowOf(tree, isHit);
        const marks = create()(tree, { ...options, height: 5000 });
        const glowing = marksThatGlow(marks, tree, glow, window);
        expect(glowing.reduce((sum, { hits }) => sum + hits, 0)).toBe(glow.hits.size);
        expect(new Set(glowing.map(({ mark }) => mark)).size).toBe(glowing.length);
      }
    }
  });

  test('for a hit that is not loaded, the mark that represents its branch glows', () => {
    const whole = shop();
    const all = loadTree(whole);
    const names = Array.from({ length: all.size }, (_, row) => all.name(row));
    const top = ['shop', 'shoes', 'hats', 'tail'].map((name) => names.indexOf(name)).sort((a, b) => a - b);
    const loaded = loadTree(partOf(whole, top));
    const marks = create()(loaded, options);
    const glowing = marksThatGlow(
      marks,
      loaded,
      glowOf(all, (row) => ['trail', 'road', 'caps'].includes(names[row]!)),
      window,
    );
    const shown = glowing.map(({ mark, hits }) => [loaded.name(marks.row[mark]!), hits]);
    expect(shown.toSorted()).toEqual([
      ['hats', 1],
      ['shoes', 2],
    ]);
  });
});

test('a mark for several children shows how many of them are hits', () => {
  const tree = loadTree(wide());
  const marks = createTree()(tree, { ...options, height: 5000 });
  const tail = marks.kind.subarray(0, marks.count).indexOf(markKind.tail);
  expect(tail).toBeGreaterThan(0);
  const drawn = new Set(marks.row.subarray(0, marks.count));
  const glow = glowOf(tree, (row) => row > 0 && row % 2 === 0);
  const behind = [...glow.hits].filter((node) => !drawn.has(tree.rowOf(node))).length;
  const glowing = marksThatGlow(marks, tree, glow, window);
  expect(glowing.find(({ mark }) => mark === tail)).toEqual({ mark: tail, hits: behind });
});

test('a mark glows without a number if some of its children may be outside the viewport', () => {
  const tree = loadTree(wide());
  const marks = createTreemap()(tree, { ...options, camera: { x: 300, y: 200, k: 1.2 } });
  const tail = marks.kind.subarray(0, marks.count).indexOf(markKind.tail);
  const glow = glowOf(tree, (row) => row > 0);
  const glowing = marksThatGlow(marks, tree, glow, { ...view, isWhole: false });
  expect(glowing.length).toBeGreaterThan(0);
  if (tail >= 0) expect(glowing.find(({ mark }) => mark === tail)?.hits).toBe(0);
  for (const { mark, hits } of glowing) expect(hits).toBe(mark === tail ? 0 : 1);
});

test('a hit in children without hit counts makes their group glow', () => {
  const tree = loadTree(shop());
  const names = Array.from({ length: tree.size }, (_, row) => tree.name(row));
  const glow = glowOf(tree, (row) => names[row] === 'trail', tree.node[names.indexOf('running')]!);
  const marks = createTreemap()(tree, options);
  const glowing = marksThatGlow(marks, tree, glow, window);
  expect(glowing.map(({ mark, hits }) => [tree.name(marks.row[mark]!), hits])).toEqual([['running', 1]]);
});
