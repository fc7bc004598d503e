import { expect, test } from 'vitest';
import { differenceText, figureChange, figureOfChange, pathText } from './change-words.ts';

const keywords = 1;

test.each([
  [{ keywords, volume: 1200 }, { keywords, volume: 1500 }, 'Volume 1,200 → 1,500 (+300, +25.0 %)'],
  [{ keywords, volume: 100 }, { keywords, volume: 50 }, 'Volume 100 → 50 (−50, −50.0 %)'],
  [{ keywords, volume: 0 }, { keywords, volume: 50 }, 'Volume 0 → 50 (+50)'],
  [{ keywords }, { keywords, volume: 50 }, 'Volume unknown → 50'],
  [{ keywords, volume: 50 }, { keywords, volume: 50 }, 'Volume 50, as before'],
  [undefined, { keywords, volume: 50 }, 'Volume 50'],
  [{ keywords }, undefined, 'Volume unknown'],
])('a volume before %j and after %j reads %s', (before, after, text) => {
  expect(figureChange({ before, after }, 'volume')).toBe(text);
});

test('differences of means have no percentage', () => {
  expect(differenceText({ keywords, difficulty: 30 }, { keywords, difficulty: 36.25 }, 'difficulty')).toBe('+6.3');
});

test('each kind of change shows its own figure', () => {
  expect([figureOfChange(undefined), figureOfChange('harder'), figureOfChange('rank-up')]).toEqual([
    'volume',
    'difficulty',
    'position',
  ]);
});

test('a place is its names from the outermost to the innermost', () => {
  expect(pathText(['Chat', 'Live chat'])).toBe('Chat › Live chat');
});
