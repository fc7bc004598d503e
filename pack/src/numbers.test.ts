import { describe, expect, it } from 'vitest';
import { numberOfBytes, numberOfText } from './numbers.ts';

const cases: readonly (readonly [string, number])[] = [
  ['1300', 1300],
  ['1,300', 1300],
  ['1,234,567', 1234567],
  ['1.234.567', 1234567],
  ['1 300', 1300],
  ['1\u00a0300', 1300],
  ['1\u202f300', 1300],
  ["1'300", 1300],
  ['1,300.5', 1300.5],
  ['1.300,5', 1300.5],
  ['1,5', 1.5],
  ['0.45', 0.45],
  ['33.33%', 33.33],
  ['$1.20', 1.2],
  ['1,20 €', 1.2],
  ['1K – 10K', 5500],
  ['1K-10K', 5500],
  ['0-10', 5],
  ['10 - 100', 55],
  ['10 to 100', 55],
  ['>1k', 1000],
  ['<10', 10],
  ['1.5M', 1_500_000],
  ['1k+', 1000],
  ['-5', -5],
  [' 7 ', 7],
  ['', Number.NaN],
  ['-', Number.NaN],
  ['—', Number.NaN],
  ['n/a', Number.NaN],
  ['null', Number.NaN],
  ['unknown', Number.NaN],
  ['shoes 7', Number.NaN],
  ['1-2-3', Number.NaN],
  ['2026-05-01', Number.NaN],
  ['Infinity', Number.NaN],
];

describe('numbers', () => {
  it.each(cases)('reads %j as %d', (text, value) => {
    expect(numberOfText(text)).toBe(value);
    const bytes = Buffer.from(`"${text}"`);
    expect(numberOfBytes(bytes, 1, bytes.length - 1)).toBe(value);
  });

  it('takes prose for no number, however long', () => {
    const bytes = Buffer.from('1'.repeat(5000));
    expect(numberOfBytes(bytes, 0, bytes.length)).toBeNaN();
  });
});
