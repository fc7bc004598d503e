/** Memory that is written byte by byte and hashed by words of four, little end first. It grows and never shrinks. */
export class WordBuffer {
  bytes = new Uint8Array(256);
  /** The same memory as `bytes`. */
  words = new Int32Array(this.bytes.buffer);

  /** Makes room for that many bytes and a whole word after them. What was written before is lost when it grows. */
  reserve(length: number): void {
    if (length + 4 <= this.bytes.length) return;
    this.words = new Int32Array((length >>> 1) + 2);
    this.bytes = new Uint8Array(this.words.buffer);
  }
}
