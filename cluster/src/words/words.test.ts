import { describe, expect, test } from 'vitest';
import { variantsOf } from './variants.ts';
import { wordsOf } from './words.ts';

const stems = (keyword: string, language: string) => wordsOf(language)(keyword).map(({ stem }) => stem);

describe('words of a keyword', () => {
  test('keep signs inside and drop those around them', () => {
    expect(stems('C++ vs. node.js (wi-fi)!', 'en')).toEqual(['c++', 'vs', 'node.j', 'wi-fi']);
  });
  test('lose accents in English only', () => {
    expect(stems('Café', 'en')).toEqual(stems('cafe', 'en'));
    expect(stems('mã', 'vi')).not.toEqual(stems('ma', 'vi'));
  });
  test('are stemmed by their language', () => {
    expect(stems('running shoes', 'en')).toEqual(['run', 'shoe']);
    expect(stems('Laufschuhe', 'de')).toEqual(stems('laufschuhen', 'de'));
    expect(stems('клавиатуры', 'ru')).toEqual(stems('клавиатура', 'ru'));
  });
  test('are pairs of letters in Japanese and triples in Thai', () => {
    expect(stems('東京旅行 2024', 'ja')).toEqual(['東京', '京旅', '旅行', '2024']);
    expect(stems('โรงแรม', 'th')).toEqual(['โรง', 'รงแ', 'งแร', 'แรม']);
  });
});

describe('variants', () => {
  const keywords = ['nike socks white', 'white nike sock', 'the white socks of nike', 'nike shoes', 'how to', '???'];
  const weight = Float64Array.of(10, Number.NaN, 30, 5, 1, 1);

  test('have the same stems, in whatever order', () => {
    expect(variantsOf(keywords, weight, wordsOf('en')).of).toEqual(Int32Array.of(0, 0, 0, 1, 2, 3));
  });
  test('are represented by their heaviest keyword, and an unknown weight is less than any', () => {
    expect(variantsOf(keywords, weight, wordsOf('en')).head).toEqual(Int32Array.of(2, 3, 4, 5));
    expect(variantsOf(['a b', 'b a'], Float64Array.of(Number.NaN, 0), wordsOf('de')).head).toEqual(Int32Array.of(1));
  });
});
