import { expect, test } from 'vitest';
import { SharedWords, smartLabel, uncutLabel } from './names.ts';

const shortOf = (names: readonly string[], name: string) =>
  new SharedWords(names).shortened(name).map((text) => text.replaceAll('\u00a0', ' '));

const website = [
  'how to add a website to google',
  'how to add a website to home screen',
  'how to add a website to home screen android',
  'how to add a website to home screen iphone',
  'how to add a website to bookmarks',
  'website icons',
];

// Shows P14.16.
test('the start that siblings share is dropped, up to where they differ', () => {
  expect(shortOf(website, 'how to add a website to google')).toEqual(['… google']);
  expect(shortOf(website, 'how to add a website to bookmarks')).toEqual(['… bookmarks']);
  expect(shortOf(website, 'how to add a website to home screen iphone')).toEqual(['… iphone']);
});

test('words that always occur together stay together', () => {
  expect(shortOf(website, 'how to add a website to home screen')).toEqual(['… home screen']);
});

test('the end that siblings share is dropped', () => {
  const names = ['red trail shoes', 'blue trail shoes', 'green trail shoes', 'hats'];
  expect(shortOf(names, 'blue trail shoes')).toEqual(['blue …']);
});

test('words stay if fewer than three siblings share them or dropping them saves nothing; a name is never emptied', () => {
  expect(shortOf(['red shoes', 'red hats', 'blue belts'], 'red hats')).toEqual([]);
  expect(shortOf(['an ant', 'an eel', 'an owl'], 'an owl')).toEqual([]);
  expect(shortOf(website, 'website icons')).toEqual([]);
  expect(shortOf(['trail shoes', 'trail shoes men', 'trail shoes women'], 'trail shoes')).toEqual([]);
});

test('the remainder distinguishes a name from its siblings: many of them neither begin nor end with it', () => {
  const names = ['how to add to desktop', 'how to pin to desktop', 'how to dock to desktop', 'how to'];
  expect(shortOf(names, 'how to pin to desktop')).toEqual(['… pin to desktop', 'how to pin …']);
  const same = ['add it to desktop', 'add this to desktop', 'put it to desktop', 'add desktop', 'add door'];
  expect(shortOf(same, 'add desktop')).toEqual([]);
  const favorites = ['in favorites', 'to favorites', 'to my favorites'].map((end) => `how to add website ${end}`);
  expect(shortOf([...favorites, 'how to add page to favorites'], favorites[0]!)[0]).toBe('… in favorites');
});

test('the whole shared start can still be dropped if no remainder distinguishes the name', () => {
  const names = ['place it to desktop', 'place this to desktop', 'put it to desktop', 'place desktop', 'place door'];
  expect(new SharedWords(names).beheaded('place desktop')).toBe('…\u00a0desktop');
  expect(new SharedWords(names).beheaded('put it to desktop')).toBe('put it to desktop');
});

test('case does not matter, and the remainder keeps its case', () => {
  expect(shortOf(['Google Ads', 'google maps', 'GOOGLE Analytics'], 'google Maps')).toEqual(['… Maps']);
});

test("words of the parent's name are dropped at the beginning", () => {
  expect(smartLabel('trail running shoes women', 'trail running shoes')).toBe('…\u00a0women');
});

test("words of the parent's name are dropped at the end", () => {
  expect(smartLabel('Google Analytics', 'Analytics')).toBe('Google\u00a0…');
});

test('case does not matter', () => {
  expect(smartLabel('Trail Running Shoes women', 'trail running shoes')).toBe('…\u00a0women');
});

test('a name is never emptied, and never cut inside a word or in the middle', () => {
  expect(smartLabel('shoes', 'shoes')).toBe('shoes');
  expect(smartLabel('shoestring budget', 'shoes')).toBe('shoestring budget');
  expect(smartLabel('best running shoes women', 'running shoes')).toBe('best running shoes women');
  expect(smartLabel('shoes', '')).toBe('shoes');
});

test('the ellipsis is dropped if the first remaining word would be cut', () => {
  const room = (letters: number) => (text: string) => text.length <= letters;
  expect(uncutLabel('…\u00a0gateway', room(9))).toBe('…\u00a0gateway');
  expect(uncutLabel('…\u00a0gateway', room(8))).toBe('gateway');
  expect(uncutLabel('…\u00a0to site', room(5))).toBe('…\u00a0to site');
  expect(uncutLabel('Google\u00a0…', room(3))).toBe('Google\u00a0…');
});
