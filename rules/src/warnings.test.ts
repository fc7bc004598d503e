import { expect, test } from 'vitest';
import { areThresholds, areUsual, thresholdRanges, thresholdsOf, usualThresholds, warningKinds } from './warnings.ts';

test('the usual thresholds are in range, and every threshold belongs to a kind', () => {
  expect(areThresholds(usualThresholds)).toBe(true);
  expect(areUsual(usualThresholds)).toBe(true);
  expect(new Set(warningKinds.flatMap((kind) => thresholdsOf[kind]))).toEqual(new Set(Object.keys(thresholdRanges)));
});

test('thresholds are whole numbers between two ends', () => {
  for (const [name, [least, most]] of Object.entries(thresholdRanges)) {
    const having = (value: number) => areThresholds({ ...usualThresholds, [name]: value });
    expect([least, most].map(having)).toEqual([true, true]);
    expect([least - 1, most + 1, least + 0.5, Number.NaN].map(having)).toEqual([false, false, false, false]);
  }
  expect(areUsual({ ...usualThresholds, oversized: 600 })).toBe(false);
});
