import { expect, test } from 'vitest';
import { depthOf, layoutDepthOf } from './explorer-state.ts';

const state = { depth: undefined, usualDepth: '3', autoExpand: true, view: 'treemap' } as const;

test('a depth that somebody chose comes before the usual one', () => {
  expect(depthOf({ ...state, depth: '1' })).toBe('1');
  expect(depthOf({ ...state, autoExpand: false, depth: 'auto' })).toBe('auto');
  expect(depthOf({ ...state, view: 'tree', depth: 'all' })).toBe('all');
});

test('where branches open by themselves the depth starts at auto, in every view', () => {
  for (const view of ['treemap', 'bubbles', 'tree', 'table'] as const) expect(depthOf({ ...state, view })).toBe('auto');
});

test('where they are opened by hand it starts at the setting, and in a tree with one level', () => {
  expect(depthOf({ ...state, autoExpand: false })).toBe('3');
  expect(depthOf({ ...state, autoExpand: false, view: 'tree' })).toBe('1');
  expect(depthOf({ ...state, autoExpand: false, view: 'tree', depth: '2' })).toBe('2');
});

test('a layout is told the levels, or of auto how many open with a single readable name', () => {
  expect(layoutDepthOf(state)).toEqual({ depth: Number.POSITIVE_INFINITY, autoLevels: 3 });
  expect(layoutDepthOf({ ...state, usualDepth: 'all' }).autoLevels).toBe(Number.POSITIVE_INFINITY);
  expect(layoutDepthOf({ ...state, depth: '2' })).toEqual({ depth: 2 });
  expect(layoutDepthOf({ ...state, depth: 'all' })).toEqual({ depth: Number.POSITIVE_INFINITY });
});
