import { codeColumn } from './growing-column.ts';

/** A text for each row. Each different text is stored once. */
export type TextColumn = {
  readonly values: readonly string[];
  /** By row, an index into `values`; −1 if unknown. */
  readonly codes: Int32Array;
};

/** What a text takes in memory beyond its characters, in bytes: its object, and its place in a hash table. */
const bytesPerText = 72;
const bytesPerCharacter = 2;

/** What a text that is stored once takes in memory at most, in bytes. */
export const bytesOfText = (text: string): number => bytesPerText + bytesPerCharacter * text.length;

/** A column of texts while rows arrive. */
export class GrowingTexts {
  readonly #codes = codeColumn();
  readonly #numbers = new Map<string, number>();
  #textBytes = 0;

  set(row: number, text: string): void {
    this.#codes.set(row, this.codeOf(text));
  }

  codeOf(text: string): number {
    const code = this.#numbers.get(text) ?? this.#numbers.size;
    if (code === this.#numbers.size) {
      this.#numbers.set(text, code);
      this.#textBytes += bytesOfText(text);
    }
    return code;
  }

  /** What the column takes in memory, estimated, in bytes. */
  get bytes(): number {
    return this.#textBytes + this.#codes.bytes;
  }

  /** How many different texts there are. */
  get count(): number {
    return this.#numbers.size;
  }

  get values(): string[] {
    return [...this.#numbers.keys()];
  }

  codes(rows: number): Int32Array {
    return this.#codes.rows(rows);
  }
}
