import { compiled, WebAssembly } from '@kc/pack/json/web-assembly';
import type { Vectors } from './vectors.ts';

/** Makes room for rows of bytes that are compared one by one. Where it is, they are compared faster. */
export type RowRoom = (rows: number, dimensions: number) => Vectors<Int8Array>;

/** Room in ordinary memory. */
export const plainRoom: RowRoom = (rows, dimensions) => ({ values: new Int8Array(rows * dimensions), dimensions });

/** Rows that one is multiplied with at a time. */
export const rowsTogether = 64;

/** Multiplies one row of bytes with some others. */
export type RowProducts = {
  /** The row. */
  readonly own: Int8Array;
  /** The numbers of the others: at most {@link rowsTogether}. */
  readonly chosen: Uint32Array;
  /** Their products with the row, after `multiply`. */
  readonly found: Int32Array;
  /** @param count how many of the others count, from the first */
  multiply(count: number): void;
  /** Whoever put the row there. */
  user?: object;
};

/** Of rows that are in the room of a loop. */
const inRooms = new WeakMap<ArrayBufferLike, RowProducts>();

/** Rows may be multiplied by one user at a time: rows in one room share the place of what they are multiplied with. */
export const productsOf = (rows: Vectors<Int8Array>): RowProducts =>
  inRooms.get(rows.values.buffer) ?? plainProducts(rows);

export function plainProducts({ values, dimensions }: Vectors<Int8Array>): RowProducts {
  const own = new Int8Array(dimensions);
  const chosen = new Uint32Array(rowsTogether);
  const found = new Int32Array(rowsTogether);
  return {
    own,
    chosen,
    found,
    multiply(count) {
      for (let at = 0; at < count; at++) found[at] = product(own, values, chosen[at]! * dimensions);
    },
  };
}

/** Four sums at a time: one would wait for itself. Whole numbers take half the time of fractions. */
function product(own: Int8Array, values: Int8Array, start: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const inFours = own.length - (own.length % 4);
  for (let at = 0; at < inFours; at += 4) {
    first = (first + Math.imul(own[at]!, values[start + at]!)) | 0;
    second = (second + Math.imul(own[at + 1]!, values[start + at + 1]!)) | 0;
    third = (third + Math.imul(own[at + 2]!, values[start + at + 2]!)) | 0;
    fourth = (fourth + Math.imul(own[at + 3]!, values[start + at + 3]!)) | 0;
  }
  for (let at = inFours; at < own.length; at++) first += Math.imul(own[at]!, values[start + at]!);
  return first + second + third + fourth;
}

// The memory of a room contains, in this order: the row, the numbers of the others, the products, and all rows with room for
// reads beyond their end.
const maxDimensions = 2 ** 15;
const chosenAt = maxDimensions;
const foundAt = chosenAt + 4 * rowsTogether;
const rowsAt = 2 ** 16;
const step = 16;
const pageBytes = 2 ** 16;
/** The maximum size of a memory. */
const maxPages = 2 ** 16;

type Multiply = (own: number, width: number, rows: number, chosen: number, count: number, found: number) => void;

/**
 * Room in the memory of a WebAssembly loop with SIMD, which multiplies several times as fast and finds the same. What does
 * not fit is in ordinary memory.
 *
 * @param binary the bytes of `cluster/dist/row-products.wasm`
 * @returns undefined if it cannot run: no SIMD, or a policy that forbids it
 */
export function simdRoom(binary: Uint8Array<ArrayBuffer>): RowRoom | undefined {
  const module = compiled(binary);
  if (!module) return undefined;
  return (rows, dimensions) => {
    const pages = Math.ceil((rowsAt + rows * dimensions + step) / pageBytes);
    if (pages > maxPages || dimensions > maxDimensions - step) return plainRoom(rows, dimensions);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { buffer } = memory;
    const { multiply } = new WebAssembly.Instance(module, { env: { memory } }).exports as { multiply: Multiply };
    inRooms.set(buffer, {
      own: new Int8Array(buffer, 0, dimensions),
      chosen: new Uint32Array(buffer, chosenAt, rowsTogether),
      found: new Int32Array(buffer, foundAt, rowsTogether),
      multiply: (count) => multiply(0, dimensions, rowsAt, chosenAt, count, foundAt),
    });
    return { values: new Int8Array(buffer, rowsAt, rows * dimensions), dimensions };
  };
}
