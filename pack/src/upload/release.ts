/**
 * Gives the memory of columns back at once. They have no rows afterwards.
 *
 * The collector knows how large a buffer is, but not that a hundred megabytes have to go before the next hundred come;
 * the peak of an ingest would be what it had not collected yet.
 */
export function release(...columns: readonly { readonly buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of columns) {
    // ECMAScript 2024: the platforms know it, the compiler's library of this room does not.
    if (buffer instanceof ArrayBuffer) (buffer as ArrayBuffer & { transfer(length: number): ArrayBuffer }).transfer(0);
  }
}
