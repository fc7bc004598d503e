import { expect, test } from 'vitest';
import { previewOf } from './preview-tree.ts';

const shownBy = (defaultDepth: '1' | '2' | '3' | 'all', autoExpand = true) =>
  previewOf({ defaultDepth, autoExpand }).shown;

test('each depth shows its levels of the twelve nodes, and all of them all', () => {
  expect((['1', '2', '3', 'all'] as const).map((depth) => shownBy(depth).length)).toEqual([4, 8, 11, 12]);
  expect(previewOf({ defaultDepth: 'all', autoExpand: true })).toMatchObject({ nodes: 12, levels: 4 });
});

test('without auto-expand the first level stands there, whatever the depth', () => {
  expect(shownBy('3', false)).toEqual(shownBy('1'));
});

test('a branch whose children are not shown is closed; at full depth none is', () => {
  expect(shownBy('1').filter(({ isClosed }) => isClosed)).toHaveLength(3);
  expect(shownBy('3').filter(({ isClosed }) => isClosed)).toHaveLength(1);
  expect(shownBy('all').filter(({ isClosed }) => isClosed)).toEqual([]);
});

test('no two nodes of a level share a place, and each is a child of one a level above', () => {
  for (const depth of ['1', '2', '3', 'all'] as const) {
    const shown = shownBy(depth);
    const places = shown.map(({ level, y }) => `${level} ${y}`);
    expect(new Set(places).size).toBe(places.length);
    for (const { level, parent, y } of shown) {
      expect(level).toBe(parent ? parent.level + 1 : 0);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(1);
    }
  }
});
