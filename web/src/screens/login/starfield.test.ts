import { expect, test } from 'vitest';
import { drawStars, makeStars } from './starfield.ts';

const evenly = () => {
  let calls = 0;
  return () => (calls++ * 0.618034) % 1;
};

// Shows P3.9.
test('stars have radii of 0.4 to 2 px and lie within the sky', () => {
  for (const star of makeStars(500, evenly())) {
    expect(star.radius).toBeGreaterThanOrEqual(0.4);
    expect(star.radius).toBeLessThanOrEqual(2);
    expect(star.x).toBeGreaterThanOrEqual(0);
    expect(star.x).toBeLessThan(1);
  }
});

test('a star that leaves on the left reappears on the right', () => {
  const xs: number[] = [];
  const sky = {
    clearRect: () => undefined,
    beginPath: () => undefined,
    arc: (x: number) => void xs.push(x),
    fill: () => undefined,
    fillStyle: '',
    globalAlpha: 1,
  };
  const star = { x: 0.001, y: 0.5, radius: 1, color: '#ffffff', depth: 1, phase: 0 };
  // In one second the nearest star moves 0.004 of the width: 0.001 - 0.004 = -0.003, which is 0.997.
  drawStars(sky, [star], 1000, 500, 1, 1);
  expect(xs[0]).toBeCloseTo(997, 6);
});
