import { expect, test } from 'vitest';
import { previewOf } from './visualization-card.tsx';

const shownBy = (defaultDepth: '1' | '2' | '3' | 'all', autoExpand = true) =>
  previewOf({ defaultDepth, autoExpand }).shown;

test('each depth shows its levels of the twelve nodes, and All shows all of them', () => {
  expect((['1', '2', '3', 'all'] as const).map((depth) => shownBy(depth).length)).toEqual([4, 8, 11, 12]);
  expect(previewOf({ defaultDepth: 'all', autoExpand: true })).toMatchObject({ nodes: 12, levels: 4 });
});

test('without auto-expand only the first level is shown, whatever the depth', () => {
  expect(shownBy('3', false)).toEqual(shownBy('1'));
});

test('a branch whose children are hidden is collapsed; at full depth none is', () => {
  expect(shownBy('1').filter(({ isClosed }) => isClosed)).toHaveLength(3);
  expect(shownBy('3').filter(({ isClosed }) => isClosed)).toHaveLength(1);
  expect(shownBy('all').filter(({ isClosed }) => isClosed)).toEqual([]);
});

test('an opened topic shows as many levels as the default depth with auto-expand, and one without', () => {
  const levelsBelow = (defaultDepth: '1' | '2' | '3' | 'all', autoExpand: boolean) => {
    const { shown } = previewOf({ defaultDepth, autoExpand }, 0);
    expect(shown.filter(({ isOpened }) => isOpened)).toHaveLength(1);
    return Math.max(...shown.filter(({ topic }) => topic === 0).map(({ level }) => level)) - 1;
  };
  const depths = ['1', '2', '3', 'all'] as const;
  expect(depths.map((depth) => levelsBelow(depth, true))).toEqual([1, 2, 3, 3]);
  expect(depths.map((depth) => levelsBelow(depth, false))).toEqual([1, 1, 1, 1]);
});

test('opening a topic does not change the others', () => {
  for (const autoExpand of [true, false]) {
    const others = (opened?: number) =>
      previewOf({ defaultDepth: '2', autoExpand }, opened)
        .shown.filter(({ topic }) => topic !== undefined && topic !== 0)
        .map(({ level, topic, isClosed }) => [level, topic, isClosed]);
    expect(others(0)).toEqual(others());
  }
});

test('no two nodes of a level overlap, and each is a child of a node one level above', () => {
  for (const depth of ['1', '2', '3', 'all'] as const) {
    for (const opened of [undefined, 0]) {
      const { shown } = previewOf({ defaultDepth: depth, autoExpand: true }, opened);
      const places = shown.map(({ level, y }) => `${level} ${y}`);
      expect(new Set(places).size).toBe(places.length);
      for (const { level, parent, y } of shown) {
        expect(level).toBe(parent ? parent.level + 1 : 0);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(1);
      }
    }
  }
});
