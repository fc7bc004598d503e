import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { cutTo, loadTree } from '../../../test/support/tree.ts';
import { amountText } from '../charts/paint/text.ts';
import { describeRow } from '../model/navigation.ts';
import { compactKeywordsOf, exactKeywordsOf, figureText, isCut, keywordsOf } from './figure-text.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps. */
const whole = sliceOf('shop (shoes (running 30 walking 5) hats (caps 4))');
const all = loadTree(whole);
const cut = loadTree(cutTo(whole, [0, 1, 2, 4, 5]));

test('a branch that a filter cuts shows kept and total keywords wherever it is named', () => {
  const shoes = cut.rowOf(1);
  expect(keywordsOf(cut, shoes)).toBe('1 of 2 keywords');
  expect(exactKeywordsOf(cut, 0)).toBe('2 of 3');
  expect(compactKeywordsOf(cut, 0)).toBe('2 of 3');
  expect(figureText(cut, shoes, 'keywords')).toBe('1 of 2 keywords');
  expect(amountText(cut, shoes, 'keywords')).toBe('1 of 2');
  expect(describeRow(cut, shoes, 0)).toContain('1 of 2 keywords');
});

test('a branch that is kept whole has the same text as without a filter', () => {
  const hats = cut.rowOf(2);
  expect([isCut(cut, hats), keywordsOf(cut, hats), amountText(cut, hats, 'keywords')]).toEqual([
    false,
    '1 keyword',
    '1',
  ]);
  expect([keywordsOf(all, 0), exactKeywordsOf(all, 0), compactKeywordsOf(all, 0)]).toEqual(['3 keywords', '3', '3']);
});
