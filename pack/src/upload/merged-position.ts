/** Accumulates the positions of several entries of one keyword, or of those of its entries that have the same address. */
export type Positions = { best: number; weighted: number; weight: number };

export const noPositions = (): Positions => ({ best: Number.NaN, weighted: 0, weight: 0 });

/** @param position from 1; ignored if it is NaN. Unknown impressions count as 0 */
export function addPosition(positions: Positions, position: number, impressions: number | undefined): void {
  if (Number.isNaN(position)) return;
  if (!(positions.best <= position)) positions.best = position;
  positions.weighted += (impressions || 0) * position;
  positions.weight += impressions || 0;
}

/**
 * The mean weighted by impressions if any are known; otherwise the best position, because each is a ranking of its own. NaN if no position
 * is known.
 *
 * Source: docs/pack-format.md "Merged entries".
 */
export const mergedPosition = ({ best, weighted, weight }: Positions): number =>
  weight > 0 ? weighted / weight : best;
