import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { automaticBranches } from './automatic-branches.ts';

const branch = (name: string, children: number) =>
  `${name} (${Array.from({ length: children }, (_, i) => `${name}-${i} 1`).join(' ')})`;

test('the heaviest branches are those with the largest figure on their line, or the most keywords if the figure is unknown', () => {
  const slice = sliceOf(`shop (${branch('hats', 20)} ${branch('belts', 20)} ${branch('shoes', 21)})`);
  const [hats, belts, shoes] = [1, 2, 3].map((node) => slice.node.indexOf(node)) as [number, number, number];
  const opened = (sizeBy: 'volume' | 'keywords' | 'equal') => {
    const tree = loadTree(slice);
    return [...automaticBranches(tree, { focus: 0, depth: 2, sizeBy }, 8).keys()].map((row) => tree.name(row));
  };
  slice.volume.fill(Number.NaN);
  for (const sizeBy of ['volume', 'keywords', 'equal'] as const) expect(opened(sizeBy)).toEqual(['shop', 'shoes']);
  slice.volume[0] = 95;
  slice.volume[hats] = 80;
  slice.volume[shoes] = 15;
  expect(opened('volume')).toEqual(['shop', 'hats']);
  expect(opened('keywords')).toEqual(['shop', 'shoes']);
  slice.volume[belts] = 90;
  expect(opened('volume')).toEqual(['shop', 'belts']);
});
