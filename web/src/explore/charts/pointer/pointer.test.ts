import { beforeEach, expect, test, vi } from 'vitest';
import type { Explorer } from '../../model/explorer.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import { none } from '../../tree-data/columns.ts';
import { createClick, zoomOrPan } from './pointer.ts';

const calls: string[] = [];
const record = (name: string) => (row?: number) => void calls.push(row === undefined ? name : `${name} ${row}`);

beforeEach(() => {
  calls.length = 0;
  vi.stubGlobal('navigator', { platform: 'Linux' });
  return () => vi.unstubAllGlobals();
});

/** Clicks with row 1 as the focus and row 2 selected. */
function clickIn(state: Partial<ExplorerState> = {}) {
  const explorer = {
    store: { getState: () => ({ view: 'treemap', focus: 1, selected: 2, ...state }) },
    select: record('select'),
    climb: record('climb'),
    unfold: record('unfold'),
    focusOn: record('focus'),
  } as unknown as Explorer;
  const click = createClick({ explorer, stage: { zoomBy: record('zoom'), hiddenAt: () => expect.unreachable() } });
  return (row: number | undefined, isTail = false, timeStamp = 0): readonly string[] => {
    calls.length = 0;
    const target = row === undefined ? undefined : { row, mark: 0, isTail, isGone: false };
    click({ timeStamp } as PointerEvent, target, { x: 5, y: 5 });
    return [...calls];
  };
}

test('a click selects a node, one on the selection focuses it, one on nothing clears the selection', () => {
  const click = clickIn();
  expect(click(3)).toEqual(['select 3']);
  expect(click(undefined)).toEqual([`select ${none}`]);
  expect(click(2)).toEqual(['focus 2']);
});

test('the second click of a double-click that focused a branch does nothing; a later one counts again', () => {
  const click = clickIn();
  expect(click(2, false, 1000)).toEqual(['focus 2']);
  expect(click(3, false, 1499)).toEqual([]);
  expect(click(3, false, 1500)).toEqual(['select 3']);
});

test('the remainder of the focus unfolds and is zoomed into, that of another branch is focused', () => {
  expect(clickIn()(1, true)).toEqual(['unfold 1', 'zoom 8']);
  expect(clickIn()(3, true)).toEqual(['focus 3']);
});

test('the tree unfolds every remainder, and does not zoom in for that', () => {
  expect(clickIn({ view: 'tree' })(3, true)).toEqual(['unfold 3']);
  expect(clickIn({ view: 'tree' })(1, true)).toEqual(['unfold 1']);
});

test.each([
  ['keywords', 12],
  ['clusters', 340],
] as const)('what is gone from a branch is listed, as %s if that is what it was', (changeLevel, keywords) => {
  const store = { getState: () => ({ view: 'treemap', focus: 1 }), setState: vi.fn() };
  const explorer = { store, tree: { addressOf: () => 'aaaaaaaaaaaaaaaa' } };
  const click = createClick({
    explorer: explorer as unknown as Explorer,
    stage: { zoomBy: record('zoom'), hiddenAt: () => ({ nodes: 12, keywords, volume: 0, isGone: true }) },
  });
  const target = { row: 1, mark: 4, isTail: true, isGone: true };
  click({ timeStamp: 0 } as PointerEvent, target, { x: 5, y: 5 });
  const changesIn = 'aaaaaaaaaaaaaaaa';
  const shown = { panel: 'changes', changeKind: 'gone', changeLevel, changesIn, detailOpen: true };
  expect(store.setState.mock.calls).toEqual([[shown]]);
});

test('the disc in the middle of a sunburst leads up, except at the root', () => {
  expect(clickIn({ view: 'sunburst' })(1)).toEqual(['climb']);
  expect(clickIn({ view: 'sunburst', focus: 0 })(0)).toEqual(['select 0']);
  expect(clickIn()(1)).toEqual(['select 1']);
});

/** Turns a wheel in Firefox, which counts the lines of a mouse wheel, or in another browser. */
function wheel(deltaX: number, deltaY: number, deltaMode: number) {
  const stage = { zoomBy: vi.fn(), panBy: vi.fn() };
  zoomOrPan(stage, { deltaX, deltaY, deltaMode, ctrlKey: false, metaKey: false } as WheelEvent, { x: 5, y: 5 });
  return { zooms: stage.zoomBy.mock.calls, pans: stage.panBy.mock.calls };
}
const [pixels, lines] = [0, 1];

test('a wheel that turns zooms in and out, whatever its browser counts', () => {
  expect(wheel(0, -3, lines)).toEqual({ zooms: [[1.2, 5, 5, true]], pans: [] });
  expect(wheel(0, 120, pixels)).toEqual({ zooms: [[1 / 1.2, 5, 5, true]], pans: [] });
});

test('a wheel that is tilted pans to that side, whatever its browser counts', () => {
  expect(wheel(100, 0, pixels)).toEqual({ zooms: [], pans: [[-100, -0]] });
  expect(wheel(3, 0, lines)).toEqual({ zooms: [], pans: [[-99, -0]] });
  expect(wheel(-3, 0, lines)).toEqual({ zooms: [], pans: [[99, -0]] });
});
