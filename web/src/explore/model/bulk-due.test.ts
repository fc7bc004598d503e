import { expect, test } from 'vitest';
import type { PlanTarget } from './plan-state.ts';
import { dueGroups, peaksOfTargets } from './plan-state.ts';

const [a, b, c, d]: readonly PlanTarget[] = [{ entry: 'a' }, { node: '7' }, { entry: 'c' }, { node: '9' }] as const;
const targets = [a!, b!, c!, d!];
const entries = [
  { id: 'a', node: '1' },
  { id: 'b', node: '7' },
  { id: 'c', node: undefined },
];
const figures = [
  { entry: 'a', keywords: 1, peak: 11 },
  { entry: 'b', keywords: 1, peak: 0 },
  { entry: 'c', keywords: 1 },
];

test('targets have the peaks of their entries, by ID or by node, and others have none', () => {
  expect([...peaksOfTargets(targets, entries, figures)]).toEqual([
    [a, 11],
    [b, 0],
  ]);
  expect(peaksOfTargets(targets, entries, []).size).toBe(0);
});

// Shows P15.29.
test('each target is due the lead before its next peak, and those without one keep their month', () => {
  const peaks = peaksOfTargets(targets, entries, figures);
  const change = { set: { status: 'planned', due: '2020-01' }, addTags: ['x'], removeTags: [] } as const;
  const months = { newest: '2026-08', current: '2026-11' };
  // The newest month is August, so peak 11 is August and peak 0 is September.
  expect(dueGroups(targets, change, peaks, { ...months, lead: 2 })).toEqual([
    { targets: [c, d], change: { ...change, set: { status: 'planned' } } },
    { targets: [a], change: { ...change, set: { status: 'planned', due: '2027-06' } } },
    { targets: [b], change: { ...change, set: { status: 'planned', due: '2027-07' } } },
  ]);
  const atPeak = dueGroups([a!, b!], change, peaks, { ...months, lead: 0 }).map(({ change: { set } }) => set.due);
  expect(atPeak).toEqual(['2027-08', '2027-09']);
  const equal = new Map<PlanTarget, number>([
    [a!, 3],
    [b!, 3],
  ]);
  expect(dueGroups([a!, b!], change, equal, { ...months, lead: 1 })).toHaveLength(1);
});
