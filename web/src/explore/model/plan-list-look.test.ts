import { planStatuses } from '@kc/pack/vocabulary/choices';
import { contentTypes } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  defaultPlanSort,
  dueChoices,
  dueOf,
  isListed,
  monthAfter,
  monthOf,
  planColumns,
  readPlanList,
  writePlanList,
} from './plan-list.ts';

const entry = (fields: Partial<PlanEntry>): PlanEntry =>
  ({ status: 'idea', assignee: '', contentType: '', tags: [], due: '', ...fields }) as unknown as PlanEntry;

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const looks = fc
  .record({
    by: fc.constantFrom(...planColumns.map(({ id }) => id)),
    descending: fc.boolean(),
    status: optional(fc.constantFrom(...planStatuses)),
    assignee: optional(fc.string({ unit: 'grapheme', maxLength: 80 })),
    account: optional(fc.uuid()),
    contentType: optional(fc.constantFrom(...contentTypes, '' as const)),
    tag: optional(fc.string({ unit: 'grapheme', maxLength: 40 })),
    due: optional(fc.constantFrom(...dueChoices)),
  })
  .map(({ by, descending, ...filter }) => ({
    sort: { by, descending },
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
  }));

test('a look survives the address', () => {
  fc.assert(
    fc.property(looks, (look) => {
      expect(readPlanList(writePlanList(look))).toEqual(look);
    }),
  );
  expect(writePlanList({ sort: defaultPlanSort, filter: {} })).toBe('');
});

test('what cannot be read is left out', () => {
  expect(readPlanList('by=-colour&status=done&due=never&contentType=Poem&x=1')).toEqual({
    sort: defaultPlanSort,
    filter: {},
  });
});

// Shows P15.31.
test('each condition keeps its own entries, and an empty text those without a value', () => {
  const all = [
    entry({ assignee: 'Lena', tags: ['a', 'b'], status: 'planned', contentType: 'Guide' }),
    entry({ assignee: 'Ana', due: '2026-12' }),
    entry({}),
  ];
  const listed = (filter: Parameters<typeof isListed>[1]) =>
    all.flatMap((one, at) => (isListed(one, filter, '2026-11') ? [at] : []));
  expect(listed({})).toEqual([0, 1, 2]);
  expect(listed({ assignee: 'Lena' })).toEqual([0]);
  expect(listed({ assignee: '' })).toEqual([2]);
  expect(listed({ tag: 'b' })).toEqual([0]);
  expect(listed({ tag: '' })).toEqual([1, 2]);
  expect(listed({ status: 'idea' })).toEqual([1, 2]);
  expect(listed({ contentType: 'Guide' })).toEqual([0]);
  expect(listed({ due: 'soon', assignee: 'Ana' })).toEqual([1]);
});

test('the entries of a person are listed under every name that the person takes', () => {
  const filter = readPlanList('account=person-1').filter;
  const entryOf = (assignee: string) => entry({ assignee, assigneeId: 'person-1' });
  expect(['Lena', 'Lena Berg'].map((name) => isListed(entryOf(name), filter, '2026-11'))).toEqual([true, true]);
  expect(isListed(entry({ assignee: 'Lena' }), filter, '2026-11')).toBe(false);
});

test('an entry is due by the month of the reader', () => {
  const at = (due: string, status: PlanEntry['status'] = 'planned') => dueOf({ due, status }, '2026-11');
  expect(['', '2026-10', '2026-11', '2027-01', '2027-02'].map((due) => at(due))).toEqual([
    ...['none', 'overdue', 'soon', 'soon', 'later'],
  ]);
  expect(at('2026-10', 'live')).toBeUndefined();
  expect(monthOf(new Date(2026, 0, 31))).toBe('2026-01');
  expect([monthAfter('2026-11', 2), monthAfter('2026-12', 0), monthAfter('2026-01', 12)]).toEqual([
    ...['2027-01', '2026-12', '2027-01'],
  ]);
});
