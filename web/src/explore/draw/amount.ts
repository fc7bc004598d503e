import type { SizeBy } from '../layouts/layout.ts';
import type { HeldTree } from '../store/held-tree.ts';
import { compactCount } from './compact-number.ts';

/**
 * The figure a mark carries: the one that its size shows, so that what is read and what is seen agree. Keywords of a
 * branch (its leaves where there are none), or its volume; '' for an unknown volume and for a single keyword.
 */
export function amountText(tree: HeldTree, row: number, sizeBy: SizeBy): string {
  if (sizeBy === 'volume') {
    const volume = tree.volume[row]!;
    return Number.isNaN(volume) ? '' : compactCount(volume);
  }
  if (tree.childCount[row] === 0) return '';
  return compactCount(tree.keywords[row]! || tree.leaves[row]!);
}
