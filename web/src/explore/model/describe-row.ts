import { figureText } from '../format/figure-text.ts';
import { keywordsOf } from '../format/kept-text.ts';
import { exact, typeWord } from '../format/numbers.ts';
import type { Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';

/**
 * The screen reader text of a row: "trail running, cluster, level 3, 4 of 12, 789 keywords".
 *
 * @param at the row's index among its siblings in display order
 * @param placedBy metrics that place the mark in the chart; they are included in the text
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
