import { expect, test } from 'vitest';
import { depthOf } from './explorer-state.ts';

const state = { depth: undefined, usualDepth: '3', autoExpand: true, view: 'treemap', isSmall: false } as const;

test('the depth is the one that was chosen, else the one that is set for everybody', () => {
  expect(depthOf({ ...state, depth: '1' })).toBe('1');
  expect(depthOf(state)).toBe('3');
});

test('a tree on a small screen opens one level, whatever is set, unless somebody chooses', () => {
  expect(depthOf({ ...state, view: 'tree', isSmall: true })).toBe('1');
  expect(depthOf({ ...state, view: 'tree', isSmall: true, depth: 'all' })).toBe('all');
});

test('where branches are not opened by themselves a tree begins with one level, and the other views stay as deep', () => {
  expect(depthOf({ ...state, view: 'tree' })).toBe('3');
  expect(depthOf({ ...state, view: 'tree', autoExpand: false })).toBe('1');
  expect(depthOf({ ...state, view: 'tree', autoExpand: false, depth: '2' })).toBe('2');
  expect(depthOf({ ...state, autoExpand: false })).toBe('3');
});
