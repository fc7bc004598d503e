/**
 * Rectangles with areas in proportion to their weights that fill a rectangle and are as square as possible.
 *
 * Items are placed in strips along the shorter side of the free area; what is left after each strip is a rectangle
 * again, so any number of the last strips can be drawn as one.
 */
export type Squares = {
  /** Four numbers per item: `x0, y0, x1, y1`. */
  readonly boxes: Float64Array;
  /** Strip `s` holds items `[stripStart[s], stripStart[s + 1])`. */
  readonly stripStart: Uint32Array;
  readonly strips: number;
  /** Four numbers per strip: the area that is free before it is placed, so strip `s` and all later ones fill it. */
  readonly free: Float64Array;
};

/**
 * @param weights above 0; best in descending order
 * Cost: linear.
 * Source: Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000.
 */
export function squarify(weights: Float64Array, width: number, height: number): Squares {
  const placed = weights.length;
  const rest = suffixSums(weights);
  const squares = {
    boxes: new Float64Array(placed * 4),
    stripStart: new Uint32Array(placed + 1),
    strips: 0,
    free: new Float64Array(placed * 4),
  };
  let [x, y] = [0, 0];
  for (let first = 0; first < placed; ) {
    const [freeWidth, freeHeight] = [width - x, height - y];
    const scale = (freeWidth * freeHeight) / rest[first]!;
    const side = Math.min(freeWidth, freeHeight);
    const { end, sum } = strip(weights, placed, first, side, scale);
    squares.free.set([x, y, width, height], squares.strips * 4);
    squares.stripStart[squares.strips++] = first;
    // The last strip takes all of the free area, so that rounding leaves no gap.
    const thickness = end === placed ? Math.max(freeWidth, freeHeight) : (sum * scale) / side;
    const isUpright = freeWidth >= freeHeight;
    placeStrip(
      squares.boxes,
      weights,
      first,
      end,
      sum,
      x,
      y,
      isUpright ? thickness : freeWidth,
      isUpright ? freeHeight : thickness,
      isUpright,
    );
    if (isUpright) x += thickness;
    else y += thickness;
    first = end;
  }
  squares.stripStart[squares.strips] = placed;
  return squares;
}

/** Adds items to a strip as long as its worst aspect ratio improves. Areas are weights times `scale`. */
function strip(weights: Float64Array, placed: number, first: number, side: number, scale: number) {
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  let worst = Number.POSITIVE_INFINITY;
  let end = first;
  for (; end < placed; end++) {
    const weight = weights[end]!;
    const newSum = sum + weight;
    const newMin = Math.min(min, weight);
    const newMax = Math.max(max, weight);
    const across = (newSum * newSum * scale) / (side * side);
    const newWorst = Math.max(newMax / across, across / newMin);
    if (newWorst > worst) break;
    sum = newSum;
    min = newMin;
    max = newMax;
    worst = newWorst;
  }
  return { end, sum };
}

/** Divides a strip among its items: top to bottom if it is vertical, left to right if it is horizontal. */
function placeStrip(
  boxes: Float64Array,
  weights: Float64Array,
  first: number,
  end: number,
  sum: number,
  x: number,
  y: number,
  width: number,
  height: number,
  isUpright: boolean,
): void {
  let before = 0;
  for (let i = first; i < end; i++) {
    const from = before / sum;
    before += weights[i]!;
    const to = i === end - 1 ? 1 : before / sum;
    const at = i * 4;
    boxes[at] = isUpright ? x : x + width * from;
    boxes[at + 1] = isUpright ? y + height * from : y;
    boxes[at + 2] = isUpright ? x + width : x + width * to;
    boxes[at + 3] = isUpright ? y + height * to : y + height;
  }
}

/** `sums[i]` is the sum of all weights from `i` on; summed from the light end to reduce rounding errors. */
function suffixSums(weights: Float64Array): Float64Array {
  const sums = new Float64Array(weights.length + 1);
  for (let i = weights.length - 1; i >= 0; i--) sums[i] = sums[i + 1]! + weights[i]!;
  return sums;
}
