import { circleAround } from './circle-around.ts';

/**
 * Circles side by side, and the circle that encloses them: centres are relative to its centre, radii in the same unit.
 */
export type PackedCircles = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Radius of the enclosing circle. */
  readonly radius: number;
};

/** Number of circles placed on the front, which is expensive for many; the others follow around it in a spiral. */
const frontCircles = 600;

/**
 * Places circles close around the centre without overlap. The first ones touch: each goes to the position on the front
 * that is nearest to the centre. If there are very many, the small ones at the end are placed around them like the
 * seeds of a sunflower.
 *
 * Cost: linear, after the front.
 * Source: Wang, Wang, Dai and Wang, "Visualization of Large Hierarchical Data by Circle Packing", CHI 2006; Vogel, "A
 * Better Way to Construct the Sunflower Head", Mathematical Biosciences 44, 1979.
 *
 * @param radii descending
 */
export function packCircles(radii: Float64Array): PackedCircles {
  const x = new Float64Array(radii.length);
  const y = new Float64Array(radii.length);
  const circles = { radii, x, y };
  if (radii.length <= frontCircles) return { x, y, radius: packCore(circles) };
  // If the first circle beyond the front is about as large as the first of all, one spiral holds them all, without a
  // lump in the middle.
  if (radii[frontCircles]! >= radii[0]! * leastAlike) return { x, y, radius: sow(circles, 0, 0) };
  const core = packCore({ radii: radii.subarray(0, frontCircles), x, y });
  return { x, y, radius: sow(circles, frontCircles, core) };
}

type Circles = { readonly radii: Float64Array; readonly x: Float64Array; readonly y: Float64Array };

/** Places all given circles around the centre. @returns the radius of the enclosing circle */
function packCore(circles: Circles): number {
  const { radii, x, y } = circles;
  if (radii.length < 2) return radii[0] ?? 0;
  x[0] = -radii[1]!;
  x[1] = radii[0]!;
  if (radii.length > 2) layOnFront(circles);
  const around = circleAround(radii, x, y);
  for (let i = 0; i < radii.length; i++) {
    x[i] = x[i]! - around.x;
    y[i] = y[i]! - around.y;
  }
  return around.radius;
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Share of the plane that the seeds of a sunflower may cover without overlapping; 0.7 if all had the same size. */
const seedDensity = 0.6;
/** Seeds with at most this share of the first one's radius start a spiral of their own around it. */
const leastAlike = 0.8;

/**
 * Weight of the seed in the centre, as a part of one seed. It keeps the innermost ones apart: otherwise number 0 and
 * number 3 would be the first to overlap.
 */
const middleSeed = 0.6;

/** Places the circles from `first` on around the core. @returns the radius of the circle that encloses all */
function sow({ radii, x, y }: Circles, first: number, core: number): number {
  let reach = core;
  let alike = 0;
  /** Squared distance from the centre up to which the plane is covered. */
  let taken = 0;
  for (let i = first; i < radii.length; i++) {
    const radius = radii[i]!;
    if (radius < alike * leastAlike || alike === 0) {
      alike = radius;
      taken = reach > 0 ? (reach + radius) ** 2 : (radius * radius * middleSeed) / seedDensity;
    }
    const distance = Math.sqrt(taken);
    x[i] = distance * Math.cos(i * goldenAngle);
    y[i] = distance * Math.sin(i * goldenAngle);
    reach = Math.max(reach, distance + radius);
    taken += (radius * radius) / seedDensity;
  }
  return reach;
}

/** Places the circles from the third on. The front is a doubly linked ring of circles that encloses all of them. */
function layOnFront(circles: Circles): void {
  const count = circles.radii.length;
  const next = new Int32Array(count);
  const previous = new Int32Array(count);
  const link = (a: number, b: number) => {
    next[a] = b;
    previous[b] = a;
  };
  let [a, b] = [0, 1];
  touch(circles, b, a, 2);
  link(a, b);
  link(b, 2);
  link(2, a);
  for (let c = 3; c < count; ) {
    touch(circles, a, b, c);
    // Finds the nearest circle of the front that is in the way, searching in both directions by distance along the
    // front.
    let [after, before] = [next[b]!, previous[a]!];
    let [wayAfter, wayBefore] = [circles.radii[b]!, circles.radii[a]!];
    let isFree = true;
    do {
      if (wayAfter <= wayBefore) {
        if (overlap(circles, after, c)) {
          b = after;
          isFree = false;
          break;
        }
        wayAfter += circles.radii[after]!;
        after = next[after]!;
      } else {
        if (overlap(circles, before, c)) {
          a = before;
          isFree = false;
          break;
        }
        wayBefore += circles.radii[before]!;
        before = previous[before]!;
      }
    } while (after !== next[before]!);
    if (!isFree) {
      link(a, b);
      continue;
    }
    link(a, c);
    link(c, b);
    b = c;
    a = nearestPair(circles, next, b);
    b = next[a]!;
    c++;
  }
}

/** The circle of the front whose position beside its successor is nearest to the centre. */
function nearestPair(circles: Circles, next: Int32Array, start: number): number {
  let nearest = start;
  let least = distanceOfPair(circles, start, next[start]!);
  for (let at = next[start]!; at !== start; at = next[at]!) {
    const distance = distanceOfPair(circles, at, next[at]!);
    if (distance >= least) continue;
    nearest = at;
    least = distance;
  }
  return nearest;
}

/** Squared distance from the centre to the point where two circles touch. */
function distanceOfPair({ radii, x, y }: Circles, a: number, b: number): number {
  const both = radii[a]! + radii[b]!;
  const px = (x[a]! * radii[b]! + x[b]! * radii[a]!) / both;
  const py = (y[a]! * radii[b]! + y[b]! * radii[a]!) / both;
  return px * px + py * py;
}

/** Places circle `c` so that it touches `a` and `b`, outside the front that runs from `a` to `b`. */
function touch({ radii, x, y }: Circles, a: number, b: number, c: number): void {
  const [dx, dy] = [x[a]! - x[b]!, y[a]! - y[b]!];
  const apart2 = dx * dx + dy * dy;
  if (apart2 === 0) {
    x[c] = x[a]! + radii[c]!;
    y[c] = y[a]!;
    return;
  }
  const toA2 = (radii[a]! + radii[c]!) ** 2;
  const toB2 = (radii[b]! + radii[c]!) ** 2;
  // Measured from the larger distance, which loses less to rounding.
  if (toA2 > toB2) {
    const along = (apart2 + toB2 - toA2) / (2 * apart2);
    const across = Math.sqrt(Math.max(0, toB2 / apart2 - along * along));
    x[c] = x[b]! + along * dx - across * dy;
    y[c] = y[b]! + along * dy + across * dx;
  } else {
    const along = (apart2 + toA2 - toB2) / (2 * apart2);
    const across = Math.sqrt(Math.max(0, toA2 / apart2 - along * along));
    x[c] = x[a]! - along * dx - across * dy;
    y[c] = y[a]! - along * dy + across * dx;
  }
}

const tolerance = 1e-6;

function overlap({ radii, x, y }: Circles, a: number, b: number): boolean {
  const reach = radii[a]! + radii[b]! - tolerance * Math.min(radii[a]!, radii[b]!);
  const [dx, dy] = [x[a]! - x[b]!, y[a]! - y[b]!];
  return reach > 0 && reach * reach > dx * dx + dy * dy;
}
