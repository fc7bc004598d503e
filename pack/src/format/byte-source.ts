/** Bytes with random access: a file, an object in a store, an array. The only input of `pack`. */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /**
   * Reads exactly `length` bytes from `offset`. The caller may keep the array.
   * @param into an optional buffer of `length` bytes that saves an allocation; the result may still be another array
   * @throws RangeError if the range is outside [0, size); also any error of the medium
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
}

/** Bytes that are written once, front to back. The only output of `pack`. */
export interface ByteSink {
  /** Appends bytes. The sink must not use the array after the promise settles, because the caller reuses it. */
  write(bytes: Uint8Array): Promise<void>;
}
