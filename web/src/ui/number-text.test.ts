import { describe, expect, test } from 'vitest';
import { compactFigure, compactText, numberText } from './number-text.ts';

/** The same numbers in every run, of all magnitudes, many of them ties in their last decimal. */
function* numbers(count: number): Generator<number> {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < count; i++) {
    const value = next() * 10 ** (Math.floor(next() * 17) - 3);
    const decimals = Math.floor(next() * 4);
    yield i % 3 === 0 ? value : Number(`${Math.floor(value)}.${'0025'.slice(decimals)}5`);
  }
}

describe('numbers without Intl', () => {
  test.each([
    [0, 0],
    [1, 0],
    [2, 0],
    [2, 2],
  ])('at most %i and at least %i decimals are formatted like Intl', (most, least) => {
    const format = new Intl.NumberFormat('en', { maximumFractionDigits: most, minimumFractionDigits: least });
    for (const value of numbers(20_000)) expect(numberText(value, most, least)).toBe(format.format(value));
  });

  test('short numbers are formatted like Intl', () => {
    const format = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
    for (const value of numbers(20_000)) expect(compactText(value)).toBe(format.format(value));
    expect([0, 999, 999.96, 1204, 18_618, 165_830, 999_949, 999_950, 12_586_000].map(compactText)).toEqual([
      '0',
      '999',
      '1K',
      '1.2K',
      '18.6K',
      '165.8K',
      '999.9K',
      '1M',
      '12.6M',
    ]);
  });

  test('numbers below one have three significant digits', () => {
    const format = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
    for (const value of numbers(2_000)) expect(compactFigure(1 / (value + 2))).toBe(format.format(1 / (value + 2)));
    expect([0, 0.25, 0.9996, 0.003_424, 4.12, 18_618, 0.000_000_123_4].map(compactFigure)).toEqual([
      '0',
      '0.25',
      '1',
      '0.00342',
      '4.1',
      '18.6K',
      '0.000000123',
    ]);
  });

  test('ties round away from zero, and there is no minus zero', () => {
    expect([1.005, -1.005, 0.125].map((value) => numberText(value, 2))).toEqual(['1.01', '-1.01', '0.13']);
    expect([-0.001, 0.000_000_1, -0].map((value) => numberText(value, 2))).toEqual(['0', '0', '0']);
    expect([-12_345, -999_950].map(compactText)).toEqual(['-12.3K', '-1M']);
  });

  test('numbers beyond the safe integers are still formatted', () => {
    expect(numberText(2 ** 53, 2, 2)).toBe('9,007,199,254,740,992.00');
    expect(compactText(1.2e15)).toBe('1,200T');
  });
});
