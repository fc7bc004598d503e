import { expect, test } from 'vitest';
import { smartLabel, uncutLabel } from './smart-label.ts';

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
