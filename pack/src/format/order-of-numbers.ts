import { eachPiece, type Pause } from './in-pieces.ts';

const digitBits = 16;

/**
 * The indices of whole numbers below 2^32, in ascending order of the numbers; those of equal ones in their order.
 *
 * Cost: four passes in pieces, whatever the order, and no comparisons; 8 bytes for each number.
 */
export async function orderOfNumbers(numbers: ArrayLike<number>, pause: Pause): Promise<Uint32Array> {
  const { length } = numbers;
  let order = new Uint32Array(length);
  for (let at = 0; at < length; at++) order[at] = at;
  for (const shift of [0, digitBits]) {
    const digitOf = (index: number) => (numbers[index]! >>> shift) & (2 ** digitBits - 1);
    const places = new Uint32Array(2 ** digitBits + 1);
    await pause();
    await eachPiece(length, pause, (from, end) => {
      for (let at = from; at < end; at++) places[digitOf(at) + 1]!++;
    });
    for (let digit = 0; digit < 2 ** digitBits; digit++) places[digit + 1]! += places[digit]!;
    const next = new Uint32Array(length);
    await eachPiece(length, pause, (from, end) => {
      for (let at = from; at < end; at++) next[places[digitOf(order[at]!)]!++] = order[at]!;
    });
    order = next;
  }
  return order;
}
