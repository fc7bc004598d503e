import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree, withRest } from '../../../../test/support/tree.ts';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { askForMore } from './tree-rows.ts';

test('more children of a sorted list come in its order, but for those that a filter excludes: nothing ranks these', () => {
  const whole = sliceOf('shop (hats (cap 90) shoes (boot 40))');
  const faint = new LoadedTree();
  faint.merge(withRest(whole, [0, 1]), whole);
  const asked = (tree: LoadedTree, isSorted: boolean): string[] => {
    const calls: string[] = [];
    const explorer = { tree, requestChildren: (row: number) => calls.push(`children of ${row}`) };
    const want = (rows: readonly number[]) => calls.push(`first of ${rows}`);
    askForMore(explorer, 1, { sort: isSorted ? { by: 'volume', descending: true } : undefined, want });
    return calls;
  };
  expect(asked(loadTree(whole), true)).toEqual(['first of 1']);
  expect(asked(loadTree(whole), false)).toEqual(['children of 1']);
  expect(asked(faint, true)).toEqual(['children of 1']);
});
