import { expect, test } from 'vitest';
import { type AppliedEdit, appliedBetween } from './draft-editor.ts';
import { placesAfter } from './revision-bar.ts';

const [a, b, c, d] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc', 'dddddddddddddddd'];
const renamed: AppliedEdit = {
  edit: { kind: 'operate', operation: { kind: 'rename', node: a, name: 'views' } },
  effect: { code: 'draft/renamed', node: c },
  addresses: new Map([[a, c]]),
  origins: new Map(),
  ...{ from: 'view 0', to: 'view 1', requestedAt: undefined },
};
const excluded: AppliedEdit = {
  edit: { kind: 'operate', operation: { kind: 'exclude', nodes: [a] } },
  effect: { code: 'draft/excluded' },
  addresses: new Map(),
  origins: new Map(),
  ...{ from: 'view 0', to: 'view 1', requestedAt: undefined },
};

test('the focus follows a renamed node, and the result is selected', () => {
  expect(placesAfter(`?v=d&n=${a}&sel=${b}`, [renamed], true)).toBe(`?v=d&n=${c}&sel=${c}`);
});

test('whoever has selected something else meanwhile stays there', () => {
  expect(placesAfter(`?v=d&n=${a}&sel=${b}`, [renamed], false)).toBe(`?v=d&n=${c}&sel=${b}`);
  expect(placesAfter(`?v=d&sel=${a}`, [renamed], false)).toBe(`?v=d&sel=${c}`);
});

test('what an operation took away is not selected any more', () => {
  expect(placesAfter(`?v=d&sel=${a}`, [excluded], true)).toBe('?v=d');
  expect(placesAfter(`?v=d&sel=${b}`, [excluded], true)).toBe(`?v=d&sel=${b}`);
});

test('undoing a move selects what had been moved, and leaves the focus in the place that it had been moved to', () => {
  const undone: AppliedEdit = { ...excluded, edit: { kind: 'undo' }, origins: new Map([[a, b]]) };
  expect(placesAfter(`?v=d&n=${a}&sel=${a}`, [undone], true)).toBe(`?v=d&n=${a}&sel=${b}`);
});

test('camera, view and filter stay', () => {
  const search = '?v=d&view=tree&cam=1%2C2%2C3';
  expect(placesAfter(search, [renamed], false)).toBe(search);
  expect(placesAfter(search, [], true)).toBe(search);
});

test('after two edits, focus and selection follow what either of them renamed or merged', () => {
  const merged: AppliedEdit = {
    edit: { kind: 'operate', operation: { kind: 'merge', nodes: [b, d] } },
    effect: { code: 'draft/merged', node: d },
    addresses: new Map([[b, d]]),
    origins: new Map(),
    ...{ from: 'view 1', to: 'view 2', requestedAt: undefined },
  };
  expect(placesAfter(`?v=d&n=${a}&sel=${b}`, [renamed, merged], false)).toBe(`?v=d&n=${c}&sel=${d}`);
  expect(placesAfter(`?v=d&sel=${a}`, [renamed, merged], false)).toBe(`?v=d&sel=${c}`);
});

test('the answers between two revisions are those that led from one to the other', () => {
  const step = (from: string, to: string): AppliedEdit => ({ ...excluded, from, to });
  const [one, undone, other, lock] = [step('0', '1'), step('1', '0'), step('0', '2'), step('2', '2')];
  const all = [one, undone, other, lock];
  expect(appliedBetween(all, '0', '2')).toEqual([other, lock]);
  expect(appliedBetween(all, '1', '2')).toEqual([undone, other, lock]);
  // What was undone before its revision had opened.
  expect(appliedBetween([one, undone], '0', '0')).toEqual([]);
  // Somebody else has edited.
  expect(appliedBetween(all, '0', '3')).toEqual([]);
  expect(appliedBetween([], '0', '1')).toEqual([]);
});
