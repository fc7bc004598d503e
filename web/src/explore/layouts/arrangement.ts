import type { HeldTree } from '../store/held-tree.ts';
import { type Family, familyOf } from './family.ts';
import type { SizeBy } from './layout.ts';
import { type Squares, squarify } from './squarify.ts';

/**
 * The children of one row in a rectangle of `width` by `height`. It does not depend on the camera: zooming stretches it,
 * so that boxes never change places.
 */
export type Arrangement = Family & {
  readonly width: number;
  readonly height: number;
  readonly squares: Squares;
};

export function arrange(tree: HeldTree, row: number, sizeBy: SizeBy, width: number, height: number): Arrangement {
  const family = familyOf(tree, row, sizeBy);
  return { ...family, width, height, squares: squarify(family.weights, width, height) };
}
