import type { SliceField } from '@kc/pack/slice/slice';

/** In `known`: no slice has loaded the field of this row yet. Different from unknown, which is 0. */
export const notLoaded = 0xffffffff;

/** A field of the file for the loaded rows, as slices contain it; columns may be longer than the tree. */
export type LoadedField = SliceField;

type Columns = { field: LoadedField; rowsLoaded: number };

/** The fields of the file that slices were requested with, by name. Only some rows may have one. */
export class LoadedFields {
  readonly #columns = new Map<string, Columns>();
  /** Allocated rows. */
  capacity = 0;

  get(name: string): LoadedField | undefined {
    return this.#columns.get(name)?.field;
  }

  /** The names of all fields of which some rows have a value, in the order in which they were first loaded. */
  names(): readonly string[] {
    return [...this.#columns.keys()];
  }

  drop(name: string): void {
    this.#columns.delete(name);
  }

  /** Number of rows whose value of a field is loaded. */
  rowsWith(name: string): number {
    return this.#columns.get(name)?.rowsLoaded ?? 0;
  }

  /** Allocates rows, whose values are not loaded yet. */
  reserve(capacity: number): void {
    this.capacity = capacity;
    for (const columns of this.#columns.values()) columns.field = withRoom(columns.field, capacity);
  }

  /** @param rowAt loaded row of each row of the slice; `onChange` is called with those whose value changes */
  write(fields: readonly SliceField[], rowAt: Int32Array, onChange: (row: number) => void): void {
    for (const field of fields) {
      const columns = this.#columns.get(field.name) ?? { field: emptyLike(field, this.capacity), rowsLoaded: 0 };
      this.#columns.set(field.name, columns);
      const { value, known } = columns.field;
      const perRow = numbersOf(field);
      for (let i = 0; i < rowAt.length; i++) {
        const row = rowAt[i]!;
        if (known[row] === notLoaded) columns.rowsLoaded++;
        else if (known[row] === field.known[i] && isSame(value, perRow * row, field.value, perRow * i, perRow))
          continue;
        onChange(row);
        for (let at = 0; at < perRow; at++) value[perRow * row + at] = field.value[perRow * i + at]!;
        known[row] = field.known[i]!;
        if (columns.field.kind !== 'number' && field.kind !== 'number') columns.field.count[row] = field.count[i]!;
      }
    }
  }
}

function emptyLike(field: SliceField, capacity: number): LoadedField {
  const known = new Uint32Array(capacity).fill(notLoaded);
  if (field.kind === 'number') return { ...field, value: new Float64Array(capacity).fill(Number.NaN), known };
  const count = new Uint32Array(capacity);
  return field.kind === 'set'
    ? { ...field, value: new Uint32Array(2 * capacity), count, known }
    : { ...field, value: new Uint8Array(capacity), count, known };
}

/** Numbers per row. */
const numbersOf = ({ kind }: SliceField): number => (kind === 'set' ? 2 : 1);

function isSame(one: ArrayLike<number>, from: number, other: ArrayLike<number>, start: number, numbers: number) {
  for (let at = 0; at < numbers; at++) if (!Object.is(one[from + at], other[start + at])) return false;
  return true;
}

function withRoom(field: LoadedField, capacity: number): LoadedField {
  const grown = emptyLike(field, capacity);
  grown.value.set(field.value);
  grown.known.set(field.known);
  if (grown.kind !== 'number' && field.kind !== 'number') grown.count.set(field.count);
  return grown;
}
