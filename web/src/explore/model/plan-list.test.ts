import type { PlanEntry } from '@kc/rules/plan-shapes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedEntries, planColumns, tagChange, withFigures } from './plan-list.ts';

const entry = (path: string, fields: Partial<PlanEntry> = {}): PlanEntry =>
  ({
    id: path,
    path: path.split(' > '),
    status: 'idea',
    assignee: '',
    url: '',
    contentType: '',
    tags: [],
    note: '',
    due: '',
    keywords: 1,
    ...fields,
  }) as unknown as PlanEntry;
const names = (entries: readonly PlanEntry[]) => entries.map(({ id }) => id);

test('the largest volume comes first, unknown ones last in both directions, equal ones by path', () => {
  const all = [entry('b', { volume: 5 }), entry('a'), entry('c', { volume: 9 }), entry('aa', { volume: 5 })];
  expect(names(listedEntries(all, { by: 'volume', descending: true }))).toEqual(['c', 'aa', 'b', 'a']);
  expect(names(listedEntries(all, { by: 'volume', descending: false }))).toEqual(['aa', 'b', 'c', 'a']);
});

test('statuses are in the order of the work, and fields without a value come last', () => {
  const all = [entry('a', { status: 'live' }), entry('b'), entry('c', { status: 'written' })];
  expect(names(listedEntries(all, { by: 'status', descending: false }))).toEqual(['b', 'c', 'a']);
  const owned = [entry('a'), entry('b', { assignee: 'zoe' }), entry('c', { assignee: 'Ann' })];
  expect(names(listedEntries(owned, { by: 'assignee', descending: false }))).toEqual(['c', 'b', 'a']);
  expect(names(listedEntries(owned, { by: 'assignee', descending: true }))).toEqual(['b', 'c', 'a']);
});

test('only what lies within the focus is listed', () => {
  const all = [entry('chat'), entry('chat > live'), entry('chats > live'), entry('mail')];
  const sort = { by: 'name', descending: false } as const;
  expect(names(listedEntries(all, sort, ['chat']))).toEqual(['chat', 'chat > live']);
});

test('the order does not depend on the order of the entries', () => {
  const entryLists = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 3 }),
      volume: fc.option(fc.nat(3), { nil: undefined }),
      due: fc.constantFrom('', '2027-01', '2027-02'),
    }),
    { selector: ({ id }) => id, maxLength: 8 },
  );
  fc.assert(
    fc.property(entryLists, fc.constantFrom(...planColumns), fc.boolean(), (entries, { id: by }, descending) => {
      const all = entries.map(({ id, volume, due }) => entry(id, { due, ...(volume !== undefined && { volume }) }));
      const sorted = names(listedEntries(all, { by, descending }));
      expect(names(listedEntries([...all].reverse(), { by, descending }))).toEqual(sorted);
      expect([...sorted].sort()).toEqual(names(all).sort());
    }),
  );
});

test('a list of tags adds those that are new and removes those that are missing', () => {
  expect(tagChange(['a', 'b'], ' b,  new   tag ,,b')).toEqual({ addTags: ['new tag'], removeTags: ['a'] });
  expect(tagChange(['a'], '')).toEqual({ addTags: [], removeTags: ['a'] });
  expect(tagChange(['a'], 'a')).toEqual({ addTags: [], removeTags: [] });
});

test('figures are those of what the filter keeps, and without a filter, entries without a node stay', () => {
  const all = [
    entry('a', { volume: 9, keywords: 3 }),
    entry('b', { volume: 4, keywords: 2 }),
    entry('gone', { volume: 2 }),
  ];
  const covered = { share: 0.5, of: 'volume' } as const;
  const figures = [
    { entry: 'a', keywords: 1, volume: 5, covered },
    { entry: 'b', keywords: 1 },
  ];
  const rowsOf = (entries: ReturnType<typeof withFigures>) =>
    entries.map(({ id, keywords, volume, covered: share }) => [id, keywords, volume, share?.share]);
  expect(rowsOf(withFigures(all, figures, true))).toEqual([
    ['a', 1, 5, 0.5],
    ['b', 1, undefined, undefined],
  ]);
  expect(rowsOf(withFigures(all, figures, false)).at(-1)).toEqual(['gone', 1, 2, undefined]);
  expect(withFigures(all, undefined, false)).toBe(all);
  const byCovered = listedEntries(withFigures(all, figures, false), { by: 'covered', descending: false });
  expect(names(byCovered)).toEqual(['a', 'b', 'gone']);
});
