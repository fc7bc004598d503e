import type { PlanEntry } from '@kc/rules/plan-shapes';
import { expect, test } from 'vitest';
import { dueSoon } from './report-paper.tsx';

const entry = (due: string, status: PlanEntry['status'] = 'planned'): PlanEntry =>
  ({ id: due, due, status }) as unknown as PlanEntry;
const duesOf = (entries: readonly PlanEntry[], month: string) => dueSoon(entries, month).map(({ due }) => due);

test('what is due this month, in the next two or before is listed, the earliest first', () => {
  const entries = ['2027-03', '2027-01', '2026-11', '', '2026-02', '2027-02', '2026-12'].map((due) => entry(due));
  expect(duesOf(entries, '2026-12')).toEqual(['2026-02', '2026-11', '2026-12', '2027-01', '2027-02']);
});

test('what is live is not due any more', () => {
  expect(duesOf([entry('2026-11', 'live'), entry('2026-12', 'written')], '2026-11')).toEqual(['2026-12']);
});
