import type { Family } from '../layout/family.ts';
import { type Squares, squarify } from './squarify.ts';

/**
 * The children of one row in a rectangle of `width` by `height`. It does not depend on the camera: zooming stretches
 * it, so boxes never change places.
 */
export type Arrangement = Family & {
  readonly family: Family;
  readonly width: number;
  readonly height: number;
  readonly squares: Squares;
};

export function arrange(family: Family, width: number, height: number): Arrangement {
  return { ...family, family, width, height, squares: squarify(family.weights, width, height) };
}
