/** Bytes that can be read anywhere: a file, an object in a store, an array. The only way into `pack`. */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /**
   * Exactly `length` bytes from `offset`, both in bytes. The caller may keep the array.
   * @param into `length` bytes where they may be put, so that no memory is needed; the answer may be another array still
   * @throws RangeError when the range leaves [0, size); whatever the medium throws when it fails
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
}

/** Bytes that are written once, front to back. The only way out of `pack`. */
export interface ByteSink {
  /** Appends. The sink may keep the array only until the promise settles: the caller reuses it. */
  write(bytes: Uint8Array): Promise<void>;
}
