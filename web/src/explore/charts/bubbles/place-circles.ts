import { packCircles } from './pack-circles.ts';

/**
 * Centres and radii, in radii of the enclosing circle. Weights descend except for the last, which is the children that
 * are not loaded: it is placed in order of its size.
 */
export function placeCircles(weights: Float64Array) {
  const order = Array.from(weights, (_, i) => i).sort((a, b) => weights[b]! - weights[a]!);
  const packed = packCircles(Float64Array.from(order, (item) => Math.sqrt(weights[item]!)));
  const [x, y, radii] = [0, 1, 2].map(() => new Float64Array(weights.length));
  order.forEach((item, i) => {
    x![item] = packed.x[i]! / packed.radius;
    y![item] = packed.y[i]! / packed.radius;
    radii![item] = Math.sqrt(weights[item]!) / packed.radius;
  });
  return { x: x!, y: y!, radii: radii!, radius: 1, biggest: radii![order[0] ?? 0] ?? 0 };
}
