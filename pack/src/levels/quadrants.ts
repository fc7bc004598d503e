import { figures, figuresFor } from '../format/figures.ts';

/** Two thresholds on a pair of axes. */
export type Thresholds = { readonly x: number; readonly y: number };

/** The figures whose low values are good. For all others, a value equal to a threshold counts as high. */
const costs: ReadonlySet<string> = new Set(
  [...figuresFor('sort'), ...figuresFor('field')]
    .filter((name) => 'isCost' in figures[name])
    .map((name) => (name === 'competition' ? `field:${name}` : name)),
);
export const isCost = (figure: string): boolean => costs.has(figure);

/** Whether a value is on the upper side of a threshold. An equal one is on the good side: low for costs, else high. */
export const isHigh = (figure: string, value: number, threshold: number): boolean =>
  isCost(figure) ? value > threshold : value >= threshold;

/** The quadrants of a plot, in the order of {@link quadrantOf}. */
export const quadrantPlaces = ['lowerLeft', 'lowerRight', 'upperLeft', 'upperRight'] as const;
export type QuadrantPlace = (typeof quadrantPlaces)[number];

/** The number of the quadrant that a point is in. Both values are known. */
export function quadrantOf(axes: { readonly x: string; readonly y: string }, at: Thresholds, x: number, y: number) {
  return Number(isHigh(axes.x, x, at.x)) + 2 * Number(isHigh(axes.y, y, at.y));
}
