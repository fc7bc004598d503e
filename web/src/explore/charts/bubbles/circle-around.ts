export type Circle = { readonly x: number; readonly y: number; readonly radius: number };

/**
 * The smallest circle that encloses a set of circles. At most three of them, its basis, determine it.
 *
 * Cost: usually linear. The circles are tried in a fixed shuffled order, because sorted input would be the worst case.
 * Source: Matoušek, Sharir and Welzl, "A Subexponential Bound for Linear Programming", Algorithmica 16, 1996.
 */
export function circleAround(radii: Float64Array, x: Float64Array, y: Float64Array): Circle {
  const order = mixed(radii.length);
  const circleOf = (i: number): Circle => ({ x: x[i]!, y: y[i]!, radius: radii[i]! });
  let basis: readonly Circle[] = [];
  let around: Circle = { x: 0, y: 0, radius: 0 };
  for (let at = 0; at < order.length; ) {
    const next = circleOf(order[at]!);
    if (basis.length > 0 && holds(around, next)) {
      at++;
      continue;
    }
    const extended = extend(basis, next);
    if (!extended) return reaching(around, radii, x, y);
    basis = extended;
    around = aroundBasis(basis);
    at = 0;
  }
  return around;
}

/** The numbers below `count` in a fixed shuffled order. */
function mixed(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  let seed = 1;
  for (let i = count - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((seed / 2 ** 32) * (i + 1));
    const kept = order[i]!;
    order[i] = order[other]!;
    order[other] = kept;
  }
  return order;
}

/** The basis of the circle that encloses the old basis and one more circle; undefined where rounding leaves none. */
function extend(basis: readonly Circle[], added: Circle): readonly Circle[] | undefined {
  const holdsAll = (circle: Circle) => basis.every((other) => holds(circle, other));
  if (holdsAll(added)) return [added];
  for (const one of basis) {
    if (!surelyHolds(added, one) && holdsAll(aroundTwo(one, added))) return [one, added];
  }
  for (const [i, one] of basis.entries()) {
    for (const other of basis.slice(i + 1)) {
      const isHeldByThree =
        !surelyHolds(aroundTwo(one, other), added) &&
        !surelyHolds(aroundTwo(one, added), other) &&
        !surelyHolds(aroundTwo(other, added), one);
      if (isHeldByThree && holdsAll(aroundThree(one, other, added))) return [one, other, added];
    }
  }
  return undefined;
}

const tolerance = 1e-9;

function holds(a: Circle, b: Circle): boolean {
  const reach = a.radius - b.radius + Math.max(a.radius, b.radius, 1) * tolerance;
  return reach > 0 && reach * reach > (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
}

function surelyHolds(a: Circle, b: Circle): boolean {
  const reach = a.radius - b.radius;
  return reach >= 0 && reach * reach >= (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
}

function aroundBasis([a, b, c]: readonly Circle[]): Circle {
  if (!b) return a!;
  return c ? aroundThree(a!, b, c) : aroundTwo(a!, b);
}

function aroundTwo(a: Circle, b: Circle): Circle {
  const [dx, dy, dr] = [b.x - a.x, b.y - a.y, b.radius - a.radius];
  const apart = Math.hypot(dx, dy);
  if (apart === 0) return a.radius > b.radius ? a : b;
  return {
    x: (a.x + b.x + (dx / apart) * dr) / 2,
    y: (a.y + b.y + (dy / apart) * dr) / 2,
    radius: (apart + a.radius + b.radius) / 2,
  };
}

/** The circle that three circles touch from inside: the problem of Apollonius, solved by subtracting its equations. */
function aroundThree(a: Circle, b: Circle, c: Circle): Circle {
  const [a2, b2, c2] = [a.x - b.x, a.y - b.y, b.radius - a.radius];
  const [a3, b3, c3] = [a.x - c.x, a.y - c.y, c.radius - a.radius];
  const d1 = a.x ** 2 + a.y ** 2 - a.radius ** 2;
  const d2 = d1 - b.x ** 2 - b.y ** 2 + b.radius ** 2;
  const d3 = d1 - c.x ** 2 - c.y ** 2 + c.radius ** 2;
  const ab = a3 * b2 - a2 * b3;
  const xa = (b2 * d3 - b3 * d2) / (ab * 2) - a.x;
  const xb = (b3 * c2 - b2 * c3) / ab;
  const ya = (a3 * d2 - a2 * d3) / (ab * 2) - a.y;
  const yb = (a2 * c3 - a3 * c2) / ab;
  const qa = xb * xb + yb * yb - 1;
  const qb = 2 * (a.radius + xa * xb + ya * yb);
  const qc = xa * xa + ya * ya - a.radius ** 2;
  const radius = -(Math.abs(qa) > 1e-6 ? (qb + Math.sqrt(Math.max(0, qb * qb - 4 * qa * qc))) / (2 * qa) : qc / qb);
  return { x: a.x + xa + xb * radius, y: a.y + ya + yb * radius, radius };
}

/** The circle with the same centre that reaches around all circles. */
function reaching({ x: cx, y: cy }: Circle, radii: Float64Array, x: Float64Array, y: Float64Array): Circle {
  let radius = 0;
  for (let i = 0; i < radii.length; i++) radius = Math.max(radius, Math.hypot(x[i]! - cx, y[i]! - cy) + radii[i]!);
  return { x: cx, y: cy, radius };
}
