import { expect, test } from 'vitest';
import { confidenceOf, confidenceSpan } from './figure-text.ts';

test('a step of the legend has the words of all percents in it', () => {
  const steps = [
    [undefined, 44],
    [44, 50],
    [44, 50.5],
    [50, 80],
    [72, 81],
    [80, undefined],
    [undefined, undefined],
  ] as const;
  expect(steps.map(([from, to]) => confidenceSpan({ from, to }))).toEqual([
    'weak',
    'weak',
    'weak to fair',
    'fair',
    'fair to strong',
    'strong',
    'weak to strong',
  ]);
  for (let from = 0; from < 100; from++) expect(confidenceSpan({ from, to: from + 1 })).toBe(confidenceOf(from).word);
});
