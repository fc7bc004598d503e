import type { Column, Meaning } from '../read/reading.ts';
import { GrowingTexts } from './text-column.ts';

/** What the texts of all kept columns may take together, in bytes. No more than 16 of them become fields anyway. */
const maxKeptBytes = 256 * 2 ** 20;
/** Of a text, beyond its characters: its object, and its place in a hash table. */
const bytesPerText = 72;
const bytesPerCharacter = 2;
/** Of a row in a column, known or not. */
const bytesPerRow = 4;

type Texts = { readonly name: string; readonly meaning: Meaning; readonly texts: GrowingTexts };
type Kept = Texts & { bytes: number; rows: number };

/**
 * Columns of texts under their own names while rows arrive: levels of a grouping, languages, and columns that are kept
 * as they are.
 *
 * A list may have a thousand columns that are kept, with any texts, so these share a budget. Once it is used up, the
 * column that takes most memory is left out as a whole: half a column would look as if the other values were unknown.
 */
export class TextColumns {
  readonly #maxKeptBytes: number;
  readonly #columns = new Map<string, Texts | Kept>();
  readonly #leftOut = new Map<string, string>();
  #keptBytes = 0;

  constructor(keptBytes = maxKeptBytes) {
    this.#maxKeptBytes = keptBytes;
  }

  /** In the order in which they first appeared. */
  get all(): readonly Texts[] {
    return [...this.#columns.values()];
  }

  /** The names of kept columns that took too much memory. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut.values()];
  }

  /** A function that stores the texts of a column. Columns of several files with equal keys are one. */
  take(key: string, { name, meaning }: Column): (row: number, text: string) => void {
    if (!this.#columns.has(key) && !this.#leftOut.has(key)) {
      const column = { name, meaning, texts: new GrowingTexts() };
      this.#columns.set(key, meaning === 'keep' ? { ...column, bytes: 0, rows: 0 } : column);
    }
    return (row, text) => {
      const column = this.#columns.get(key);
      if (!column) return;
      if ('bytes' in column) this.#keep(column, row, text);
      else column.texts.set(row, text);
    };
  }

  #keep(kept: Kept, row: number, text: string): void {
    const before = kept.texts.count;
    kept.texts.set(row, text);
    const isNew = kept.texts.count > before;
    const rows = Math.max(kept.rows, row + 1);
    const bytes = bytesPerRow * (rows - kept.rows) + (isNew ? bytesPerText + bytesPerCharacter * text.length : 0);
    kept.rows = rows;
    kept.bytes += bytes;
    this.#keptBytes += bytes;
    while (this.#keptBytes > this.#maxKeptBytes) this.#leaveOutLargest();
  }

  #leaveOutLargest(): void {
    const kept = [...this.#columns].flatMap(([key, column]) => ('bytes' in column ? [{ key, column }] : []));
    const largest = kept.reduce((one, other) => (other.column.bytes > one.column.bytes ? other : one));
    this.#columns.delete(largest.key);
    this.#leftOut.set(largest.key, largest.column.name);
    this.#keptBytes -= largest.column.bytes;
  }
}
