import type { UploadOutline } from '@kc/pack/upload-outline';
import { expect, test } from 'vitest';
import { thumbnailBoxes } from './thumbnail-boxes.ts';

const outline = (change: Partial<UploadOutline>): UploadOutline => ({
  rootName: 'shop',
  pillars: 0,
  clusters: 0,
  depth: 0,
  types: [],
  volume: { sum: 0, known: 0 },
  top: [],
  restLeaves: 0,
  ...change,
});
const area = (boxes: readonly { width: number; height: number }[]) =>
  boxes.reduce((sum, { width, height }) => sum + width * height, 0);

test('pillars and their parts have areas in proportion to their leaves', () => {
  const top = [
    { name: 'a', leaves: 30, parts: [20, 10] },
    { name: 'b', leaves: 10, parts: [] },
  ];
  const boxes = thumbnailBoxes(outline({ top }), 1_600, 1_000);
  expect(boxes.map(({ colour, part }) => [colour, part])).toEqual([
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
  const [first, second, third] = boxes.map((box) => area([box]));
  expect(first! / second!).toBeCloseTo(2, 5);
  // The gap between pillars takes under a hundredth here.
  expect((first! + second!) / third!).toBeCloseTo(3, 1);
});

test('what is not told apart is one box without a colour of its own', () => {
  const boxes = thumbnailBoxes(outline({ top: [{ name: 'a', leaves: 1, parts: [] }], restLeaves: 3 }), 160, 100);
  expect(boxes.map(({ colour }) => colour)).toEqual([1, 0]);
  expect(boxes[1]!.width * boxes[1]!.height).toBeGreaterThan(boxes[0]!.width * boxes[0]!.height);
});

test('every box lies within the picture', () => {
  const top = Array.from({ length: 24 }, (_, at) => ({ name: `p${at}`, leaves: 200 - at, parts: [100, 50, 50 - at] }));
  for (const { x, y, width, height } of thumbnailBoxes(outline({ top }), 160, 100)) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(160);
    expect(y + height).toBeLessThanOrEqual(100);
  }
});

test('nothing is drawn of what is not known yet', () => {
  expect(thumbnailBoxes(outline({}), 160, 100)).toEqual([]);
});

test('with volumes in the file no pillar has a colour that it would lose in the explorer, which goes by volume', () => {
  const top = [{ name: 'a', leaves: 2, parts: [] }];
  expect(thumbnailBoxes(outline({ top, volume: { sum: 9, known: 1 } }), 160, 100).map(({ colour }) => colour)).toEqual([
    0,
  ]);
});
