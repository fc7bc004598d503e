/** The visible part: its centre, and its length along the path. */
export type Seen = readonly [x: number, y: number, length: number];

/** How far a long path zooms out: the value that the authors chose from a user study. */
const rho = Math.SQRT2;
/** Shorter paths are zoom only. */
const nothing = 1e-12;

/**
 * The path from one view to another at an even perceived speed: it zooms out, pans and zooms in, as far as the distance
 * requires.
 *
 * @returns the view at `t` from 0 to 1, and the length of the path in the paper's unit
 * Source: van Wijk and Nuij, "Smooth and Efficient Zooming and Panning", InfoVis 2003.
 */
export function smoothZoom([x0, y0, from]: Seen, [x1, y1, to]: Seen) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const distance2 = dx * dx + dy * dy;
  if (distance2 < nothing) {
    const length = Math.log(to / from) / rho;
    const at = (t: number): Seen => [x0 + t * dx, y0 + t * dy, from * Math.exp(rho * t * length)];
    return { at, length: Math.abs(length) };
  }
  const distance = Math.sqrt(distance2);
  const start = steepness(from, to * to - from * from + rho ** 4 * distance2, distance);
  const end = steepness(to, to * to - from * from - rho ** 4 * distance2, distance);
  const length = (end - start) / rho;
  const at = (t: number): Seen => {
    const along = rho * t * length + start;
    const gone = (from / (rho * rho * distance)) * (Math.cosh(start) * Math.tanh(along) - Math.sinh(start));
    return [x0 + gone * dx, y0 + gone * dy, (from * Math.cosh(start)) / Math.cosh(along)];
  };
  return { at, length };
}

function steepness(seen: number, difference: number, distance: number): number {
  const b = difference / (2 * seen * rho * rho * distance);
  return Math.log(Math.sqrt(b * b + 1) - b);
}
