import type { Words } from '../words/words.ts';

/** The words of a list's keywords, as numbers. Words with the same stem have the same number. */
export type ListWords = {
  /** The words of row `r` are `word[offset[r]] … word[offset[r + 1] - 1]`, in their order. */
  readonly offset: Uint32Array;
  readonly word: Int32Array;
  /** The stem of each word. */
  readonly stem: readonly string[];
  /** Each word as the first keyword with its stem has it. */
  readonly text: readonly string[];
  readonly kind: readonly WordKind[];
  /** The words that at least half of the list's keywords have, so that they distinguish nothing. */
  readonly seed: readonly number[];
};

/** The role of a word in names. `function`: unlike a stop word it is part of phrases, but none begins or ends with it. */
type WordKind = 'content' | 'function' | 'stop' | 'seed';

/** The minimum share of the keywords of a list that have a seed word. */
const seedShare = 0.5;
/** A list with fewer keywords has no seed words: half of them have a word in common by chance. */
const minWithSeed = 20;

/**
 * Numbers the words of a list, and finds its seed words.
 *
 * @param weight of each row: how many keywords it stands for
 * @param seed the stems of the seed words of the whole list, if this is a part of it
 */
export function listWordsOf(
  texts: readonly string[],
  weight: Float64Array,
  words: Words,
  seed?: ReadonlySet<string>,
): ListWords {
  const numbers = new Map<string, number>();
  const stem: string[] = [];
  const text: string[] = [];
  const kind: WordKind[] = [];
  const offset = new Uint32Array(texts.length + 1);
  const word: number[] = [];
  texts.forEach((keyword, row) => {
    for (const one of words(keyword)) {
      const wordKind = one.isStopWord ? 'stop' : one.isFunctionWord ? 'function' : 'content';
      const key = one.isStopWord ? ` ${one.stem}` : one.stem;
      let number = numbers.get(key);
      if (number === undefined) {
        number = stem.push(one.stem) - 1;
        numbers.set(key, number);
        text.push(one.text);
        kind.push(wordKind);
      }
      word.push(number);
    }
    offset[row + 1] = word.length;
  });
  const list = { offset, word: Int32Array.from(word), stem, text, kind };
  const found = seed
    ? [...stem.keys()].filter((number) => kind[number] !== 'stop' && seed.has(stem[number]!))
    : seedOf(list, weight);
  for (const number of found) kind[number] = 'seed';
  // A compound of seed words is one, too: "shop-script" says no more than "shop script".
  const seedTexts = new Set(found.map((number) => text[number]!));
  text.forEach((one, number) => {
    const parts = one.split(/[^\p{L}\p{N}\p{M}]+/u);
    if (parts.length > 1 && parts.every((part) => seedTexts.has(part))) kind[number] = 'seed';
  });
  return { ...list, seed: found };
}

/** The stems of the seed words of a list. */
export const seedStems = (texts: readonly string[], weight: Float64Array, words: Words): ReadonlySet<string> => {
  const { seed, stem } = listWordsOf(texts, weight, words);
  return new Set(seed.map((word) => stem[word]!));
};

/** The words of kind `content` that at least half of the keywords have, sorted by their mean place in these. */
function seedOf({ offset, word, kind }: Omit<ListWords, 'seed'>, weight: Float64Array): number[] {
  const total = weight.reduce((sum, one) => sum + one, 0);
  if (total < minWithSeed) return [];
  const times = new Float64Array(kind.length);
  const place = new Float64Array(kind.length);
  const last = new Int32Array(kind.length).fill(-1);
  for (let row = 0; row < weight.length; row++) {
    for (let at = offset[row]!; at < offset[row + 1]!; at++) {
      const number = word[at]!;
      if (kind[number] !== 'content' || last[number] === row) continue;
      last[number] = row;
      times[number]! += weight[row]!;
      place[number]! += weight[row]! * (at - offset[row]!);
    }
  }
  return [...times.keys()]
    .filter((number) => times[number]! >= seedShare * total)
    .sort((a, b) => place[a]! / times[a]! - place[b]! / times[b]!);
}

