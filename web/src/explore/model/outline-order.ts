import { figuresOf, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';
import type { TableSort } from './table-order.ts';

/** The figure that the outline shows and is sorted by: the size metric, if it is loaded and ever known. */
export function outlineFigure(tree: LoadedTree, size: SizeBy): Metric {
  if (size !== 'equal' && isKnownOfAny(tree, size)) return size;
  return treeOrder(tree);
}

/** The order of siblings in the outline; undefined if the server already returns them in that order. */
export function outlineSort(tree: LoadedTree, size: SizeBy): TableSort {
  const by = outlineFigure(tree, size);
  return by === treeOrder(tree) ? undefined : { by, descending: true };
}

/** The order in which siblings arrive. Source: docs/pack-format.md: volume, or keywords if no volume is known. */
const treeOrder = (tree: LoadedTree): Metric => (tree.size > 0 && tree.volumeKnown[0]! > 0 ? 'volume' : 'keywords');

function isKnownOfAny(tree: LoadedTree, metric: Metric): boolean {
  const figures = tree.size > 0 ? figuresOf(tree, metric) : undefined;
  return figures !== undefined && (figures.known === undefined || figures.known[0]! > 0);
}

/**
 * For branches that are not fully loaded: how many children are loaded in the order of a figure. Not valid for another
 * figure.
 */
export type OutlineRanked = { readonly by: Metric; readonly counts: ReadonlyMap<number, number> };

const nothing: ReadonlyMap<number, number> = new Map();

export const countsBy = (ranked: OutlineRanked | undefined, by: Metric): ReadonlyMap<number, number> =>
  ranked?.by === by ? ranked.counts : nothing;
