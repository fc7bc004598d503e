import { expect, test } from 'vitest';
import { shownLabel, shownValue } from './fields-of-file.tsx';

test('empty values are unknown, and 0 is 0', () => {
  for (const open of [null, undefined, '', []]) expect(shownValue(open)).toEqual({ kind: 'unknown' });
  expect(shownValue(0)).toEqual({ kind: 'text', text: '0' });
});

test('a trend of twelve numbers is a series, two numbers are a list', () => {
  const trend = [1, 0.82, 0.82, 0.82, 0.44, 0.44, 0.82, 0.82, 0.55, 0.65, 0.55, 0.82];
  expect(shownValue(trend)).toEqual({ kind: 'series', values: trend });
  expect(shownValue([1, 2])).toEqual({ kind: 'list', items: ['1', '2'] });
});

test('texts, lists and objects keep their content', () => {
  expect(shownValue('<b>shoes</b>')).toEqual({ kind: 'text', text: '<b>shoes</b>' });
  expect(shownValue(['Video', 'Sitelinks'])).toEqual({ kind: 'list', items: ['Video', 'Sitelinks'] });
  expect(shownValue({ a: [1] })).toEqual({ kind: 'json', text: '{\n  "a": [\n    1\n  ]\n}' });
  expect(shownValue(true)).toEqual({ kind: 'text', text: 'yes' });
});

test('only web addresses become links', () => {
  expect(shownValue('https://example.com/a')).toMatchObject({ kind: 'link' });
  expect(shownValue('javascript:alert(1)')).toEqual({ kind: 'text', text: 'javascript:alert(1)' });
});

test('a label is the member name in words', () => {
  expect(shownLabel('search_volume')).toBe('search volume');
  expect(shownLabel('_')).toBe('_');
});
