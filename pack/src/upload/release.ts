/**
 * Frees the memory of columns immediately. They have no rows afterwards.
 *
 * The garbage collector does not know that a hundred megabytes must be freed before the next hundred are allocated, so
 * uncollected columns would determine the peak memory of an ingest.
 */
export function release(...columns: readonly { readonly buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of columns) {
    // ECMAScript 2024: supported by the platforms, but not in the library types used here.
    if (buffer instanceof ArrayBuffer) (buffer as ArrayBuffer & { transfer(length: number): ArrayBuffer }).transfer(0);
  }
}

type Growing = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** A column with room for `length` numbers, of which the first `kept` are those of `column`. The memory of a shorter one is freed. */
export function grown<Column extends Growing>(
  column: Column,
  make: new (length: number) => Column,
  length: number,
  kept: number,
): Column {
  if (column.length >= length) return column;
  const made = new make(length);
  made.set(column.subarray(0, kept) as never);
  release(column);
  return made;
}
