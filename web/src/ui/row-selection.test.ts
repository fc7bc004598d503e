import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addRow,
  extendRange,
  isPickedRow,
  moveCursor,
  type Picks,
  rankAfter,
  rowAfterChange,
  rowsBetween,
  type Selection,
  toggleRow,
} from './row-selection.ts';

type Letters = Selection<string, Picks<string, string>>;
const listed = ['a', 'b', 'c', 'd', 'e'];
const empty: Letters = { cursor: undefined, picks: { rows: new Map() } };
const entry = (key: string) => [key, key] as const;
const toggled = (selection: Letters, key: string) => toggleRow(selection, key, entry(key));
const extended = (selection: Letters, to: string, list = listed) =>
  extendRange(selection, to, rowsBetween(list, selection.range?.from ?? selection.cursor ?? to, to).map(entry));
const picked = ({ picks }: Letters) => listed.filter((key) => isPickedRow(picks, key)).join('');

test('a row is picked, and put back', () => {
  const once = toggled(empty, 'b');
  expect(picked(once)).toBe('b');
  expect(picked(toggled(once, 'b'))).toBe('');
});

test('a range follows the cursor, even past where it began', () => {
  const from = toggled(empty, 'c');
  expect(picked(extended(from, 'e'))).toBe('cde');
  expect(picked(extended(extended(from, 'e'), 'd'))).toBe('cd');
  expect(picked(extended(extended(from, 'e'), 'a'))).toBe('abc');
});

test('a range begins at the cursor, and with no cursor at the row itself', () => {
  expect(picked(extended(moveCursor(empty, 'b'), 'c'))).toBe('bc');
  expect(picked(extended(empty, 'd'))).toBe('d');
});

test('a second range keeps what was picked before', () => {
  const first = extended(toggled(empty, 'a'), 'b');
  expect(picked(extended(toggled(first, 'd'), 'e'))).toBe('abde');
  expect(picked(extended(moveCursor(first, 'd'), 'e'))).toBe('abde');
});

test('a range whose beginning is not listed any more adds nothing', () => {
  expect(picked(extended(toggled(empty, 'c'), 'e', ['a', 'b', 'e']))).toBe('c');
});

test('the first row that is added by a click takes the row of the cursor, too', () => {
  const at = moveCursor(empty, 'b');
  const both = addRow(at, 'd', entry('d'), entry('b'));
  expect([...both.picks.rows.keys()]).toEqual(['b', 'd']);
  expect(picked(addRow(both, 'e', entry('e'), entry('d')))).toBe('bde');
  expect(picked(addRow(at, 'b', entry('b'), entry('b')))).toBe('b');
  expect(picked(addRow(at, 'd', entry('d'), undefined))).toBe('d');
});

test('all rows but some are picked, and a range takes these in again', () => {
  const all: Letters = { cursor: 'a', picks: { all: true, rows: new Map() } };
  const some = toggled(toggled(all, 'b'), 'd');
  expect(picked(some)).toBe('ace');
  expect(picked(extended(moveCursor(some, 'a'), 'c'))).toBe('abce');
});

test('whatever is done in whatever order, the picks are those counted from the whole history', () => {
  const step = fc.record({ act: fc.constantFrom('move', 'toggle', 'add', 'extend'), key: fc.constantFrom(...listed) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, isAll) => {
      const start: Letters = { cursor: undefined, picks: { ...(isAll && { all: true }), rows: new Map() } };
      const selection = steps.reduce((now, { act, key }) => {
        if (act === 'move') return moveCursor(now, key);
        if (act === 'toggle') return toggled(now, key);
        if (act === 'add')
          return addRow(now, key, entry(key), now.cursor === undefined ? undefined : entry(now.cursor));
        return extended(now, key);
      }, start);
      expect([picked(selection), selection.cursor]).toEqual(fromScratch(steps, isAll));
    }),
  );
});

/** The same computed row by row: for each row, whether it is picked after the steps. */
function fromScratch(steps: readonly { act: string; key: string }[], isAll: boolean): [string, string | undefined] {
  const state = new Map(listed.map((key) => [key, isAll]));
  const isNone = () => !isAll && [...state.values()].every((is) => !is);
  let cursor: string | undefined;
  for (const [at, { act, key }] of steps.entries()) {
    if (act === 'add' && isNone() && cursor !== undefined && cursor !== key) state.set(cursor, true);
    if (act === 'add' || act === 'toggle') state.set(key, !state.get(key));
    if (act !== 'toggle') cursor = key;
    // Of steps that extend one range, the last one counts.
    if (act !== 'extend' || steps[at + 1]?.act === 'extend') continue;
    const start = steps.findLastIndex((one, i) => i < at && one.act !== 'extend');
    const from = listed.indexOf((steps[start] ?? steps[0]!).key);
    const to = listed.indexOf(key);
    for (const one of listed.slice(Math.min(from, to), Math.max(from, to) + 1)) state.set(one, true);
  }
  return [listed.filter((key) => state.get(key)).join(''), cursor];
}

test('arrow keys move by one row, page keys by one page, and never past the ends', () => {
  const from = (rank: number) =>
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => rankAfter(key, rank, 30, 10));
  expect(from(15)).toEqual([14, 16, 5, 25, 0, 29]);
  expect(from(0)).toEqual([0, 1, 0, 10, 0, 29]);
  expect(from(29)).toEqual([28, 29, 19, 29, 0, 29]);
});

test('other keys do not move', () => {
  for (const key of ['a', 'Enter', 'ArrowLeft', 'constructor']) expect(rankAfter(key, 1, 3, 10)).toBeUndefined();
});

test('when the current row disappears, the next one takes over, or the previous one at the end', () => {
  const was = ['a', 'b', 'c', 'd'];
  expect(rowAfterChange('b', was, was)).toBe('b');
  expect(rowAfterChange('b', was, ['a', 'c', 'd'])).toBe('c');
  expect(rowAfterChange('b', was, ['a', 'd'])).toBe('d');
  expect(rowAfterChange('d', was, ['a', 'b', 'c'])).toBe('c');
  expect(rowAfterChange('b', was, ['x'])).toBeUndefined();
  expect(rowAfterChange('b', was, [])).toBeUndefined();
});
