import { expect, test } from 'vitest';
import { SharedWords } from './shared-words.ts';

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

test('the head that siblings share is dropped, up to where they go on differently', () => {
  expect(shortOf(website, 'how to add a website to google')).toEqual(['… google']);
  expect(shortOf(website, 'how to add a website to bookmarks')).toEqual(['… bookmarks']);
  expect(shortOf(website, 'how to add a website to home screen iphone')).toEqual(['… iphone']);
});

test('words that always follow each other stay together', () => {
  expect(shortOf(website, 'how to add a website to home screen')).toEqual(['… home screen']);
});

test('so is the tail', () => {
  const names = ['red trail shoes', 'blue trail shoes', 'green trail shoes', 'hats'];
  expect(shortOf(names, 'blue trail shoes')).toEqual(['blue …']);
});

test('what fewer than three share, or saves nothing, stays; and a name is never emptied', () => {
  expect(shortOf(['red shoes', 'red hats', 'blue belts'], 'red hats')).toEqual([]);
  expect(shortOf(['an ant', 'an eel', 'an owl'], 'an owl')).toEqual([]);
  expect(shortOf(website, 'website icons')).toEqual([]);
  expect(shortOf(['trail shoes', 'trail shoes men', 'trail shoes women'], 'trail shoes')).toEqual([]);
});

test('what is left tells a name from its siblings: it is not what many of them begin or end with', () => {
  const names = ['how to add to desktop', 'how to pin to desktop', 'how to dock to desktop', 'how to'];
  expect(shortOf(names, 'how to pin to desktop')).toEqual(['… pin to desktop', 'how to pin …']);
  const same = ['add it to desktop', 'add this to desktop', 'put it to desktop', 'add desktop', 'add door'];
  expect(shortOf(same, 'add desktop')).toEqual([]);
  const favorites = ['in favorites', 'to favorites', 'to my favorites'].map((end) => `how to add website ${end}`);
  expect(shortOf([...favorites, 'how to add page to favorites'], favorites[0]!)[0]).toBe('… in favorites');
});

test('where nothing tells it from them, the whole head that it shares can be dropped all the same', () => {
  const names = ['place it to desktop', 'place this to desktop', 'put it to desktop', 'place desktop', 'place door'];
  expect(new SharedWords(names).beheaded('place desktop')).toBe('…\u00a0desktop');
  expect(new SharedWords(names).beheaded('put it to desktop')).toBe('put it to desktop');
});

test('case does not matter, and what is left is written as it is', () => {
  expect(shortOf(['Google Ads', 'google maps', 'GOOGLE Analytics'], 'google Maps')).toEqual(['… Maps']);
});
