import { expect, test } from 'vitest';
import { placeCard } from './coach.tsx';

const card = { width: 300, height: 120 };
const desktop = { width: 1440, height: 900 };

test('the card is below a field and points at it, and above a button at the bottom', () => {
  expect(placeCard({ left: 1000, top: 60, width: 300, height: 36 }, card, desktop)).toEqual({
    left: 1000,
    top: 106,
    tip: { left: 150, at: 'top' },
  });
  expect(placeCard({ left: 880, top: 860, width: 32, height: 32 }, card, desktop)).toEqual({
    left: 746,
    top: 730,
    tip: { left: 150, at: 'bottom' },
  });
});

test('it is at the bottom of a chart, where it covers least', () => {
  expect(placeCard({ left: 280, top: 150, width: 820, height: 700 }, card, desktop)).toEqual({
    left: 540,
    top: 710,
    tip: undefined,
  });
});

test('it stays within a phone screen, and its tip stays on the button', () => {
  const place = placeCard({ left: 350, top: 60, width: 32, height: 32 }, card, { width: 390, height: 844 });
  expect(place).toEqual({ left: 82, top: 102, tip: { left: 284, at: 'top' } });
});
