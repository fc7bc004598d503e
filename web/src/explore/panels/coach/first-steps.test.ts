import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { none } from '../../tree-data/columns.ts';
import { canDive, dismissFirstSteps, type Kept, stepDone, wantsFirstSteps } from './first-steps.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking. */
const tree = loadTree(sliceOf('shop (shoes (running 30 walking 5) hats)'));
const looking = { focus: 0, selected: none, expanded: new Set([0]), query: '' };
const done = (change: Partial<typeof looking>, before: Partial<typeof looking> = {}, inOutline = false) =>
  stepDone(tree, { ...looking, ...before, ...change }, { ...looking, ...before }, inOutline);

test('each step is completed by doing it', () => {
  expect(done({ focus: 1 })).toBe('dive');
  expect(done({ focus: 0 }, { focus: 1 })).toBe('climb');
  expect(done({ query: 'r' })).toBe('search');
  expect(done({ selected: 3 }, {}, true)).toBe('outline');
  expect(done({ expanded: new Set([0, 1]) }, {}, true)).toBe('outline');
});

test('hovering and similar changes complete no step', () => {
  expect(done({ selected: 3 })).toBeUndefined();
  expect(done({ query: 'ru' }, { query: 'r' })).toBeUndefined();
  expect(done({ query: '' }, { query: 'r' })).toBeUndefined();
});

test('diving is possible only if there is a branch', () => {
  expect([canDive(tree), canDive(loadTree(sliceOf('shop (a b)')))]).toEqual([true, false]);
});

test('the steps are shown until dismissed, for the visit or permanently', () => {
  const storage = (): Kept['forever'] => {
    const kept = new Map<string, string>();
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
  };
  const device = storage();
  const first = { forever: device, visit: storage() };
  expect(wantsFirstSteps(first)).toBe(true);
  dismissFirstSteps(first, 'visit');
  expect(wantsFirstSteps(first)).toBe(false);
  const second = { forever: device, visit: storage() };
  expect(wantsFirstSteps(second)).toBe(true);
  dismissFirstSteps(second, 'forever');
  expect([wantsFirstSteps(second), wantsFirstSteps({ forever: device, visit: storage() })]).toEqual([false, false]);
});
