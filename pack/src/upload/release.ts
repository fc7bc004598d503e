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
