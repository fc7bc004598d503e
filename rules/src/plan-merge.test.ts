import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from './limits.ts';
import { emptyFields, type PlanChange, type PlanFields } from './plan.ts';
import { type FieldMark, isEqualValue, type Marked, mergeChange, undoOf } from './plan-merge.ts';

const begun: Marked = { fields: emptyFields, marks: {} };
const by = (who: string, rev: number): FieldMark => ({ rev, by: who, at: rev });
const setting = (set: PlanChange['set']): PlanChange => ({ set, addTags: [], removeTags: [] });
const tagging = (addTags: string[], removeTags: string[] = []): PlanChange => ({ set: {}, addTags, removeTags });

test('a field that nobody has written since is set, and marked with its writer', () => {
  const merged = mergeChange(begun, setting({ status: 'planned' }), 0, by('ann', 1));
  expect(merged).toEqual({
    fields: { ...emptyFields, status: 'planned' },
    marks: { status: { rev: 1, by: 'ann', at: 1 } },
    changes: [{ field: 'status', before: 'idea', after: 'planned' }],
    conflicts: [],
    isFull: false,
  });
});

test('a field that somebody has set to another value since keeps it, and the other fields are set', () => {
  const first = mergeChange(begun, setting({ status: 'planned' }), 0, by('ann', 1));
  const second = mergeChange(first, setting({ status: 'written', assignee: 'Lena' }), 0, by('bob', 2));
  expect(second.conflicts).toEqual(['status']);
  expect(second.fields).toMatchObject({ status: 'planned', assignee: 'Lena' });
  expect(second.marks).toEqual({ status: by('ann', 1), assignee: by('bob', 2) });
});

test('a field that somebody has set to the same value since is no conflict', () => {
  const first = mergeChange(begun, setting({ status: 'planned' }), 0, by('ann', 1));
  const second = mergeChange(first, setting({ status: 'planned' }), 0, by('bob', 2));
  expect([second.conflicts, second.changes, second.marks]).toEqual([[], [], first.marks]);
});

test('a person who has seen the value of another may replace it', () => {
  const first = mergeChange(begun, setting({ status: 'planned' }), 0, by('ann', 1));
  expect(mergeChange(first, setting({ status: 'written' }), 1, by('bob', 2)).fields.status).toBe('written');
});

test('a person’s own waiting edits follow each other, unless somebody else has come between', () => {
  const first = mergeChange(begun, setting({ status: 'planned' }), 0, by('ann', 1));
  const second = mergeChange(first, setting({ status: 'written' }), 0, by('ann', 2));
  expect([second.fields.status, second.conflicts]).toEqual(['written', []]);
  const between = mergeChange(second, setting({ status: 'live' }), 2, by('bob', 3));
  expect(mergeChange(between, setting({ status: 'idea' }), 0, by('ann', 4)).conflicts).toEqual(['status']);
  const spared = mergeChange(second, setting({ status: 'live' }), 1, by('ann', 3), 'all');
  expect([spared.fields.status, spared.conflicts]).toEqual(['written', ['status']]);
});

test('tags of two people add up, and a removed tag is only that one', () => {
  const first = mergeChange(begun, tagging(['q2', 'money']), 0, by('ann', 1));
  const second = mergeChange(first, tagging(['blog'], ['q2']), 0, by('bob', 2));
  expect([second.fields.tags, second.conflicts]).toEqual([['blog', 'money'], []]);
});

test('tags beyond the limit are left out, and the answer says so', () => {
  const many = Array.from({ length: limits.maxPlanTags }, (_, at) => `tag ${String(at).padStart(2, '0')}`);
  const full = mergeChange(begun, tagging(many), 0, by('ann', 1));
  expect([full.fields.tags.length, full.isFull]).toEqual([limits.maxPlanTags, false]);
  const more = mergeChange(full, tagging(['zz']), 1, by('ann', 2));
  expect([more.fields.tags, more.isFull, more.changes]).toEqual([full.fields.tags, true, []]);
});

const change: fc.Arbitrary<PlanChange> = fc.record({
  set: fc.record(
    {
      isPlanned: fc.boolean(),
      status: fc.constantFrom('idea' as const, 'planned' as const, 'written' as const, 'live' as const),
      assignee: fc.constantFrom('', 'Lena', 'Tom'),
      note: fc.constantFrom('', 'short', 'long'),
    },
    { requiredKeys: [] },
  ),
  addTags: fc.subarray(['a', 'b', 'c']),
  removeTags: fc.subarray(['a', 'd', 'e']),
}) as fc.Arbitrary<PlanChange>;
/** Writes in their order on the server, each on a revision that its writer has seen by then. */
const history = fc.array(fc.record({ who: fc.constantFrom('ann', 'bob'), change, lag: fc.nat(4) }), { maxLength: 12 });

// Shows P24.2.
test('whatever people write at once, every value is in the history and the last of each field is shown', () => {
  fc.assert(
    fc.property(history, (writes) => {
      let entry: Marked = begun;
      const seen: Record<string, unknown[]> = {};
      for (const [at, { who, change: asked, lag }] of writes.entries()) {
        const merged = mergeChange(entry, asked, Math.max(0, at - lag), by(who, at + 1));
        // Nothing is replaced by somebody who has not seen it.
        for (const { field } of merged.changes) {
          const last = entry.marks[field];
          if (field !== 'tags' && last && last.by !== who) expect(last.rev).toBeLessThanOrEqual(Math.max(0, at - lag));
        }
        // Each asked field is set, was equal, or is a conflict.
        for (const [field, value] of Object.entries(asked.set)) {
          const isThere = isEqualValue(merged.fields[field as keyof PlanFields], value);
          expect(isThere !== merged.conflicts.includes(field as keyof PlanFields)).toBe(true);
        }
        for (const { field, before, after } of merged.changes) {
          // The history has no gap: each change begins with the value that the one before ended with.
          const values = seen[field] ?? [emptyFields[field]];
          seen[field] = values;
          expect(before).toEqual(values.at(-1));
          values.push(after);
        }
        entry = merged;
      }
      for (const [field, values] of Object.entries(seen)) {
        expect(entry.fields[field as keyof PlanFields]).toEqual(values.at(-1));
      }
    }),
  );
});

test('a change that is taken back at once leaves the fields as they were', () => {
  fc.assert(
    fc.property(history, change, (writes, last) => {
      const before = writes.reduce<Marked>(
        (entry, write, at) => mergeChange(entry, write.change, at, by(write.who, at + 1)),
        begun,
      );
      const rev = writes.length + 1;
      const done = mergeChange(before, last, rev - 1, by('ann', rev));
      const undone = mergeChange(done, undoOf(done.changes), rev, by('ann', rev + 1), 'all');
      expect([undone.fields, undone.conflicts]).toEqual([before.fields, []]);
    }),
  );
});

test('taking back leaves what somebody has changed since', () => {
  const first = mergeChange(begun, setting({ status: 'planned', assignee: 'Lena' }), 0, by('ann', 1));
  const second = mergeChange(first, setting({ status: 'live' }), 1, by('bob', 2));
  const undone = mergeChange(second, undoOf(first.changes), 1, by('ann', 3), 'all');
  expect([undone.fields.status, undone.fields.assignee, undone.conflicts]).toEqual(['live', '', ['status']]);
});
