import type { PlanEntry } from '@kc/rules/plan-shapes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsText, noPlan, type PlanStamp, type PlanState, planStampOf, statusText } from './plan-state.ts';

type Short = { id: string; node: string | undefined; status: PlanEntry['status']; isPlanned: boolean; note: string };

const stateOf = (entries: readonly Short[], revision: number): PlanState => ({
  ...noPlan,
  isLoaded: true,
  revision,
  entries: new Map(entries.map((one) => [one.id, { ...one, rev: revision } as unknown as PlanEntry])),
});
const textsOf = (entries: readonly Short[]) =>
  JSON.stringify(
    entries
      .filter(({ isPlanned, node }) => isPlanned && node !== undefined)
      .map(({ id, node, status }) => [id, node, status])
      .sort(),
  );

// Shows P24.10.
test('the stamp changes exactly when a node gets another status, in any order of changes', () => {
  const entry = fc.record<Short>({
    id: fc.constantFrom('a', 'b', 'c'),
    node: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
    status: fc.constantFrom('idea', 'planned', 'written', 'live'),
    isPlanned: fc.boolean(),
    note: fc.constantFrom('', 'x'),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 30 }), (changes) => {
      const entries = new Map<string, Short>();
      let known: PlanStamp | undefined;
      let before = textsOf([]);
      const stamps = new Map<string, string>();
      known = planStampOf(stateOf([], 0), known, statusText);
      stamps.set(known!.stamp, before);
      for (const [at, change] of changes.entries()) {
        entries.set(change.id, change);
        const now = textsOf([...entries.values()]);
        const next = planStampOf(stateOf([...entries.values()], at + 1), known, statusText);
        if (now === before) expect(next).toBe(known);
        else {
          // A stamp never comes back for another state.
          expect(stamps.has(next!.stamp)).toBe(false);
          stamps.set(next!.stamp, now);
        }
        [known, before] = [next, now];
      }
    }),
  );
});

test('there is none before the plan is loaded', () => {
  expect(planStampOf(noPlan, undefined, statusText)).toBeUndefined();
});

test('the stamp of fields changes with each of them, and not with the status', () => {
  const fields = { assignee: '', contentType: '', tags: [] as string[], due: '', status: 'idea', note: '' };
  const state = (change: Partial<typeof fields>, revision: number) =>
    stateOf([{ id: 'a', node: '1', isPlanned: true, ...fields, ...change } as unknown as Short], revision);
  const first = planStampOf(state({}, 1), undefined, fieldsText);
  expect(planStampOf(state({ status: 'live', note: 'x' }, 2), first, fieldsText)).toBe(first);
  for (const change of [{ assignee: 'Lena' }, { contentType: 'Guide' }, { tags: ['a'] }, { due: '2026-12' }])
    expect(planStampOf(state(change, 2), first, fieldsText)?.stamp).not.toBe(first!.stamp);
});
