import { typeWord } from '@kc/pack/filter-words/type-word';
import { figureText } from '../format/figure-text.ts';
import { keywordsOf } from '../format/kept-text.ts';
import { exact } from '../format/numbers.ts';
import type { Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';

/**
 * How a screen reader announces a row: "trail running, cluster, level 3, 4 of 12, 789 keywords".
 *
 * @param at the index of the row among its siblings, in the order they are shown
 * @param placedBy the metrics by which a chart positions it, which are announced too
 */
export function describeRow(tree: LoadedTree, row: number, at: number, placedBy: readonly Metric[] = []): string {
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
