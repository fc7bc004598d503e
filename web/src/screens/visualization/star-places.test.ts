import { expect, test } from 'vitest';
import { starsOf, starsOutside } from './empty-screen.tsx';

const sky = { width: 1000, height: 600 };
const text = { x: 300, y: 200, width: 400, height: 150 };

test('stars behind a text are not drawn, and all others are', () => {
  const all = starsOf(500);
  const shown = starsOutside(all, sky, text, 10);
  const touches = (star: (typeof all)[number]) =>
    Math.abs(star.x * 1000 - 500) <= 200 + 10 + star.radius && Math.abs(star.y * 600 - 275) <= 75 + 10 + star.radius;
  expect(shown.some(touches)).toBe(false);
  expect(shown).toEqual(all.filter((star) => !touches(star)));
  expect(shown.length).toBeGreaterThan(350);
  expect(shown.length).toBeLessThan(500);
});
