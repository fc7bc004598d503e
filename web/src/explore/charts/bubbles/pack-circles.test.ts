import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packCircles } from './pack-circles.ts';

const radius = fc.double({ min: 0.01, max: 50, noNaN: true });
const someRadii = fc
  .array(radius, { minLength: 1, maxLength: 120 })
  .map((all) => Float64Array.from(all.sort((a, b) => b - a)));

describe('packed circles', () => {
  test('touch, never overlap, and are inside the enclosing circle', () => {
    fc.assert(
      fc.property(someRadii, (radii) => {
        const { x, y, radius: around } = packCircles(radii);
        for (let i = 0; i < radii.length; i++) {
          expect(Math.hypot(x[i]!, y[i]!) + radii[i]!).toBeLessThanOrEqual(around * (1 + 1e-6));
          for (let j = 0; j < i; j++) {
            const apart = Math.hypot(x[i]! - x[j]!, y[i]! - y[j]!);
            expect(apart).toBeGreaterThan((radii[i]! + radii[j]!) * (1 - 1e-5));
          }
        }
      }),
    );
  });

  test.each([
    ['alike', () => 1],
    ['smaller and smaller', (i: number) => 1 / Math.sqrt(1 + i)],
    ['of two sizes', (i: number) => (i < 2500 ? 5 : 0.1)],
  ] as const)('5,000 %s do not overlap', (_, radiusAt) => {
    const radii = Float64Array.from({ length: 5_000 }, (_radius, i) => radiusAt(i));
    const { x, y, radius: around } = packCircles(radii);
    let worst = Number.POSITIVE_INFINITY;
    let furthest = 0;
    for (let i = 0; i < radii.length; i++) {
      furthest = Math.max(furthest, Math.hypot(x[i]!, y[i]!) + radii[i]!);
      for (let j = 0; j < i; j++) {
        const [dx, dy, reach] = [x[i]! - x[j]!, y[i]! - y[j]!, radii[i]! + radii[j]!];
        worst = Math.min(worst, (dx * dx + dy * dy) / (reach * reach));
      }
    }
    expect(worst).toBeGreaterThan(1 - 1e-5);
    expect(furthest).toBeLessThanOrEqual(around * (1 + 1e-6));
  });

  test('more equal circles than the front takes are distributed evenly', () => {
    const { x, y, radius } = packCircles(new Float64Array(676).fill(1));
    const distances = Array.from(x, (at, i) => Math.hypot(at, y[i]!));
    for (const share of [0.25, 0.5, 0.75]) {
      const inside = distances.filter((distance) => distance < radius * share).length;
      expect(inside / 676).toBeCloseTo(share * share, 1);
    }
  });

  test('17,000 equal circles fill most of the enclosing circle', () => {
    const radii = new Float64Array(17_000).fill(1);
    expect(17_000 / packCircles(radii).radius ** 2).toBeGreaterThan(0.55);
  });

  test('one or two are in the centre', () => {
    expect(packCircles(Float64Array.of(3)).radius).toBe(3);
    const two = packCircles(Float64Array.of(3, 1));
    expect([two.radius, two.x[0], two.x[1]]).toEqual([4, -1, 3]);
    expect(packCircles(new Float64Array(0)).radius).toBe(0);
  });
});
