import { expect, test } from 'vitest';
import { monthText } from './months.ts';

test('a month is said in words, and what is none leaves its year', () => {
  expect(['2027-02', '1999-12', '2027-13'].map(monthText)).toEqual(['February 2027', 'December 1999', '2027']);
});
