/** Words at the start or end of a name are dropped if at least so many siblings share them. */
const fewestSharers = 3;
/** Dropping less than this saves nothing, because an ellipsis replaces it. In UTF-16 units. */
const leastDropped = 4;
const noBreak = '\u00a0';

/** The number of names that begin with some words, and the words that follow. */
type Sharers = { count: number; readonly next: Set<string> };

/**
 * The words that siblings have in common: "add blog to website", "add chat to website" and "add forum to website" share
 * "add" and "to website". Case does not matter. Words are separated by blanks.
 */
export class SharedWords {
  readonly #heads = new Map<string, Sharers>();
  readonly #tails = new Map<string, Sharers>();

  /** Cost: the words of all names. */
  constructor(names: readonly string[]) {
    for (const name of names) {
      const words = wordsOf(name);
      count(this.#heads, words);
      count(this.#tails, words.toReversed());
    }
  }

  /**
   * The name without a start and without an end that other names share and continue differently. The remainder must
   * distinguish it from them: "how to …" does not if many names begin that way.
   */
  shortened(name: string): readonly string[] {
    const words = wordsOf(name);
    const head = sharedBy(this.#heads, words).find((at) => isTelling(this.#tails, words.slice(at).reverse()));
    const tail = sharedBy(this.#tails, words.toReversed()).find((at) => isTelling(this.#heads, words.slice(0, -at)));
    const short = [head && withoutHead(name, head), tail && withoutTail(name, tail)];
    return short.filter((text) => typeof text === 'string');
  }

  /**
   * The name without its entire shared start, even if other names have the same remainder; the name itself if it shares
   * none.
   */
  beheaded(name: string): string {
    const [head] = sharedBy(this.#heads, wordsOf(name));
    return (head && withoutHead(name, head)) || name;
  }
}

const wordsOf = (name: string) => name.toLowerCase().split(' ');

function withoutHead(name: string, head: number): string | undefined {
  const words = name.split(' ');
  return isWorthIt(words.slice(0, head)) ? `…${noBreak}${words.slice(head).join(' ')}` : undefined;
}

function withoutTail(name: string, tail: number): string | undefined {
  const words = name.split(' ');
  return isWorthIt(words.slice(-tail)) ? `${words.slice(0, -tail).join(' ')}${noBreak}…` : undefined;
}

const isWorthIt = (dropped: readonly string[]) => dropped.join(' ').length >= leastDropped;

function count(sharers: Map<string, Sharers>, words: readonly string[]): void {
  let key = '';
  for (let i = 0; i < words.length; i++) {
    key = `${key} ${words[i]}`;
    const known = sharers.get(key) ?? { count: 0, next: new Set() };
    known.count++;
    known.next.add(words[i + 1] ?? '');
    sharers.set(key, known);
  }
}

const isTelling = (sharers: ReadonlyMap<string, Sharers>, left: readonly string[]) =>
  (sharers.get(keyOf(left))?.count ?? 0) < fewestSharers;

const keyOf = (words: readonly string[]) => words.map((word) => ` ${word}`).join('');

/** How many of the first words are shared: as many as possible, but never all of them. */
function sharedBy(sharers: ReadonlyMap<string, Sharers>, words: readonly string[]): readonly number[] {
  const lengths: number[] = [];
  let key = '';
  for (let i = 0; i < words.length - 1; i++) {
    key = `${key} ${words[i]}`;
    const known = sharers.get(key);
    if (!known || known.count < fewestSharers) break;
    if (known.next.size > 1) lengths.unshift(i + 1);
  }
  return lengths;
}
