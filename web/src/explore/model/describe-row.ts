import { figureText } from '../format/figure-text.ts';
import { keywordsOf } from '../format/kept-text.ts';
import { exact, typeWord } from '../format/numbers.ts';
import type { Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import { siblingsOf } from './tree-walk.ts';

/**
 * "trail running, cluster, level 3, 4 of 12, 789 keywords": what a screen reader says of a row.
 *
 * @param placedBy what a picture places it by, and so says too
 */
export function describeRow(tree: LoadedTree, row: number, placedBy: readonly Metric[] = []): string {
  const { at } = siblingsOf(tree, row);
  const parent = tree.parent[row] ?? none;
  const siblings = parent === none ? 1 : tree.childCount[parent]!;
  return [
    tree.name(row),
    typeWord(tree.types[tree.type[row]!] ?? ''),
    `level ${tree.depth[row]! + 1}`,
    `${at + 1} of ${exact(siblings)}`,
    keywordsOf(tree, row),
    ...(tree.isLeftOut(row) ? [] : placedBy).flatMap((metric) => figureText(tree, row, metric) ?? []),
  ].join(', ');
}
