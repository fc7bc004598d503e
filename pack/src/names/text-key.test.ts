import { expect, test } from 'vitest';
import { foldForSearch } from './normal-form.ts';
import { keyOf, type NameFold, SearchKey, TextKey } from './text-key.ts';

const key = new TextKey();
const searchKey = new SearchKey();
const apply = (fold: NameFold, text: string) => {
  const bytes = new TextEncoder().encode(`..${text}..`);
  const length = fold.write(bytes, 2, bytes.length - 2);
  return new TextDecoder().decode(fold.buffer.bytes.subarray(0, length));
};

test('texts that people consider the same keyword have the same key', () => {
  const same = [
    ['Trail Shoes', 'trail shoes'],
    ['  trail \t\n shoes ', 'trail shoes'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['trail\u00a0shoes', 'trail shoes'],
    ['\u00a0é ', 'É'],
  ];
  for (const [one, other] of same) expect(apply(key, one!)).toBe(apply(key, other!));
});

test('texts that differ in a letter or an accent have different keys', () => {
  const texts = ['resume', 'résumé', 'trail-shoes', 'trailshoes', 'trail shoes', '', 'é'];
  expect(new Set(texts.map((text) => apply(key, text))).size).toBe(texts.length);
});

test('search ignores case and accents, and keeps spaces', () => {
  expect(apply(searchKey, 'Zażółć Gęślą  JAŹŃ')).toBe('zazołc gesla  jazn');
  expect(apply(searchKey, 'ABC xyz')).toBe('abc xyz');
});

test('a name longer than all previous ones fits', () => {
  const long = 'Ab '.repeat(5000);
  expect(apply(key, long)).toBe(long.trim().toLowerCase());
  expect(apply(searchKey, long)).toBe(long.toLowerCase());
});

test('folding letter by letter gives the same as folding the whole text', () => {
  const texts = [];
  for (let letter = 0xa1; letter < 0x480; letter++) {
    const one = String.fromCharCode(letter);
    texts.push(one, `a${one}`, `${one}Z`, `s ${one}${one} t`, `${one}\u00e9I\u0130`, `${one}鞋ế\u3000`);
  }
  for (const text of texts) {
    expect(apply(key, text), text).toBe(keyOf(text));
    expect(apply(searchKey, text), text).toBe(foldForSearch(text));
  }
});
