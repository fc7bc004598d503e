/**
 * The part of a plot that is shown: from `x` on to the right and from `y` on upwards, as shares of both axes. A `k`-th of
 * each axis is seen.
 */
export type PlotView = { readonly x: number; readonly y: number; readonly k: number };

export const wholeView: PlotView = { x: 0, y: 0, k: 1 };

/** Further in, neighbouring values of an axis are too far apart to be compared. */
export const mostZoom = 1000;

/** The nearest possible view: nothing beyond the ends of the axes is shown. */
export function heldView({ x, y, k }: PlotView): PlotView {
  const zoom = Math.min(mostZoom, Math.max(1, k));
  const within = (from: number) => Math.min(1 - 1 / zoom, Math.max(0, from));
  return { x: within(x), y: within(y), k: zoom };
}

/** Zooms while one point of the plot stays where it is. @param at shares of the width from the left, of the height from below */
export function zoomedView(view: PlotView, factor: number, at = { x: 0.5, y: 0.5 }): PlotView {
  const k = Math.min(mostZoom, Math.max(1, view.k * factor));
  return heldView({ x: view.x + at.x / view.k - at.x / k, y: view.y + at.y / view.k - at.y / k, k });
}

/** Moves what is seen by shares of the width and the height of the plot. */
export function pannedView(view: PlotView, across: number, up: number): PlotView {
  return heldView({ ...view, x: view.x - across / view.k, y: view.y - up / view.k });
}

/** A view that also shows some points, given as shares of both axes. */
export function widenedView(view: PlotView, points: readonly { readonly x: number; readonly y: number }[]): PlotView {
  const around = (of: 'x' | 'y') => {
    const all = [view[of], view[of] + 1 / view.k, ...points.map((point) => point[of])];
    return { from: Math.min(...all), to: Math.max(...all) };
  };
  const [x, y] = [around('x'), around('y')];
  // A little room beyond the outermost point.
  const length = Math.min(1, Math.max(x.to - x.from, y.to - y.from) * 1.1);
  const middle = ({ from, to }: { from: number; to: number }) => (from + to) / 2 - length / 2;
  return heldView({ x: middle(x), y: middle(y), k: 1 / length });
}
