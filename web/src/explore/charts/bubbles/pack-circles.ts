import { packSiblings } from 'd3-hierarchy';

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
  if (radii[frontCircles]! >= radii[0]! * minAlike) return { x, y, radius: sow(circles, 0, 0) };
  const core = packCore({ radii: radii.subarray(0, frontCircles), x, y });
  return { x, y, radius: sow(circles, frontCircles, core) };
}

type Circles = { readonly radii: Float64Array; readonly x: Float64Array; readonly y: Float64Array };

/** Places all given circles around the centre. @returns the radius of the enclosing circle */
function packCore({ radii, x, y }: Circles): number {
  let reach = 0;
  for (const [i, circle] of packSiblings(Array.from(radii, (r) => ({ r }))).entries()) {
    x[i] = circle.x;
    y[i] = circle.y;
    reach = Math.max(reach, Math.hypot(circle.x, circle.y) + circle.r);
  }
  return reach;
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Share of the plane that the seeds of a sunflower may cover without overlapping; 0.7 if all had the same size. */
const seedDensity = 0.6;
/** Seeds with at most this share of the first one's radius start a spiral of their own around it. */
const minAlike = 0.8;

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
  let covered = 0;
  for (let i = first; i < radii.length; i++) {
    const radius = radii[i]!;
    if (radius < alike * minAlike || alike === 0) {
      alike = radius;
      covered = reach > 0 ? (reach + radius) ** 2 : (radius * radius * middleSeed) / seedDensity;
    }
    const distance = Math.sqrt(covered);
    x[i] = distance * Math.cos(i * goldenAngle);
    y[i] = distance * Math.sin(i * goldenAngle);
    reach = Math.max(reach, distance + radius);
    covered += (radius * radius) / seedDensity;
  }
  return reach;
}
