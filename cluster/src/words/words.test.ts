import { describe, expect, test } from 'vitest';
import { joinedWords, variantsOf } from './variants.ts';
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

test('two words are one where other keywords write them as one, but not where a single one does', () => {
  const texts = ['drupal login', 'login page', 'log in drupal', 'logins', 'web site', 'website'];
  const { of } = variantsOf(texts, new Float64Array(texts.length), joinedWords(wordsOf('en'), texts));
  expect([...of]).toEqual([0, 1, 0, 2, 3, 4]);
});

test('two words that are one count once', () => {
  const joined = joinedWords(wordsOf('en'), ['webdesign', 'webdesign shop']);
  expect(joined('shop web design garden').map(({ text }) => text)).toEqual(['shop', 'webdesign', 'garden']);
});

test('words stand where the keyword has them, as it spells them', () => {
  const spelled = (keyword: string, language: string) => {
    const { text, start, end } = wordsOf(language).spelled(keyword);
    return start.map((from, word) => text.slice(from, end[word]));
  };
  expect(spelled('The Café (node.js)', 'en')).toEqual(['The', 'Café', 'node.js']);
  expect(spelled('東京旅行 iPhone', 'ja')).toEqual(['東京', '京旅', '旅行', 'iPhone']);
  expect(spelled('ﬁne Übung', 'de')).toEqual(['fine', 'übung']);
});
