import { expect, test } from 'vitest';
import { createWriter } from '../paint/text.ts';
import { hasRoomAsLast, linesInCircle } from './paint.ts';

/** Every character is 6 wide, every line 14 high. */
const writer = createWriter((text) => [...text].length * 6, '', 14);
const linesOf = (names: readonly string[], radius: number) => linesInCircle(writer, names, radius, 0);

test('a name that fits is written whole, in as few lines as possible', () => {
  expect(linesOf(['shoes'], 40)).toEqual({ lines: ['shoes'], isWhole: true });
  expect(linesOf(['trail running shoes'], 44)).toEqual({ lines: ['trail running', 'shoes'], isWhole: true });
});

test('the first of several names that fits is used', () => {
  const names = ['website builder buttons', '…\u00a0buttons'];
  expect(linesOf(names, 28)).toEqual({ lines: ['…\u00a0buttons'], isWhole: true });
  expect(linesOf(names, 60).lines.join(' ')).toBe('website builder buttons');
});

// Shows P14.16.
test('a name that does not fit is left out rather than cut', () => {
  for (const radius of [18, 20, 24, 40])
    expect(linesOf(['Internationalization'], radius)).toEqual({ lines: [], isWhole: false });
  expect(linesOf(['Internationalization'], 65).lines).toEqual(['Internationalization']);
});

test('a figure is written below a name only if all of it is inside the circle', () => {
  // Two lines of 14 leave a chord of 2 · √(30² − 14²) = 53 px at the lower edge: eight letters of 6, not ten.
  expect(hasRoomAsLast(writer, '12 of 48', 30, 2, 14)).toBe(true);
  expect(hasRoomAsLast(writer, '108 of 502', 30, 2, 14)).toBe(false);
  // Without a name above it, the figure is in the middle.
  expect(hasRoomAsLast(writer, '108 of 502', 31, 1, 14)).toBe(true);
});
