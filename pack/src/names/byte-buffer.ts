/** A byte buffer that grows and never shrinks. */
export class ByteBuffer {
  bytes = new Uint8Array(256);
  /** A view of `bytes`. */
  view = new DataView(this.bytes.buffer);

  /** Makes room for `length` bytes. Growing discards the contents. */
  reserve(length: number): void {
    if (length <= this.bytes.length) return;
    this.bytes = new Uint8Array(2 * length);
    this.view = new DataView(this.bytes.buffer);
  }
}
