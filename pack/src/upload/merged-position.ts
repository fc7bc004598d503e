/** What is known of the positions of several entries of one keyword, or of one address of it. */
export type Positions = { best: number; weighted: number; weight: number };

export const noPositions = (): Positions => ({ best: Number.NaN, weighted: 0, weight: 0 });

/** @param position from 1; NaN counts for nothing, and so do impressions that are NaN */
export function addPosition(positions: Positions, position: number, impressions: number | undefined): void {
  if (Number.isNaN(position)) return;
  if (!(positions.best <= position)) positions.best = position;
  positions.weighted += (impressions || 0) * position;
  positions.weight += impressions || 0;
}

/**
 * Their mean weighted by impressions if any are known; otherwise the best one, because each is a ranking of its own. NaN if none
 * is known.
 *
 * Source: docs/pack-format.md "Merged entries".
 */
export const mergedPosition = ({ best, weighted, weight }: Positions): number =>
  weight > 0 ? weighted / weight : best;
