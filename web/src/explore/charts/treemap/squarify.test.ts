import { expect, test } from 'vitest';
import { squarify } from './squarify.ts';

// Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000, figure 4: 6 6 4 3 2 2 1 in 6 by 4.
test('the example of the paper gives the layout of the paper', () => {
  const { boxes, strips, stripStart } = squarify(Float64Array.of(6, 6, 4, 3, 2, 2, 1), 6, 4);
  expect([...stripStart.subarray(0, strips)]).toEqual([0, 2, 4, 5, 6]);
  const expected = [
    [0, 0, 3, 2],
    [0, 2, 3, 4],
    [3, 0, 3 + 12 / 7, 7 / 3],
    [3 + 12 / 7, 0, 6, 7 / 3],
    [3, 7 / 3, 4.2, 4],
    [4.2, 7 / 3, 5.4, 4],
    [5.4, 7 / 3, 6, 4],
  ].flat();
  expected.forEach((edge, i) => {
    expect(boxes[i]).toBeCloseTo(edge, 9);
  });
});

test('a strip and all later ones fill the area that was free before it', () => {
  const { boxes, free, strips, stripStart } = squarify(Float64Array.of(6, 6, 4, 3, 2, 2, 1), 6, 4);
  for (let strip = 0; strip < strips; strip++) {
    let area = 0;
    for (let i = stripStart[strip]!; i < 7; i++) {
      area += (boxes[i * 4 + 2]! - boxes[i * 4]!) * (boxes[i * 4 + 3]! - boxes[i * 4 + 1]!);
    }
    const [x0, y0, x1, y1] = free.subarray(strip * 4, strip * 4 + 4);
    expect((x1! - x0!) * (y1! - y0!)).toBeCloseTo(area, 9);
  }
});

test('no items and a single item', () => {
  expect(squarify(new Float64Array(0), 6, 4).strips).toBe(0);
  expect([...squarify(Float64Array.of(5), 6, 4).boxes]).toEqual([0, 0, 6, 4]);
});
