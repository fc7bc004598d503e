import { expect, test } from 'vitest';
import { addressedTree } from '../../../../test/support/tree.ts';
import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';
import { movedByRename } from './renamed-branch.ts';
import { addressOf } from './select-matches.ts';

const all = (tree: LoadedTree) => Array.from({ length: tree.size }, (_, row) => tree.addressOf(row));

test('what is below a renamed topic is known by its new address, and nothing else has another one', () => {
  const tree = addressedTree('shop (shoes (running (trail road) "shoes") hats (caps))');
  const later = addressedTree('shop (boots (running (trail road) "shoes") hats (caps))');
  const moved = movedByRename(tree, addressOf(['shop', 'shoes']), addressOf(['shop', 'boots']));
  expect(all(tree).map((address) => moved.get(address) ?? address)).toEqual(all(later));
  expect(moved.size).toBe(5);
});

test('keywords beside it with its earlier or its new name are counted anew', () => {
  const tree = addressedTree('shop (shoes (trail) hats shoes boots)');
  const later = addressedTree('shop (boots (trail) hats shoes boots)');
  const moved = movedByRename(tree, addressOf(['shop', 'shoes']), addressOf(['shop', 'boots']));
  expect(all(tree).map((address) => moved.get(address) ?? address)).toEqual(all(later));
});

test('the new name on the screen before the next revision changes nothing', () => {
  const tree = addressedTree('shop (shoes (trail) hats)');
  const [from, to] = [addressOf(['shop', 'shoes']), addressOf(['shop', 'boots'])];
  const before = movedByRename(tree, from, to);
  tree.showNames(tree.rowsAt(new Map([[from, 'boots']])));
  expect(movedByRename(tree, from, to)).toEqual(before);
  expect(before.get(addressOf(['shop', 'shoes', 'trail']))).toBe(addressOf(['shop', 'boots', 'trail']));
});
