import type { HeldTree } from '../store/held-tree.ts';
import type { SizeBy } from './layout.ts';
import { type Squares, squarify } from './squarify.ts';
import { knownVolume, weighChildren } from './weights.ts';

/**
 * The children of one row in a rectangle of `width` by `height`. It does not depend on the camera: zooming stretches it,
 * so that boxes never change places.
 */
export type Arrangement = {
  readonly width: number;
  readonly height: number;
  readonly squares: Squares;
  /** Item `i` is this held row; the item after the last row, if there is one, is the children that are not held. */
  readonly rows: Int32Array;
  readonly items: number;
  /** Sums over items `[i, items)`, and the children that are behind them: what one mark for all of them stands for. */
  readonly restNodes: Float64Array;
  readonly restKeywords: Float64Array;
  readonly restVolume: Float64Array;
  /** Children without an area. */
  readonly weightless: { readonly nodes: number; readonly keywords: number; readonly volume: number };
};

export function arrange(tree: HeldTree, row: number, sizeBy: SizeBy, width: number, height: number): Arrangement {
  const { rows, weights, weightless } = weighChildren(tree, row, sizeBy);
  const items = weights.length;
  const tail = tree.tail(row);
  const rest = () => new Float64Array(items + 1);
  const [restNodes, restKeywords, restVolume] = [rest(), rest(), rest()];
  for (let i = items - 1; i >= 0; i--) {
    const child = rows[i];
    restNodes[i] = restNodes[i + 1]! + (child === undefined ? tail.nodes : 1);
    restKeywords[i] = restKeywords[i + 1]! + (child === undefined ? tail.keywords : tree.keywords[child]!);
    restVolume[i] = restVolume[i + 1]! + (child === undefined ? tail.volume : knownVolume(tree, child));
  }
  // Children that are not held and weigh nothing have no item of their own.
  const unplaced = items > rows.length ? { nodes: 0, keywords: 0, volume: 0 } : { ...tail };
  for (const child of weightless) {
    unplaced.nodes++;
    unplaced.keywords += tree.keywords[child]!;
    unplaced.volume += knownVolume(tree, child);
  }
  return {
    width,
    height,
    squares: squarify(weights, width, height),
    rows,
    items,
    restNodes,
    restKeywords,
    restVolume,
    weightless: unplaced,
  };
}
