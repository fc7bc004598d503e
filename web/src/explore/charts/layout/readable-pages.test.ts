import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { familyOf } from './families.ts';
import { MarksBuffer } from './layout.ts';
import { isReadable, type Page, pageOf, runOf, standBehindPage } from './readable-pages.ts';

const runFor = (children: string) => runOf(familyOf(loadTree(sliceOf(`shop (${children})`)), 0, 'volume'));
const alike = (count: number) => runFor(Array.from({ length: count }, (_, i) => `k${i} 10`).join(' '));

test('a page holds as many items as fit, and the rest takes at most a twelfth', () => {
  // 45 items of 10 and a rest of 450 / 11 take 49.1 times 10; 46 would take 50.2.
  const page = pageOf(alike(1_000), 0, 50, false);
  expect(page).toMatchObject({ first: 0, end: 45 });
  expect(page.rest).toBeCloseTo(450 / 11, 9);
  expect(page.need).toBeCloseTo((450 + 450 / 11) / 10, 9);
});

test('there is no rest if all items fit', () => {
  expect(pageOf(alike(40), 0, 50, false)).toEqual({ first: 0, end: 40, rest: 0, need: 40 });
  expect(pageOf(alike(50), 0, 50, false).rest).toBe(0);
  expect(pageOf(alike(51), 0, 50, false).end).toBe(45);
});

test('a light rest takes its share, but at least what it needs to be readable', () => {
  // Where ten items have room, one takes a tenth: 90 / 9 beside 90.
  const page = pageOf(runFor('a 50 b 40 c 1'), 0, 10, false);
  expect(page).toMatchObject({ end: 2, rest: 10 });
  expect(pageOf(runFor('a 50 b 40 c 9'), 0, 10, false).rest).toBe(10);
  const marks = new MarksBuffer();
  marks.reset(1);
  standBehindPage(marks, 0, runFor('a 50 b 40 c 1 d 0'), 2);
  expect([marks.hidden[0], marks.hiddenKeywords[0], marks.hiddenVolume[0]]).toEqual([2, 2, 1]);
});

test('children without a weight are a rest', () => {
  expect(pageOf(runFor('a 50 b 40 c 0'), 0, 10, false)).toMatchObject({ end: 2, rest: 10 });
});

test('the next page begins with the item after the last one', () => {
  const run = alike(100);
  const first = pageOf(run, 0, 30, false);
  const next = pageOf(run, first.end, 3, false);
  expect(next.first).toBe(first.end);
  expect(next.end).toBeGreaterThan(next.first);
});

test('a page has at least three items, or one near the focus, however small its room is', () => {
  expect(pageOf(alike(100), 0, 0.01, false).end).toBe(2);
  expect(pageOf(alike(100), 0, 0.01, true).end).toBe(1);
});

test('a single name beside a rest is enough to open near the focus, or if there is ample room', () => {
  const page: Page = { first: 0, end: 1, rest: 1, need: 2 };
  expect(isReadable(page, 3, true)).toBe(true);
  expect(isReadable(page, 3, false)).toBe(false);
  expect(isReadable(page, 8, false)).toBe(true);
  expect(isReadable({ ...page, rest: 0 }, 3, false)).toBe(true);
  expect(isReadable({ ...page, end: 2 }, 3, false)).toBe(true);
  expect(isReadable({ ...page, end: 2 }, 1, true)).toBe(false);
});
