/**
 * Blocks are cut from pieces of this size, which the system takes back at once when they are released: the C library
 * keeps what is smaller for itself. Of a piece, only what was written to takes memory.
 */
export const PIECE_BYTES = 1 << 25;

/** Memory for the blocks of each column. */
export class Pieces {
  readonly #blockRows: number;
  /** By column: the piece that is being cut, and how much of it is gone. */
  readonly #open = new Map<string, { readonly buffer: ArrayBuffer; used: number }>();

  /** @param blockRows rows of a whole block; its bytes divide a piece */
  constructor(blockRows: number) {
    this.#blockRows = blockRows;
  }

  /** Zeros: a part of the column's piece. Fewer rows than a block has stand alone, so that a small file stays small. */
  cut<T>(column: string, array: NumberArray<T>, rows: number): T {
    if (rows < this.#blockRows) return new array(rows);
    const bytes = rows * array.BYTES_PER_ELEMENT;
    let piece = this.#open.get(column);
    if (!piece || piece.used === PIECE_BYTES) {
      piece = { buffer: new ArrayBuffer(PIECE_BYTES), used: 0 };
      this.#open.set(column, piece);
    }
    piece.used += bytes;
    return new array(piece.buffer, piece.used - bytes, rows);
  }
}

export type NumberArray<T> = {
  new (length: number): T;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};
