import { typeWord } from '@kc/pack/filter-words/figure-name';
import { describe, expect, test } from 'vitest';
import { compact, counted, decimal, exact, knownFor, mean, money, share } from './figure-text.ts';

describe('numbers', () => {
  test('an unknown number is a word and never 0', () => {
    for (const write of [exact, compact, decimal]) {
      expect(write(undefined)).toBe('unknown');
      expect(write(Number.NaN)).toBe('unknown');
      expect(write(0)).toBe('0');
    }
  });

  test('large counts have an exact and a short form', () => {
    expect(exact(27_640)).toBe('27,640');
    expect(compact(27_640)).toBe('27.6K');
  });

  test('money has two decimals, a mean at most one', () => {
    expect([0, 0.3, 12.345].map(money)).toEqual(['0.00', '0.30', '12.35']);
    expect([0, 37, 41.26].map(mean)).toEqual(['0', '37', '41.3']);
    expect([money(Number.NaN), mean(undefined)]).toEqual(['unknown', 'unknown']);
  });

  test('a figure below one keeps three significant digits', () => {
    expect([0.003_424, 0.25, 0.345_67, -0.001, 1.256, 37].map(decimal)).toEqual([
      '0.00342',
      '0.25',
      '0.346',
      '-0.001',
      '1.26',
      '37',
    ]);
  });

  test('a share distinguishes nothing, almost nothing, almost everything and everything', () => {
    expect(share(0, 10)).toBe('0 %');
    expect(share(1, 100_000)).toBe('under 0.1 %');
    expect(share(1, 8)).toBe('12.5 %');
    expect(share(99_999, 100_000)).toBe('over 99.9 %');
    expect(share(10, 10)).toBe('100 %');
    expect(share(1, 0)).toBe('unknown');
    expect(share(Number.NaN, 5)).toBe('unknown');
  });

  // Shows P14.22.
  test('says how many values are known, if not all of them are', () => {
    expect([knownFor(0, 12), knownFor(3, 12)]).toEqual(['known for 0 of 12', 'known for 3 of 12']);
    expect([knownFor(12, 12), knownFor(0, 0)]).toEqual([undefined, undefined]);
  });

  test('words agree with their count', () => {
    expect(counted(1, 'keyword')).toBe('1 keyword');
    expect(counted(1204, 'keyword')).toBe('1,204 keywords');
    expect(typeWord('pillar_topic')).toBe('pillar topic');
    expect(typeWord('')).toBe('node');
  });
});
