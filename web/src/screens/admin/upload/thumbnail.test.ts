import type { UploadOutline } from '@kc/pack/upload/upload-outline';
import { expect, test } from 'vitest';
import { treeOf } from './thumbnail.tsx';

const outline = (volume: UploadOutline['volume']): UploadOutline => ({
  rootName: 'shop',
  pillars: 1,
  clusters: 0,
  depth: 2,
  types: [],
  volume,
  top: [{ name: 'a', leaves: 2, parts: [1, 1] }],
  restLeaves: 3,
  unrecognised: [],
});

test('a file is drawn by its leaves', () => {
  expect(treeOf(outline({ sum: 0, known: 0 }))).toEqual({
    pillars: [{ weight: 2, parts: [1, 1], colour: 1 }],
    rest: 3,
  });
});

test('with volumes in the file no pillar has a colour that it would lose in the explorer, which goes by volume', () => {
  expect(treeOf(outline({ sum: 9, known: 1 })).pillars.map(({ colour }) => colour)).toEqual([0]);
});
