/**
 * Folds letters one by one where this gives the same result as folding the whole text: Latin up to U+02FF and Cyrillic
 * up to U+047F, two bytes each. None of them combines with a neighbour or folds differently next to one.
 *
 * Each letter is folded as a string once; after that it costs a copy of its bytes.
 */
export class LetterFolds {
  /** The maximum size of a folded letter, per byte of the original. */
  static readonly growth = 3;
  readonly #fold: (text: string) => string;
  readonly #folds: (Uint8Array | undefined)[] = new Array(0x480);

  constructor(fold: (text: string) => string) {
    this.#fold = fold;
  }

  /** Writes the folded letter at `index` and returns its length, or 0 if the whole text must be folded at once. */
  write(names: Uint8Array, index: number, target: Uint8Array, at: number): number {
    const lead = names[index]!;
    if (!isLetterLead(lead)) return 0;
    const letter = ((lead & 0x1f) << 6) | (names[index + 1]! & 0x3f);
    this.#folds[letter] ??= new TextEncoder().encode(this.#fold(String.fromCharCode(letter)));
    const fold = this.#folds[letter];
    for (let byte = 0; byte < fold.length; byte++) target[at + byte] = fold[byte]!;
    return fold.length;
  }
}

/** Whether a byte starts one of these letters, all of which are already NFC. */
export const isLetterLead = (byte: number) => (byte >= 0xc2 && byte <= 0xcb) || byte === 0xd0 || byte === 0xd1;
