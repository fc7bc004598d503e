/** The index of the first of ascending numbers that is not below a given one. */
export function firstFrom(rising: Uint32Array, number: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
