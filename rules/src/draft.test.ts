import { expect, test } from 'vitest';
import { canStart, canStop, draftPercent, draftStates } from './draft.ts';

test('the percentage of a draft never falls while it is received and clustered', () => {
  const steps = [
    draftPercent('receiving', { received: 0 }),
    draftPercent('receiving', { received: 0.5 }),
    draftPercent('receiving', { received: 1 }),
    draftPercent('queued', {}),
    ...[0, 0.5, 1].map((share) => draftPercent('working', { share })),
    draftPercent('ready', {}),
  ];
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect([steps[0], steps[2], steps.at(-2), steps.at(-1)]).toEqual([10, 60, 100, 100]);
});

test('publishing takes the percentages of the second half of an upload', () => {
  expect([0, 0.5, 1].map((share) => draftPercent('publishing', { share }))).toEqual([60, 80, 100]);
  expect(draftPercent('published', {})).toBe(100);
});

test('a share outside 0 to 1 counts as the nearest one', () => {
  expect(draftPercent('receiving', { received: 1.5 })).toBe(60);
  expect(draftPercent('working', { share: -1 })).toBe(60);
});

test('a draft can be started again when it does not run, and stopped while it does', () => {
  expect(draftStates.filter(canStart)).toEqual(['stopped', 'failed']);
  expect(draftStates.filter(canStop)).toEqual(['queued', 'working']);
});
