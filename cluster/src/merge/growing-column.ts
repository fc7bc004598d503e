type Numbers = Float64Array | Int32Array | Uint8Array;

/** A column of numbers that grows at its end. Rows that are never set hold `unknown`. */
export class GrowingColumn<Column extends Numbers> {
  readonly #make: new (
    rows: number,
  ) => Column;
  readonly #unknown: number;
  #values: Column;

  constructor(make: new (rows: number) => Column, unknown: number) {
    this.#make = make;
    this.#unknown = unknown;
    this.#values = this.#filled(1024);
  }

  get(row: number): number {
    return this.#values[row] ?? this.#unknown;
  }

  set(row: number, value: number): void {
    if (row >= this.#values.length) {
      const grown = this.#filled(Math.max(2 * this.#values.length, row + 1));
      grown.set(this.#values as never);
      this.#values = grown;
    }
    this.#values[row] = value;
  }

  /** The first rows. They share memory with the column if it is long enough. */
  rows(count: number): Column {
    if (count > 0) this.set(count - 1, this.get(count - 1));
    return this.#values.subarray(0, count) as Column;
  }

  #filled(rows: number): Column {
    const column = new this.#make(rows);
    column.fill(this.#unknown);
    return column;
  }
}

export const numberColumn = () => new GrowingColumn<Float64Array>(Float64Array, Number.NaN);
export const codeColumn = () => new GrowingColumn<Int32Array>(Int32Array, -1);
export const bitColumn = () => new GrowingColumn<Uint8Array>(Uint8Array, 0);
