/** Memory that is written byte by byte. It grows and never shrinks. */
export class ByteBuffer {
  bytes = new Uint8Array(256);
  /** The same memory as `bytes`. */
  view = new DataView(this.bytes.buffer);

  /** Makes room for that many bytes. What was written before is lost when it grows. */
  reserve(length: number): void {
    if (length <= this.bytes.length) return;
    this.bytes = new Uint8Array(2 * length);
    this.view = new DataView(this.bytes.buffer);
  }
}