/** Words that follow each other in keywords, if seed words are left out. Stop words between them are no part of the phrase. */
export type Phrase = {
  readonly words: readonly number[];
  /** How many keywords have it. */
  readonly times: number;
  /** The sum of their monthly searches. */
  readonly searches: number;
};

/** The phrases of topics in columns: as objects, those of a long list take several times the memory. */
export class PhrasesOfTopics {
  readonly #words: number[] = [];
  /** By phrase, where its words end. */
  readonly #end: number[] = [];
  readonly #times: number[] = [];
  readonly #searches: number[] = [];
  /** By topic, its first phrase; that of the next one is where its phrases end. */
  readonly #first: number[] = [0];

  /** Adds the phrases of the next topic. */
  add(phrases: readonly Phrase[]): void {
    for (const { words, times, searches } of phrases) {
      this.#words.push(...words);
      this.#end.push(this.#words.length);
      this.#times.push(times);
      this.#searches.push(searches);
    }
    this.#first.push(this.#end.length);
  }

  of(topic: number): Phrase[] {
    const first = this.#first[topic]!;
    return Array.from({ length: this.#first[topic + 1]! - first }, (_, index) => {
      const phrase = first + index;
      const words = this.#words.slice(this.#end[phrase - 1] ?? 0, this.#end[phrase]!);
      return { words, times: this.#times[phrase]!, searches: this.#searches[phrase]! };
    });
  }

  *[Symbol.iterator](): Generator<Phrase[]> {
    for (let topic = 0; topic + 1 < this.#first.length; topic++) yield this.of(topic);
  }
}

/** The maximum number of words from the first of a phrase to its last, including stop words. */
export const longestPhrase = 4;

/** The rows that phrases are counted in, with the keywords and the monthly searches of each. */
export type Counted = { readonly list: ListWords; readonly weight: Float64Array; readonly searches: Float64Array };

/** Counts the phrases of one part of a list after the other. */
export class PhraseCounter {
  readonly #counted: Counted;
  /** By word. They are cleared after each part. */
  readonly #times: Float64Array;
  readonly #lastVisit: Int32Array;
  readonly #node: Int32Array;
  #visit = 0;

  constructor(counted: Counted) {
    const words = counted.list.stem.length;
    this.#counted = counted;
    this.#times = new Float64Array(words);
    this.#lastVisit = new Int32Array(words);
    this.#node = new Int32Array(words).fill(-1);
  }

  /**
   * How many keywords of a part have each word that is no stop word.
   *
   * @param each is called for every such word
   */
  words(rows: Uint32Array, each: (word: number, times: number) => void): void {
    for (const word of this.#count(rows)) each(word, this.#times[word]!);
    this.#reset();
  }

  /** The phrases that at least `minTimes` keywords of a part have. */
  phrases(rows: Uint32Array, minTimes: number): Phrase[] {
    const { kind, stem } = this.#counted.list;
    const tree = new PhraseTree(stem.length);
    for (const word of this.#count(rows))
      if (kind[word] !== 'seed' && this.#times[word]! >= minTimes) this.#node[word] = tree.add(-1, word);
    const below = (above: number, word: number): number => {
      if (above < 0 || this.#node[word]! < 0) return this.#node[word]!;
      return tree.add(above, word);
    };
    for (const row of rows) countPhrases(this.#counted, row, tree, ++this.#visit, below);
    this.#reset();
    return tree.phrases(minTimes, kind);
  }

  #touched: number[] = [];

  #count(rows: Uint32Array): readonly number[] {
    const { list, weight } = this.#counted;
    const { offset, word: words, kind } = list;
    for (const row of rows) {
      this.#visit++;
      for (let at = offset[row]!; at < offset[row + 1]!; at++) {
        const word = words[at]!;
        if (kind[word] === 'stop' || this.#lastVisit[word] === this.#visit) continue;
        this.#lastVisit[word] = this.#visit;
        if (this.#times[word] === 0) this.#touched.push(word);
        this.#times[word]! += weight[row]!;
      }
    }
    return this.#touched;
  }

  #reset(): void {
    for (const word of this.#touched) {
      this.#times[word] = 0;
      this.#node[word] = -1;
    }
    this.#touched = [];
  }
}

/**
 * Counts each phrase of a row in a tree once.
 *
 * @param visit different for each row
 * @param below the phrase that continues another one (−1 for none) with a word; negative if it is not to be counted
 */
function countPhrases(
  { list: { offset, word: words, kind }, weight, searches }: Counted,
  row: number,
  tree: PhraseTree,
  visit: number,
  below: (above: number, word: number) => number,
): void {
  const end = offset[row + 1]!;
  for (let first = offset[row]!; first < end; first++) {
    let phrase = below(-1, words[first]!);
    if (phrase < 0) continue;
    tree.count(phrase, visit, weight[row]!, searches[row]!);
    let length = 1;
    for (let at = first + 1; at < end && length < longestPhrase; at++) {
      const word = words[at]!;
      if (kind[word] === 'seed') continue;
      length++;
      if (kind[word] === 'stop') continue;
      phrase = below(phrase, word);
      if (phrase < 0) break;
      tree.count(phrase, visit, weight[row]!, searches[row]!);
    }
  }
}

/** A prefix tree: each phrase is below the one without its last word. */
class PhraseTree {
  readonly #words: number;
  readonly #above: number[] = [];
  readonly #word: number[] = [];
  readonly #times: number[] = [];
  readonly #searches: number[] = [];
  readonly #lastVisit: number[] = [];
  readonly #below = new Map<number, number>();

  constructor(words: number) {
    this.#words = words;
  }

  /** The number of the phrase that continues another one (−1 for none) with a word; undefined if there is none. */
  find(above: number, word: number): number | undefined {
    // Keys are exact below 2^53, which the words of a list times the phrases of a part do not reach.
    return this.#below.get((above + 1) * this.#words + word);
  }

  add(above: number, word: number): number {
    const known = this.find(above, word);
    if (known !== undefined) return known;
    const number = this.#word.push(word) - 1;
    this.#below.set((above + 1) * this.#words + word, number);
    this.#above.push(above);
    this.#times.push(0);
    this.#searches.push(0);
    this.#lastVisit.push(0);
    return number;
  }

  /** A keyword counts once, however often it has the phrase. @param visit different for each keyword */
  count(phrase: number, visit: number, weight: number, searches: number): void {
    if (this.#lastVisit[phrase] === visit) return;
    this.#lastVisit[phrase] = visit;
    this.#times[phrase]! += weight;
    this.#searches[phrase]! += searches;
  }

  timesOf(phrase: number): number {
    return this.#times[phrase]!;
  }

  /** The phrases of at least `minTimes` keywords that begin and end with a content word. */
  phrases(minTimes: number, kind: readonly WordKind[]): Phrase[] {
    const found: Phrase[] = [];
    this.#word.forEach((last, phrase) => {
      if (this.#times[phrase]! < minTimes || kind[last] !== 'content') return;
      const words: number[] = [];
      for (let at = phrase; at >= 0; at = this.#above[at]!) words.unshift(this.#word[at]!);
      if (kind[words[0]!] !== 'content') return;
      found.push({ words, times: this.#times[phrase]!, searches: this.#searches[phrase]! });
    });
    return found;
  }
}

/** How many keywords of the whole list have each of some phrases. @param phrases by topic */
export function timesInList(counted: Counted, phrases: Iterable<Iterable<Phrase>>): (phrase: Phrase) => number {
  const tree = new PhraseTree(counted.list.stem.length);
  const numberOf = (phrase: Phrase): number => phrase.words.reduce((above, word) => tree.add(above, word), -1);
  for (const ofTopic of phrases) for (const phrase of ofTopic) numberOf(phrase);
  const below = (above: number, word: number): number => tree.find(above, word) ?? -1;
  for (let row = 0; row < counted.weight.length; row++) countPhrases(counted, row, tree, row + 1, below);
  return (phrase) => tree.timesOf(numberOf(phrase));
}
