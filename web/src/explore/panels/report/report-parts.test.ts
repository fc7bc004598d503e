import { expect, test } from 'vitest';
import { possibleParts } from './report-parts.tsx';

const own = { isKept: true, hasWarnings: true };

test('a report has the sections that its data can have', () => {
  expect(possibleParts(own, { vs: 'other' }, true)).toEqual([
    ...['picture', 'opportunities', 'plan', 'warnings', 'changes', 'method'],
  ]);
  expect(possibleParts(own, { vs: undefined }, false)).toEqual(['opportunities', 'plan', 'warnings', 'method']);
  expect(possibleParts({ isKept: false, hasWarnings: false }, { vs: undefined }, true)).toEqual([
    ...['picture', 'opportunities', 'method'],
  ]);
});
