import type { WeighedChildren } from '../../model/weights.ts';

/** In the rows of a family: one item for everything that is gone from the branch since the compared upload. */
export const goneRow = -1;

/** How many children, and the sums of their figures. */
export type Amounts = { readonly nodes: number; readonly keywords: number; readonly volume: number };

/** What branches have lost, by loaded row, with the figures of the compared upload. */
export type GoneWeights = {
  /** Gone children of a row. */
  at(row: number): Amounts;
  /** The children of a row, heavier by what each has lost, with an item for what the row itself has lost. */
  weigh(remaining: WeighedChildren, row: number): WeighedChildren;
};
