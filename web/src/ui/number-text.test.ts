import { describe, expect, test } from 'vitest';
import {
  agoText,
  bytesText,
  clockText,
  compactFigure,
  compactText,
  contentText,
  countText,
  dateText,
  durationText,
  numberText,
} from './number-text.ts';

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
  ])('at most %i and at least %i decimals are formatted like Intl', (max, min) => {
    const format = new Intl.NumberFormat('en', { maximumFractionDigits: max, minimumFractionDigits: min });
    for (const value of numbers(20_000)) expect(numberText(value, max, min)).toBe(format.format(value));
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

test('bytes are formatted in their unit', () => {
  expect([0, 999, 1_000, 8_123_456, 412_000_000, 1_200_000_000].map(bytesText)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 KB',
    '8.1 MB',
    '412 MB',
    '1.2 GB',
  ]);
});

test('durations are formatted in their unit', () => {
  expect([200, 45_000, 720_000, 7_200_000].map(durationText)).toEqual(['1 s', '45 s', '12 min', '2 h']);
});

// Shows P7.11.
test('an age is never, or a number of seconds, minutes, hours or days', () => {
  expect([undefined, 0, 1_500, 59_999, 60_000, 7_200_000, 259_200_000].map(agoText)).toEqual([
    'never',
    '0 seconds ago',
    '1 second ago',
    '59 seconds ago',
    '1 minute ago',
    '2 hours ago',
    '3 days ago',
  ]);
});

// Shows P7.11.
test('dates and counts are formatted as in the United States', () => {
  expect(dateText(Date.UTC(2026, 10, 20, 9, 30))).toBe('Nov 20, 2026, 09:30 AM');
  expect(clockText(Date.UTC(2026, 10, 20, 21, 5))).toBe('09:05 PM');
  expect(countText(27640)).toBe('27,640');
});

test('a file without a list of keywords is described by its nodes', () => {
  expect(contentText({ keywords: 27_640, nodes: 27_774 })).toBe('27,640 keywords');
  expect(contentText({ keywords: 1, nodes: 2 })).toBe('1 keyword');
  expect(contentText({ keywords: 0, nodes: 194_913 })).toBe('194,913 nodes');
});
