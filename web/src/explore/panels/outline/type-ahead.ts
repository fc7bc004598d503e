/**
 * Type-ahead: the index of the next item that starts with the typed text, searching from after `from` and wrapping
 * around.
 *
 * Repeating one letter cycles through the items that start with it, as in desktop lists. Returns -1 if none does.
 */
export function typeAhead(typed: string, count: number, nameAt: (index: number) => string, from: number): number {
  const sought = [...typed].every((letter) => letter === typed[0]) ? (typed[0] ?? '') : typed;
  if (sought === '') return -1;
  const first = sought.length === 1 ? from + 1 : from;
  for (let step = 0; step < count; step++) {
    const index = (first + step + count) % count;
    if (nameAt(index).toLowerCase().startsWith(sought.toLowerCase())) return index;
  }
  return -1;
}

const typingMs = 700;

/** Collects typed letters: letters in quick succession form one text. */
export class Typing {
  #text = '';
  #at = Number.NEGATIVE_INFINITY;

  /** Whether a letter typed at this time extends the previous text. */
  continuesAt(at: number): boolean {
    return at - this.#at < typingMs;
  }

  add(letter: string, at: number): string {
    this.#text = this.continuesAt(at) ? this.#text + letter : letter;
    this.#at = at;
    return this.#text;
  }
}
