import { expect, test } from 'vitest';
import {
  clusteredShare,
  clusteringSecondsLeft,
  firstRates,
  ratesOf,
  type StageRates,
  secondsFor,
} from './clustering-time.ts';
import { draftStages } from './draft.ts';

/** A hundredth of a second per keyword in all. */
const rates: StageRates = { read: 1, variants: 1, meaning: 4, neighbours: 2, clusters: 1, names: 0.5, write: 0.5 };

test('a list takes its keywords times the rates; one with groups only reading and writing', () => {
  expect(secondsFor(rates, 1_500)).toBe(15);
  expect(secondsFor(rates, 1_500, true)).toBe(5);
  expect(secondsFor(rates, 12_000, true)).toBe(30);
});

test('seconds come in steps of 5 below a minute, of 60 above, and are never 0', () => {
  expect([1, 1_240, 1_260, 5_740, 5_760, 8_900, 9_100].map((keywords) => secondsFor(rates, keywords))).toEqual([
    5, 10, 15, 55, 60, 60, 120,
  ]);
});

test('the rate of a stage is that of the runs that had it, by their keywords', () => {
  const runs = [
    { keywords: 1_000, stages: { read: 1_000, meaning: 9_000 } },
    { keywords: 3_000, stages: { read: 1_000 } },
  ];
  expect(ratesOf(runs)).toEqual({ ...firstRates, read: 0.5, meaning: 9 });
  expect(ratesOf([])).toEqual(firstRates);
});

const place = {
  stage: 'meaning' as const,
  share: undefined,
  elapsedMs: 60_000,
  stageMs: 0,
  keywords: 10_000,
};

// Shows P21.11.
test('what is left is the rest of the stage and the stages after it', () => {
  // 40 s of meaning, then 4 ms for each of 10,000.
  expect(clusteringSecondsLeft(rates, { ...place, stageMs: 30_000 })).toBe(50);
  expect(clusteringSecondsLeft(rates, { ...place, stage: 'write', stageMs: 5_000 })).toBe(5);
});

test('a stage that counts is judged by its own speed', () => {
  // A quarter in 5 s, so 15 s; then 40 s.
  expect(clusteringSecondsLeft(rates, { ...place, share: 0.25, stageMs: 5_000 })).toBe(55);
  expect(clusteringSecondsLeft(rates, { ...place, share: 0.25, stageMs: 100_000 })).toBe(360);
  expect(clusteringSecondsLeft(rates, { ...place, share: 0.01, stageMs: 30_000 })).toBe(50);
});

test('there is no estimate in the first three seconds, before keywords are counted, or for a stage far over its time', () => {
  expect(clusteringSecondsLeft(rates, { ...place, elapsedMs: 2_999 })).toBeUndefined();
  expect(clusteringSecondsLeft(rates, { ...place, keywords: undefined })).toBeUndefined();
  expect(clusteringSecondsLeft(rates, { ...place, stage: 'neighbours', stageMs: 30_000 })).toBe(20);
  expect(clusteringSecondsLeft(rates, { ...place, stage: 'neighbours', stageMs: 30_001 })).toBeUndefined();
});

test('what is done of the work is weighed by the time that stages take', () => {
  const share = (stage: (typeof draftStages)[number], own = 0) =>
    clusteredShare(rates, { ...place, stage, share: own });
  expect(draftStages.map((stage) => share(stage))).toEqual([0, 0.1, 0.2, 0.6, 0.8, 0.9, 0.95]);
  expect([share('meaning', 0.5), share('write', 1), share('write', 2)]).toEqual([0.4, 1, 1]);
});

// Shows P21.11.
test('a stage that does not say how far it is moves on by its time, and never reaches the next one', () => {
  // 20 s of neighbours, a fifth of the work, after three fifths.
  const after = (stageMs: number) => clusteredShare(rates, { ...place, stage: 'neighbours', stageMs });
  expect(after(0)).toBe(0.6);
  expect(after(20_000)).toBeCloseTo(0.6 + 0.2 * (1 - 1 / Math.E), 9);
  const shares = [0, 1, 2, 5, 10, 20, 60].map((seconds) => after(1_000 * seconds));
  expect(shares).toEqual([...new Set(shares)].toSorted((one, other) => one - other));
  expect(shares.at(-1)).toBeLessThan(0.8);
  expect(clusteredShare(rates, { ...place, keywords: undefined, stageMs: 9_000 })).toBe(0.2);
});
