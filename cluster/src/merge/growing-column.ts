import { grown, release } from '../../../pack/src/upload/release.ts';

type Numbers = Float64Array | Int32Array | Uint8Array;

/**
 * A column of numbers that grows at its end. Rows that are never set hold `unknown`.
 *
 * Memory: that of the rows up to the last one that was set. Room beyond them is not touched, so the system does not
 * provide it.
 */
export class GrowingColumn<Column extends Numbers> {
  readonly #make: new (
    rows: number,
  ) => Column;
  readonly #unknown: number;
  #values: Column;
  /** The rows that hold a value or `unknown`. Those beyond hold zeros. */
  #filled = 0;

  constructor(make: new (rows: number) => Column, unknown: number) {
    this.#make = make;
    this.#unknown = unknown;
    this.#values = new make(1024);
  }

  get(row: number): number {
    return row < this.#filled ? this.#values[row]! : this.#unknown;
  }

  set(row: number, value: number): void {
    if (row >= this.#filled) this.#fill(row + 1);
    this.#values[row] = value;
  }

  /** The first rows. They share memory with the column, and are gone once it has grown. */
  rows(count: number): Column {
    if (count > this.#filled) this.#fill(count);
    return this.#values.subarray(0, count) as Column;
  }

  /** What the column takes in memory, in bytes. */
  get bytes(): number {
    return this.#filled * this.#values.BYTES_PER_ELEMENT;
  }

  /** Frees the memory. No row is known afterwards. */
  release(): void {
    release(this.#values);
    this.#filled = 0;
  }

  #fill(rows: number): void {
    if (rows > this.#values.length)
      this.#values = grown(this.#values, this.#make, Math.max(2 * this.#values.length, rows), this.#filled);
    if (this.#unknown !== 0) this.#values.fill(this.#unknown, this.#filled, rows);
    this.#filled = rows;
  }
}

export const numberColumn = () => new GrowingColumn<Float64Array>(Float64Array, Number.NaN);
export const codeColumn = () => new GrowingColumn<Int32Array>(Int32Array, -1);
export const bitColumn = () => new GrowingColumn<Uint8Array>(Uint8Array, 0);
