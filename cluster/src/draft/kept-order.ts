/**
 * Puts those that have a place in the order of their places, and each other one before the first of them that comes
 * after it by itself.
 *
 * @param compare the order of those without a place
 */
export function inKeptOrder<One>(
  all: readonly One[],
  placeOf: (one: One) => number | undefined,
  compare: (one: One, other: One) => number,
): One[] {
  const kept = all.filter((one) => placeOf(one) !== undefined).sort((one, other) => placeOf(one)! - placeOf(other)!);
  const others = all.filter((one) => placeOf(one) === undefined).sort(compare);
  const ordered: One[] = [];
  let next = 0;
  for (const one of kept) {
    while (next < others.length && compare(others[next]!, one) < 0) ordered.push(others[next++]!);
    ordered.push(one);
  }
  return [...ordered, ...others.slice(next)];
}
