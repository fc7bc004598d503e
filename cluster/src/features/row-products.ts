import { compiled, WebAssembly } from '@kc/pack/json/web-assembly';
import type { Vectors } from './vectors.ts';

/** Allocates rows of bytes that are multiplied with each other. Where they are allocated decides how fast that is. */
export type RowRoom = (rows: number, dimensions: number) => Vectors<Int8Array>;

/** Rows in ordinary memory. */
export const plainRoom: RowRoom = (rows, dimensions) => ({ values: new Int8Array(rows * dimensions), dimensions });

/** The maximum number of rows that one row is multiplied with in a call. */
export const rowsTogether = 64;

/** Computes the dot products of one row of bytes with some others. */
export type RowProducts = {
  /** The row to compare with. The caller of `multiply` writes it here. */
  readonly own: Int8Array;
  /** The numbers of the other rows, written here before the call: at most {@link rowsTogether}. */
  readonly chosen: Uint32Array;
  /** Their products with the row, by place in `chosen`; valid after `multiply`. */
  readonly found: Int32Array;
  /** @param count how many of `chosen` to multiply with, from the first */
  multiply(count: number): void;
  /** The object that last wrote `own`, to detect that another one has overwritten it in the meantime. */
  user?: object;
};

/** The products of rows in WebAssembly memory, by that memory. */
const inRooms = new WeakMap<ArrayBufferLike, RowProducts>();

/** The products of some rows. One user at a time: rows in one memory share `own`, `chosen` and `found`. */
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

/** Adds up four sums, because each addition to a single one would wait for the last. `| 0` keeps them integers, which takes half the time. */
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

// The layout of the memory: the row, the numbers of the others, the products, then all rows, with some bytes after them, because the loop
// reads beyond their end.
const maxDimensions = 2 ** 15;
const chosenAt = maxDimensions;
const foundAt = chosenAt + 4 * rowsTogether;
const rowsAt = 2 ** 16;
const step = 16;
const pageBytes = 2 ** 16;
/** The maximum size of a WebAssembly memory: 4 GiB. */
const maxPages = 2 ** 16;

type Multiply = (own: number, width: number, rows: number, chosen: number, count: number, found: number) => void;

/**
 * Rows in the memory of a WebAssembly loop with SIMD, which gives the same products several times as fast. Rows that do not fit are in
 * ordinary memory.
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
