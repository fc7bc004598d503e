import type { Column, Meaning } from '../read/reading.ts';
import { withoutApostrophe } from '../read/values.ts';
import { GrowingTexts } from './text-column.ts';

/** What the texts of all kept columns may take together, in bytes. No more than 16 of them become fields anyway. */
const maxKeptBytes = 256 * 2 ** 20;

type Texts = { readonly name: string; readonly meaning: Meaning; readonly texts: GrowingTexts };

/**
 * Columns of texts under their own names while rows arrive: levels of a grouping, languages, and columns that are kept
 * as they are.
 *
 * A list may have a thousand columns that are kept, with any texts, so these share a budget. Once it is used up, the
 * column that takes most memory is left out as a whole: half a column would look as if the other values were unknown.
 */
export class TextColumns {
  readonly #maxKeptBytes: number;
  readonly #columns = new Map<string, Texts>();
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
      this.#columns.set(key, { name, meaning, texts: new GrowingTexts() });
    }
    return (row, written) => {
      const column = this.#columns.get(key);
      if (!column) return;
      const text = withoutApostrophe(written);
      if (isKept(column)) this.#keep(column, row, text);
      else column.texts.set(row, text);
    };
  }

  /** What they take in memory, estimated. */
  get bytes(): number {
    return this.all.reduce((sum, { texts }) => sum + texts.bytes, 0);
  }

  #keep({ texts }: Texts, row: number, text: string): void {
    const before = texts.bytes;
    texts.set(row, text);
    this.#keptBytes += texts.bytes - before;
    while (this.#keptBytes > this.#maxKeptBytes) this.#leaveOutLargest();
  }

  #leaveOutLargest(): void {
    const kept = [...this.#columns].filter(([, column]) => isKept(column));
    const [key, { name, texts }] = kept.reduce((one, other) =>
      other[1].texts.bytes > one[1].texts.bytes ? other : one,
    );
    this.#columns.delete(key);
    this.#leftOut.set(key, name);
    this.#keptBytes -= texts.bytes;
  }
}

const isKept = ({ meaning }: Texts): boolean => meaning === 'keep';
