import { expect, test } from 'vitest';
import { roomBeforePlates } from './draw-warnings.ts';

const plate = { text: '1', x: 90, y: 30, width: 20, height: 16 };
const line = { left: 10, y: 30, height: 14, room: 100 };

test('a line of text ends before the plates in its way, and is whole above, below and beside them', () => {
  expect(roomBeforePlates([], line)).toBe(100);
  expect(roomBeforePlates([plate], line)).toBe(67);
  expect(roomBeforePlates([plate, { ...plate, x: 40 }], line)).toBe(17);
  // A pixel of the line is below the upper edge of the plate, and then none.
  expect(roomBeforePlates([plate], { ...line, y: 16 })).toBe(67);
  expect(roomBeforePlates([plate], { ...line, y: 15 })).toBe(100);
  expect(roomBeforePlates([plate], { ...line, y: 45 })).toBe(100);
  expect(roomBeforePlates([plate], { ...line, room: 70 })).toBe(70);
  expect(roomBeforePlates([{ ...plate, x: 0 }], line)).toBe(100);
  // What begins under a plate is not written.
  expect(roomBeforePlates([{ ...plate, x: 15 }], line)).toBe(0);
});
