/**
 * Sets `values[i] = column[rows[i] - base]` for `i` from `from` on, as long as the row is in the column, which contains
 * the rows from `base` on.
 *
 * Copies numbers by their width in bytes, whatever their type. Each width has its own loop: a shared loop for all array
 * types would look up the type for each number.
 *
 * @returns the first `i` whose row is not in the column
 */
export function pickRows(
  values: ArrayBufferView,
  column: ArrayBufferView,
  width: number,
  rows: Uint32Array,
  base = 0,
  from = 0,
): number {
  const count = column.byteLength / width;
  if (width === 8) return pickPairs(words(values), words(column), count, rows, base, from);
  if (width === 4) return pickWords(words(values), words(column), count, rows, base, from);
  if (width === 2) return pickHalves(halves(values), halves(column), count, rows, base, from);
  return pickBytes(bytes(values), bytes(column), count, rows, base, from);
}

// Creates another view only if necessary: for a few rows it would be most of the work.
const words = (of: ArrayBufferView) =>
  of instanceof Uint32Array ? of : new Uint32Array(of.buffer, of.byteOffset, of.byteLength >> 2);
const halves = (of: ArrayBufferView) =>
  of instanceof Uint16Array ? of : new Uint16Array(of.buffer, of.byteOffset, of.byteLength >> 1);
const bytes = (of: ArrayBufferView) =>
  of instanceof Uint8Array ? of : new Uint8Array(of.buffer, of.byteOffset, of.byteLength);

function pickPairs(
  values: Uint32Array,
  column: Uint32Array,
  count: number,
  rows: Uint32Array,
  base: number,
  from: number,
): number {
  let index = from;
  for (; index < rows.length; index++) {
    const at = rows[index]! - base;
    if (at < 0 || at >= count) break;
    values[2 * index] = column[2 * at]!;
    values[2 * index + 1] = column[2 * at + 1]!;
  }
  return index;
}

function pickWords(
  values: Uint32Array,
  column: Uint32Array,
  count: number,
  rows: Uint32Array,
  base: number,
  from: number,
): number {
  let index = from;
  for (; index < rows.length; index++) {
    const at = rows[index]! - base;
    if (at < 0 || at >= count) break;
    values[index] = column[at]!;
  }
  return index;
}

function pickHalves(
  values: Uint16Array,
  column: Uint16Array,
  count: number,
  rows: Uint32Array,
  base: number,
  from: number,
): number {
  let index = from;
  for (; index < rows.length; index++) {
    const at = rows[index]! - base;
    if (at < 0 || at >= count) break;
    values[index] = column[at]!;
  }
  return index;
}

function pickBytes(
  values: Uint8Array,
  column: Uint8Array,
  count: number,
  rows: Uint32Array,
  base: number,
  from: number,
): number {
  let index = from;
  for (; index < rows.length; index++) {
    const at = rows[index]! - base;
    if (at < 0 || at >= count) break;
    values[index] = column[at]!;
  }
  return index;
}
