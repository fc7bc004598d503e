import { expect, test } from 'vitest';
import { type ThumbnailTree, thumbnailBoxes } from './thumbnail.tsx';

const boxesOf = (tree: Partial<ThumbnailTree>, width = 160, height = 100) =>
  thumbnailBoxes({ pillars: [], rest: 0, ...tree }, width, height);
const area = (boxes: readonly { width: number; height: number }[]) =>
  boxes.reduce((sum, { width, height }) => sum + width * height, 0);

test('topics and their parts have areas in proportion to their weights', () => {
  const pillars = [
    { weight: 30, parts: [20, 10], colour: 1 },
    { weight: 10, parts: [], colour: 2 },
  ];
  const boxes = boxesOf({ pillars }, 1_600, 1_000);
  expect(boxes.map(({ colour, part }) => [colour, part])).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
  const [first, second, third] = boxes.map((box) => area([box]));
  expect(first! / second!).toBeCloseTo(2, 5);
  // The gap between topics takes less than a hundredth here.
  expect((first! + second!) / third!).toBeCloseTo(3, 1);
});

test('the remainder is one box without a colour of its own', () => {
  const boxes = boxesOf({ pillars: [{ weight: 1, parts: [], colour: 1 }], rest: 3 });
  expect(boxes.map(({ colour }) => colour)).toEqual([1, 0]);
  expect(boxes[1]!.width * boxes[1]!.height).toBeGreaterThan(boxes[0]!.width * boxes[0]!.height);
});

test('every box lies within the treemap', () => {
  const pillars = Array.from({ length: 24 }, (_, at) => ({ weight: 200 - at, parts: [100, 50, 50 - at], colour: 1 }));
  for (const { x, y, width, height } of boxesOf({ pillars })) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(160);
    expect(y + height).toBeLessThanOrEqual(100);
  }
});

test('nothing is drawn before the data is known', () => {
  expect(boxesOf({})).toEqual([]);
});
