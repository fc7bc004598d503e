import { describe, expect, test } from 'vitest';
import { limits } from './limits.ts';
import { cleanViewName, isViewState, ordered, viewStateIn } from './saved-view.ts';

describe('the part of an address that a saved view keeps', () => {
  test.each([
    ['', ''],
    ['?view=sunburst&n=0123456789abcdef&color=difficulty', 'view=sunburst&n=0123456789abcdef&color=difficulty'],
    ['?v=sample&view=tree&t=dark', 'view=tree'],
    ['?f=has-running+shoes*volume-100_&q=gr%C3%BCn', 'f=has-running+shoes*volume-100_&q=gr%C3%BCn'],
    ['?q=%5Erun&match=regex&f=regex-%5Ea', 'q=%5Erun&match=regex&f=regex-%5Ea'],
    ['?sel=.0123456789abcdef.fedcba9876543210', 'sel=.0123456789abcdef.fedcba9876543210'],
    ['?cam=-12.5%2C30%2C2.25%2C1440%2C900', 'cam=-12.5%2C30%2C2.25%2C1440%2C900'],
    ['?view=tree&view=table', 'view=tree'],
    ['?d=all&steps=log&x=cpc&y=field%3AVisits', 'd=all&steps=log&x=cpc&y=field%3AVisits'],
  ])('%j: %j', (search, kept) => {
    expect(viewStateIn(search)).toBe(kept);
    expect(isViewState(kept)).toBe(true);
  });
});

test.each([
  'https://evil.example/?view=tree',
  '//evil.example',
  'view=//evil.example',
  'q=<script>alert(1)</script>',
  'q="onclick',
  'v=somebody-elses',
  't=dark',
  'redirect=%2F%2Fevil.example',
  '__proto__=1',
  'constructor=1',
  'n=0123',
  'n=0123456789ABCDEF',
  'sel=.',
  'd=0',
  'cam=1%2C2',
  'cam=NaN%2C1%2C2',
  'q=%ff',
  'q=%FF',
  'q=%',
  'q=',
  'q',
  '=1',
  'view=tree&',
  '?view=tree',
  'view=tree&view=tree',
  '#view=tree',
  'q=a\nb',
  `q=${'a'.repeat(401)}`,
])('%j is not a view', (text) => {
  expect(isViewState(text)).toBe(false);
});

test('the longest filter fits even if all of it is percent-encoded, and a longer text does not', () => {
  expect(isViewState(`f=${'%E6%97%A5'.repeat(1300)}`)).toBe(true);
  expect(`f=${'%E6%97%A5'.repeat(1400)}`.length).toBeGreaterThan(limits.maxViewStateLength);
  expect(isViewState(`f=${'%E6%97%A5'.repeat(1400)}`)).toBe(false);
});

test.each([
  ['  Trail shoes – Sunburst ', 'Trail shoes – Sunburst'],
  ['a\n\tb  c', 'a b c'],
  ['left\u202eright\0', 'leftright'],
  [' \u200f\u0007 ', ''],
])('the name %j becomes %j', (given, cleaned) => {
  expect(cleanViewName(given)).toBe(cleaned);
});

test('named views come first, in the given order, and the others follow', () => {
  expect(ordered(['a', 'b', 'c', 'd'], ['c', 'a'])).toEqual(['c', 'a', 'b', 'd']);
  expect(ordered(['a', 'b'], ['x', 'b', 'b'])).toEqual(['b', 'a']);
  expect(ordered([], ['x'])).toEqual([]);
});
