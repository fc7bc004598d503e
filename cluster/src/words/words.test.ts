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

/** The groups of keywords without figures. */
const variants = (texts: readonly string[], language = 'en') => [
  ...variantsOf(texts, new Float64Array(texts.length), joinedWords(wordsOf(language), texts)).of,
];

test('two words are one where other keywords write them as one, but not where a single one does', () => {
  const texts = ['drupal login', 'login page', 'log in drupal', 'logins', 'web site shop', 'shop website'];
  expect(variants(texts)).toEqual([0, 1, 0, 2, 3, 4]);
});

test('three words are one, and a hyphen makes no difference', () => {
  const texts = ['end-of-life drupal', 'the end of life of drupal', 'end-of-life windows', 'E-Mail buy', 'buy email'];
  expect(variants(texts)).toEqual([0, 0, 1, 2, 2]);
});

test('keywords with the same letters are one, but not numbers', () => {
  const texts = [
    'rest ui',
    'restui',
    'REST-UI',
    'node.js',
    'nodejs',
    'iphone 15',
    'iphone15',
    '1 5',
    '15',
    '1.5',
    '???',
    '!',
  ];
  expect(variants(texts)).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7]);
});

test('keywords that are one by stems and others by letters are all one, called after the heaviest', () => {
  const texts = ['cache control', 'control caches', 'cachecontrol', 'cache'];
  const { of, head } = variantsOf(texts, Float64Array.of(1, 2, 9, 4), joinedWords(wordsOf('en'), texts));
  expect([...of]).toEqual([0, 0, 0, 1]);
  expect([...head]).toEqual([2, 3]);
});

test('what is searched for one intent with other words is one, in English', () => {
  const texts = ['drupal login', 'sign in to drupal', 'log in drupal', 'drupal logon', 'web design', 'website design'];
  expect(variants(texts)).toEqual([0, 0, 0, 0, 1, 1]);
  expect(variants(['drupal login', 'sign in drupal'], 'de')).toEqual([0, 1]);
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
  expect(spelled('iPhone手机壳', 'zh')).toEqual(['iPhone', '手机', '机壳']);
  expect(spelled('ﬁne Übung', 'de')).toEqual(['fine', 'übung']);
});
