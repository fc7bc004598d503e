import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import { expect, test } from 'vitest';
import { areDefaults, areThresholds, thresholdRanges } from './warnings.ts';

test('the usual thresholds are in range', () => {
  expect(areThresholds(defaultThresholds)).toBe(true);
  expect(areDefaults(defaultThresholds)).toBe(true);
});

test('thresholds are whole numbers between two ends', () => {
  for (const [name, [least, most]] of Object.entries(thresholdRanges)) {
    const having = (value: number) => areThresholds({ ...defaultThresholds, [name]: value });
    expect([least, most].map(having)).toEqual([true, true]);
    expect([least - 1, most + 1, least + 0.5, Number.NaN].map(having)).toEqual([false, false, false, false]);
  }
  expect(areDefaults({ ...defaultThresholds, oversized: 600 })).toBe(false);
});
