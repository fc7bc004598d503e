import { expect, test } from 'vitest';
import { createWriter } from '../paint/text.ts';
import { hasRoomAsLast, linesInCircle } from './label-lines.ts';

/** Every character is 6 wide, every line 14 high. */
const writer = createWriter((text) => [...text].length * 6, '', 14);
const linesOf = (name: string, parent: string, radius: number) => linesInCircle(writer, name, parent, radius, 0);

test('a name that fits stands whole, in as few lines as hold it', () => {
  expect(linesOf('shoes', '', 40)).toEqual({ lines: ['shoes'], isWhole: true });
  expect(linesOf('trail running shoes', '', 44)).toEqual({ lines: ['trail running', 'shoes'], isWhole: true });
});

test('what is left of a name without its parent is whole, whether the parent stands before or behind', () => {
  expect(linesOf('website builder buttons', 'website builder', 28)).toEqual({
    lines: ['…\u00a0buttons'],
    isWhole: true,
  });
  expect(linesOf('buttons website builder', 'website builder', 28)).toEqual({
    lines: ['buttons\u00a0…'],
    isWhole: true,
  });
});

test('a name that repeats its parent’s stands there all the same', () => {
  expect(linesOf('Other', 'Other', 24)).toEqual({ lines: ['Other'], isWhole: true });
  expect(linesOf('International bank transfer', 'International bank transfer', 24).lines.join(' ')).toMatch(/^Int.*…/);
});

test('a few letters of a long name are better than none, fewer say nothing', () => {
  expect(linesOf('Internationalization', '', 20).lines).toEqual(['Inter…']);
  expect(linesInCircle(writer, 'Internationalization', '', 18, 1).lines).toEqual([]);
});

test('a figure stands under a name only where all of it is in the circle', () => {
  // Two lines of 14 leave a chord of 2 · √(30² − 14²) = 53 px at the lower edge: eight letters of 6, not ten.
  expect(hasRoomAsLast(writer, '12 of 48', 30, 2, 14)).toBe(true);
  expect(hasRoomAsLast(writer, '108 of 502', 30, 2, 14)).toBe(false);
  // Without a name above it stands in the middle.
  expect(hasRoomAsLast(writer, '108 of 502', 31, 1, 14)).toBe(true);
});
