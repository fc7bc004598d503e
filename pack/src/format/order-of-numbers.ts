import { eachPiece, type Pause } from './in-pieces.ts';

const digitBits = 16;
const digits = 2 ** digitBits;

/**
 * The indices of whole numbers below 2^32, in ascending order of the numbers; equal numbers stay in the order `before`. A radix sort.
 *
 * Cost: at most four passes in pieces, whatever the order, and no comparisons; 8 bytes for each number.
 *
 * @param before an order of the indices; ascending if absent
 */
export async function orderOfNumbers(
  numbers: ArrayLike<number>,
  pause: Pause,
  before?: Uint32Array,
): Promise<Uint32Array> {
  const { length } = numbers;
  let order = before ?? (await ascending(length, pause));
  for (const shift of [0, digitBits]) {
    const places = new Uint32Array(digits + 1);
    await pause();
    await eachPiece(length, pause, (from, end) => {
      for (let at = from; at < end; at++) places[((numbers[at]! >>> shift) & (digits - 1)) + 1]!++;
    });
    // All numbers have the same digit.
    if (places.includes(length)) continue;
    for (let digit = 0; digit < digits; digit++) places[digit + 1]! += places[digit]!;
    const [now, next] = [order, new Uint32Array(length)];
    await eachPiece(length, pause, (from, end) => {
      for (let at = from; at < end; at++) {
        const index = now[at]!;
        next[places[(numbers[index]! >>> shift) & (digits - 1)]!++] = index;
      }
    });
    order = next;
  }
  return order;
}

async function ascending(length: number, pause: Pause): Promise<Uint32Array> {
  const order = new Uint32Array(length);
  await eachPiece(length, pause, (from, end) => {
    for (let at = from; at < end; at++) order[at] = at;
  });
  return order;
}

/** The index of the first of ascending numbers that is not below a given one. */
export function firstFrom(ascending: Uint32Array, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
