import { expect, test } from 'vitest';
import { depthOf, layoutDepthOf } from './explorer-state.ts';

const state = { depth: undefined, defaultDepth: '3', autoExpand: true, view: 'treemap' } as const;

test('a depth that the user chose takes precedence over the default', () => {
  expect(depthOf({ ...state, depth: '1' })).toBe('1');
  expect(depthOf({ ...state, autoExpand: false, depth: 'auto' })).toBe('auto');
  expect(depthOf({ ...state, view: 'tree', depth: 'all' })).toBe('all');
});

// Shows P11.7.
test('if branches expand automatically, the depth starts at auto in every view', () => {
  for (const view of ['treemap', 'bubbles', 'tree', 'table'] as const) expect(depthOf({ ...state, view })).toBe('auto');
});

test('otherwise it starts at the setting, and at one level in the Tree view', () => {
  expect(depthOf({ ...state, autoExpand: false })).toBe('3');
  expect(depthOf({ ...state, autoExpand: false, view: 'tree' })).toBe('1');
  expect(depthOf({ ...state, autoExpand: false, view: 'tree', depth: '2' })).toBe('2');
});

test('a layout gets the number of levels, or for auto the number to open while a single name is readable', () => {
  expect(layoutDepthOf(state)).toEqual({ depth: Number.POSITIVE_INFINITY, autoLevels: 3 });
  expect(layoutDepthOf({ ...state, defaultDepth: 'all' }).autoLevels).toBe(Number.POSITIVE_INFINITY);
  expect(layoutDepthOf({ ...state, depth: '2' })).toEqual({ depth: 2 });
  expect(layoutDepthOf({ ...state, depth: 'all' })).toEqual({ depth: Number.POSITIVE_INFINITY });
});
