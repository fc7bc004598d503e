import { figureWord } from '@kc/pack/filter-words/figure-name';
import { type Figures, figuresOf, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import { isKnown, share } from './numbers.ts';

/**
 * "12.5 % of the volume of ", to be followed by the parent's name: the share that the size of marks shows. If the
 * metric has no sums, or is unknown for either node, the text is "in ". Empty for the root.
 */
export function parentShare(tree: LoadedTree, row: number, size: Metric | 'equal'): string {
  const parent = tree.parent[row] ?? none;
  if (parent === none) return '';
  const figures = size === 'equal' ? undefined : figuresOf(tree, size);
  if (tree.isLeftOut(row) || !figures || !hasShare(figures, row, parent)) return 'in ';
  return `${share(figures.value[row], figures.value[parent])} of the ${figureWord(size as Metric)} of `;
}

const hasShare = ({ rollUp, value }: Figures, row: number, parent: number): boolean =>
  rollUp !== 'mean' && isKnown(value[row]) && value[parent]! > 0;
