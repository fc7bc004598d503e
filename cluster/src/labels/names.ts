import type { Words } from '../words/words.ts';
import { mainKeyword, type Nameable } from './main-keyword.ts';
import {
  type Counted,
  type ListWords,
  longestPhrase,
  type Phrase,
  PhraseCounter,
  PhrasesOfTopics,
  timesInList,
} from './phrases.ts';

/** Topics in an order in which each comes after the one above it. */
type TopicsToName = {
  /** The number of the topic above; −1 for one at the top. */
  readonly parent: ArrayLike<number>;
  /** The lowest topic of each row; −1 for none. */
  readonly topicOf: Int32Array;
  /** The names of topics that keep their present name. */
  readonly fixedNames?: readonly (string | undefined)[];
};

/**
 * How a topic is named. `phrase`: after the words that tell it from others. `seed-phrase`: with the words that most of the
 * list has in common. `keyword`: after its best keyword.
 */
export type NamingWay = 'phrase' | 'seed-phrase' | 'keyword';

export type Names = {
  readonly names: readonly string[];
  /** Whether the keywords of a topic have little in common but the seed. */
  readonly isRest: readonly boolean[];
};

/** A phrase can name a topic if at least this share of its keywords have it. */
const minShare = 0.15;
/** In a list with a seed, every topic shares the seed. A lowest topic has more in common only if this share of its keywords have a phrase. */
const commonBesideSeed = 0.25;
/** Fewer keywords than this share a phrase by chance, unless they are {@link enoughShare} of the topic. */
const minKeywords = 3;
/** A phrase that this share of a topic's keywords have counts, however few they are. */
const enoughShare = 0.5;
/** A longer phrase replaces one that it contains if at least this share of the keywords with the shorter one have it. */
const extension = 0.4;
/** In words. */
const longestExtended = 3;
/** The weight of searches in what a phrase covers of a topic; the number of keywords has the rest. */
const searchShare = 0.4;
/** The bounds of the lift: the logarithm of how many times as frequent a phrase is in the topic as outside it. */
const lifts = { min: 0.05, max: 6 };
/** The weight of precision, which is the share of a phrase's keywords that are in the topic. */
const precisionShare = 0.8;
/** A factor of the score by the number of words: two are best. */
const brevity = [0, 1, 1.15, 1, 0.7];
/** A name gets a second phrase if less than this share of the keywords have the first one. */
const secondBelow = { upper: 0.5, lowest: 0.35 };
/** The second phrase has at least this share of the score of the first one. */
const minSecond = 0.3;
/** Two phrases are joined into one if they stand side by side in at least this share of the keywords with the rarer one. */
const togetherShare = 0.3;
/** The maximum number of words in a name of two phrases. */
const maxWords = 4;
/** If the best phrase is the name of a topic above, the next one is the name only with at least this share of its score. */
const minNext = 0.3;
/** A topic without a common phrase is a bucket ("Other: …") if it has at least this many keywords. */
const minOfRest = 10;
/** A bucket is called after at most this many of its largest parts. */
const maxParts = 3;
/** A topic without a common phrase that is too small to be a bucket is called after at most this many. */
const maxPartsOfSmall = 2;
/** The least number of keywords of a part. */
const minOfPart = 2;
/** Phrases of a smaller share of a topic's keywords are not counted. In topics without a common phrase, rarer ones are. */
const minCounted = 0.06;
const minCountedOfRest = 0.002;

/**
 * Names topics from the top down, so that no topic has the name of one above or beside it. A name is a phrase of one to four words that
 * many keywords of the topic have and few others do, spelled as in the list; two phrases if neither covers much; or, without a phrase,
 * a keyword. A topic whose keywords share little but the seed is called after its largest parts, "Other: …".
 *
 * Cost: a few passes over the words of the rows for each level.
 */
export function namesOf(
  topics: TopicsToName,
  nameable: Nameable,
  list: ListWords,
  words: Words,
  way: NamingWay = 'phrase',
): Names {
  return new Namer(topics, nameable, list, words, way).names();
}

type Candidate = {
  readonly phrase: Phrase;
  readonly share: number;
  /** How much of the topic the phrase covers, by keywords and searches, reduced by how often it occurs elsewhere. */
  readonly extent: number;
  readonly score: number;
  readonly key: string;
};

class Namer {
  readonly #topics: TopicsToName;
  readonly #nameable: Nameable;
  readonly #list: ListWords;
  readonly #words: Words;
  readonly #way: NamingWay;
  readonly #seed: ReadonlySet<string>;
  readonly #rows: readonly Uint32Array[];
  readonly #size: Float64Array;
  readonly #searches: Float64Array;
  readonly #names: (string | undefined)[];
  /** By topic, the words of its name in a fixed order. No topic below or beside it may have the same. */
  readonly #keys: string[];
  readonly #isRest: boolean[];
  readonly #hasTopics: boolean[];
  readonly #firstTexts: string[] = [];

  constructor(topics: TopicsToName, nameable: Nameable, list: ListWords, words: Words, way: NamingWay) {
    this.#topics = topics;
    this.#nameable = nameable;
    this.#list = list;
    this.#words = words;
    this.#way = way;
    this.#seed = new Set(list.seed.map((word) => list.stem[word]!));
    this.#rows = rowsInTopics(topics);
    this.#searches = nameable.volume.map((volume) => (Number.isNaN(volume) ? 0 : volume));
    this.#size = Float64Array.from(this.#rows, (rows) => rows.reduce((sum, row) => sum + nameable.weight[row]!, 0));
    this.#names = Array.from(topics.parent, (_, topic) => topics.fixedNames?.[topic]);
    this.#keys = this.#names.map((name) => (name === undefined ? '' : this.#keyOfText(name)));
    this.#isRest = this.#names.map(() => false);
    const upper = new Set(Array.from(topics.parent));
    this.#hasTopics = this.#names.map((_, topic) => upper.has(topic));
  }

  names(): Names {
    const candidatesOf = this.#way === 'keyword' ? () => [] : this.#candidates();
    const { parent } = this.#topics;
    const below = new Map<number, number[]>();
    for (let topic = 0; topic < parent.length; topic++) {
      const known = below.get(parent[topic]!);
      if (known) known.push(topic);
      else below.set(parent[topic]!, [topic]);
    }
    const visit = (above: number): void => {
      const siblings = below.get(above) ?? [];
      this.#nameSiblings(above, siblings, candidatesOf);
      for (const topic of siblings) visit(topic);
    };
    visit(-1);
    return { names: this.#names.map((name) => name!), isRest: this.#isRest };
  }

  /** @returns finds the phrases that could name a topic, the best first: the candidates of all topics at once would take much memory */
  #candidates(): (topic: number) => Candidate[] {
    const { weight } = this.#nameable;
    const counted: Counted = { list: this.#list, weight, searches: this.#searches };
    const counter = new PhraseCounter(counted);
    const phrasesOf = (rows: Uint32Array, topic: number): Phrase[] => {
      if (this.#names[topic] !== undefined) return [];
      const size = this.#size[topic]!;
      const phrases = counter.phrases(rows, Math.max(Math.min(2, size), minCounted * size));
      const isMixed = size >= minOfRest && !phrases.some(({ times }) => times >= minShare * size);
      return isMixed ? counter.phrases(rows, Math.max(minOfPart, minCountedOfRest * size)) : phrases;
    };
    const found = new PhrasesOfTopics();
    for (const [topic, rows] of this.#rows.entries()) found.add(phrasesOf(rows, topic));
    const total = weight.reduce((sum, one) => sum + one, 0);
    const timesOf = timesInList(counted, found);
    return (topic) => {
      const size = this.#size[topic]!;
      const searches = this.#rows[topic]!.reduce((sum, row) => sum + this.#searches[row]!, 0);
      const scored = found.of(topic).map((phrase): Candidate => {
        const share = phrase.times / size;
        const searched = searches > 0 ? phrase.searches / searches : share;
        const all = timesOf(phrase);
        const outside = (all - phrase.times + 0.5) / (total - size + 1);
        const lift = Math.min(lifts.max, Math.max(lifts.min, Math.log(share / outside)));
        const precision = 1 - precisionShare + precisionShare * (phrase.times / all);
        const coverage = (1 - searchShare) * share + searchShare * searched;
        const extent = coverage * precision;
        const score = extent * lift * brevity[phrase.words.length]!;
        return { phrase, share, extent, score, key: this.#keyOf(phrase.words) };
      });
      // Phrases of the same words have the same key.
      const inOrder = ({ phrase }: Candidate) => phrase.words.map((word) => this.#list.stem[word]).join(' ');
      return scored.sort((a, b) => b.score - a.score || compare(a.key, b.key) || compare(inOrder(a), inOrder(b)));
    };
  }

  #keyOf(words: readonly number[]): string {
    const stems = words.map((word) => this.#list.stem[word]!);
    return [...new Set(stems)].sort().join(' ');
  }

  /** The words of a name without seed words, in any order; empty if it has no others. */
  #keyOfText(text: string): string {
    const stems = this.#words(text).flatMap(({ stem, isStopWord }) =>
      isStopWord || this.#seed.has(stem) ? [] : [stem],
    );
    return [...new Set(stems)].sort().join(' ');
  }

  #nameSiblings(above: number, siblings: readonly number[], candidatesOf: (topic: number) => Candidate[]): void {
    const taken = new Set<string>(['']);
    for (let at = above; at >= 0; at = this.#topics.parent[at]!) taken.add(this.#keys[at]!);
    const unnamed = siblings.filter((topic) => this.#names[topic] === undefined);
    const candidates = new Map(unnamed.map((topic) => [topic, candidatesOf(topic)]));
    const isOnly = above >= 0 && siblings.length === 1;
    const offers = unnamed.flatMap((topic) => this.#offered(topic, candidates.get(topic)!, taken, isOnly));
    for (const topic of siblings) if (this.#names[topic] !== undefined) taken.add(this.#keys[topic]!);
    // The topic that a phrase fits best gets it.
    offers.sort((a, b) => b.candidate.score - a.candidate.score || this.#compareTopics(a.topic, b.topic));
    for (const { topic, candidate } of offers) {
      if (this.#names[topic] !== undefined || taken.has(candidate.key)) continue;
      const chosen = this.#extended(candidate, candidates.get(topic)!, taken);
      const parts = this.#withSecond(topic, chosen, candidate.score, candidates.get(topic)!, taken);
      this.#keys[topic] = this.#keyOf(parts.flatMap(({ phrase }) => phrase.words));
      const joined = this.#joined(parts, candidates.get(topic)!);
      const spelled = joined.map(({ phrase }) => this.#spelled(phrase, topic)).join(', ');
      this.#names[topic] = (parts.length > 1 && this.#keywordOfWords(topic, this.#keys[topic])) || spelled;
      taken.add(this.#keys[topic]!);
    }
    const names = new Set(this.#namesAround(above, siblings));
    const remaining = unnamed.filter((topic) => this.#names[topic] === undefined);
    for (const topic of remaining.sort((a, b) => this.#compareTopics(a, b))) {
      const name = this.#withoutPhrase(topic, candidates.get(topic)!, taken, names, isOnly);
      this.#names[topic] = name;
      this.#keys[topic] = this.#keyOfText(name);
      taken.add(this.#keys[topic]!);
      names.add(name);
    }
  }

  /**
   * The phrases that may name a topic. If the best one already names a topic above, the others must not be much worse: otherwise a
   * keyword with the best one says more. So it does for an only child whose best phrase is within the name of its parent.
   */
  #offered(topic: number, candidates: readonly Candidate[], above: ReadonlySet<string>, isOnly: boolean) {
    if (!this.#hasCommon(topic, candidates)) return [];
    const able = candidates.filter((candidate) => this.#canName(candidate));
    const best = able[0];
    if (!best || (isOnly && isIn(best.key, this.#keys[this.#topics.parent[topic]!]!))) return [];
    const minScore = above.has(best.key) ? minNext * best.score : 0;
    return able.flatMap((candidate) => (candidate.score >= minScore ? [{ topic, candidate }] : []));
  }

  /** Whether a phrase says what a topic is about. Numbers tell keywords apart and say nothing by themselves. */
  #canName({ share, phrase }: Candidate): boolean {
    const isCommon = share >= enoughShare || (share >= minShare && phrase.times >= minKeywords);
    return isCommon && this.#hasLetters(phrase);
  }

  /** Whether the keywords of a topic have a phrase in common. */
  #hasCommon(topic: number, candidates: readonly Candidate[]): boolean {
    const isUpper = this.#hasTopics[topic]!;
    const minCommonShare = isUpper || this.#list.seed.length === 0 ? minShare : commonBesideSeed;
    return candidates.some(
      ({ share, phrase }) =>
        share >= enoughShare ||
        (share >= minCommonShare && phrase.times >= minKeywords && (isUpper || this.#hasLetters(phrase))),
    );
  }

  #hasLetters({ words }: Phrase): boolean {
    return words.some((word) => /\p{L}/u.test(this.#list.stem[word]!));
  }

  /** Whether it is more than a plain number: "10.4" carries meaning. */
  #isInformative({ words }: Phrase): boolean {
    return words.some((word) => !/^\d+$/u.test(this.#list.stem[word]!));
  }

  /** A longer phrase that most keywords with the shorter one have says more. */
  #extended(chosen: Candidate, candidates: readonly Candidate[], taken: ReadonlySet<string>): Candidate {
    const longer = candidates.find(
      ({ phrase, share, key }) =>
        phrase.words.length <= longestExtended &&
        share >= extension * chosen.share &&
        !taken.has(key) &&
        contains(phrase.words, chosen.phrase.words),
    );
    return longer ?? chosen;
  }

  /** The phrases of a name, the more frequent one first. */
  #withSecond(
    topic: number,
    chosen: Candidate,
    score: number,
    candidates: readonly Candidate[],
    taken: ReadonlySet<string>,
  ): readonly Candidate[] {
    const { words } = chosen.phrase;
    if (chosen.share >= secondBelow[this.#hasTopics[topic] ? 'upper' : 'lowest']) return [chosen];
    const second = candidates.find(
      ({ phrase, key, score: own }) =>
        own >= minSecond * score &&
        this.#hasLetters(phrase) &&
        !taken.has(key) &&
        words.length + phrase.words.length <= maxWords &&
        !phrase.words.some((word) => words.includes(word)) &&
        !taken.has(this.#keyOf([...words, ...phrase.words])),
    );
    if (!second) return [chosen];
    return second.share > chosen.share ? [second, chosen] : [chosen, second];
  }

  /** Two phrases as one, if they often stand side by side: "staging environment" rather than "staging, environment". */
  #joined(parts: readonly Candidate[], candidates: readonly Candidate[]): readonly Candidate[] {
    if (parts.length < 2) return parts;
    const words = parts.flatMap(({ phrase }) => phrase.words);
    const minTogether = togetherShare * Math.min(...parts.map(({ share }) => share));
    const key = this.#keyOf(words);
    const joined = candidates.find(
      (one) => one.share >= minTogether && one.key === key && one.phrase.words.length === words.length,
    );
    return joined ? [joined] : parts;
  }

  /** The shortest keyword of a lowest topic that consists of these words: people search for it, and it reads better than two phrases. */
  #keywordOfWords(topic: number, key: string): string | undefined {
    if (this.#hasTopics[topic]) return undefined;
    const { offset, word, kind, stem, seed } = this.#list;
    const wanted = new Set(key.split(' '));
    // Function words may stand between or around the words ("what does uat stand for"), but not where the seed and what is before it are cut off.
    const counts = (one: number): boolean =>
      kind[one] === 'content' || (kind[one] === 'function' && (seed.length > 0 || wanted.has(stem[one]!)));
    const placesIn = (row: number): number[] => {
      const places: number[] = [];
      for (let at = offset[row]!; at < offset[row + 1]!; at++) if (counts(word[at]!)) places.push(at);
      return places;
    };
    const isOfWords = (places: readonly number[]): boolean =>
      places.length === wanted.size && this.#keyOf(places.map((at) => word[at]!)) === key;
    const rows = this.#rows[topic]!.filter((row) => isOfWords(placesIn(row)));
    const lengthOf = (row: number): number => offset[row + 1]! - offset[row]!;
    const shortest = rows.reduce((min, row) => Math.min(min, lengthOf(row)), Number.POSITIVE_INFINITY);
    const row = mainKeyword(
      rows.filter((one) => lengthOf(one) === shortest),
      this.#nameable,
    );
    if (row === undefined) return undefined;
    const places = placesIn(row);
    return seed.length > 0 ? this.#textBetween(row, places[0]!, places.at(-1)!) : this.#nameable.texts[row];
  }

  #namesAround(above: number, siblings: readonly number[]): string[] {
    const names = siblings.flatMap((topic) => this.#names[topic] ?? []);
    for (let at = above; at >= 0; at = this.#topics.parent[at]!) names.push(this.#names[at]!);
    return names;
  }

  /** The larger one first, then the one with the first text, so that the order of rows does not matter. */
  #compareTopics(one: number, other: number): number {
    return this.#size[other]! - this.#size[one]! || compare(this.#firstText(one), this.#firstText(other));
  }

  #firstText(topic: number): string {
    const { texts } = this.#nameable;
    const rows = this.#rows[topic]!;
    this.#firstTexts[topic] ??= rows.reduce(
      (first, row) => (texts[row]! < first ? texts[row]! : first),
      texts[rows[0]!]!,
    );
    return this.#firstTexts[topic];
  }

  /** @param candidates what some of its keywords have in common, none of which can be its name */
  #withoutPhrase(
    topic: number,
    candidates: readonly Candidate[],
    taken: Set<string>,
    names: ReadonlySet<string>,
    isOnly: boolean,
  ): string {
    const { texts } = this.#nameable;
    const rows = this.#rows[topic]!.filter((row) => !names.has(texts[row]!));
    let common = candidates.find(({ share }) => share >= minShare)?.phrase;
    if (this.#way !== 'keyword' && !this.#hasCommon(topic, candidates)) {
      const parts = this.#largestParts(candidates, taken);
      const spelled = parts.map((part) => this.#spelled(part, topic));
      this.#isRest[topic] = this.#size[topic]! >= minOfRest;
      const possible = this.#isRest[topic]
        ? [this.#restName(spelled), this.#restName([])]
        : [spelled.slice(0, maxPartsOfSmall).join(', ')];
      const name = this.#isRest[topic] || parts.length > 1 ? possible.find((one) => !names.has(one)) : undefined;
      if (name !== undefined) return name;
      common = parts[0];
    }
    const row = common && mainKeyword(this.#shortWith(common, rows, isOnly ? 0 : 1), this.#nameable);
    const name = row === undefined ? this.#freeKeyword(topic, taken, names) : texts[row]!;
    return freeName(this.#isRest[topic] ? this.#restName([name]) : name, names);
  }

  /** The name of a bucket: "Other: " and its parts or, without any, the seed. */
  #restName(parts: readonly string[]): string {
    const { seed, text } = this.#list;
    return `Other: ${parts.length > 0 ? parts.join(', ') : seed.map((word) => text[word]).join(' ')}`;
  }

  /** The phrases that cover most of a topic, no two with a word in common. Adds them to `taken`, so that siblings get others. */
  #largestParts(candidates: readonly Candidate[], taken: Set<string>): Phrase[] {
    const parts: Phrase[] = [];
    const largest = candidates.toSorted((a, b) => b.extent - a.extent || compare(a.key, b.key));
    for (const { phrase, key } of largest) {
      const isNew = !taken.has(key) && !parts.some(({ words }) => words.some((word) => phrase.words.includes(word)));
      if (phrase.times >= minOfPart && isNew && this.#isInformative(phrase)) parts.push(phrase);
      if (parts.length === maxParts) break;
    }
    for (const { words } of parts) taken.add(this.#keyOf(words));
    return parts;
  }

  /** The best keyword that is no name yet, and has other words than those around it, if there is one. */
  #freeKeyword(topic: number, taken: ReadonlySet<string>, names: ReadonlySet<string>): string {
    const { texts } = this.#nameable;
    const rows = this.#rows[topic]!;
    const isFree = (row: number): boolean => !names.has(texts[row]!);
    const isNew = (row: number): boolean => isFree(row) && !taken.has(this.#keyOfText(texts[row]!));
    const best = (may?: (row: number) => boolean) => mainKeyword(rows, this.#nameable, may);
    return texts[best(isNew) ?? best(isFree) ?? best()!]!;
  }

  /** The rows with a phrase that have at most `more` words beyond those of the shortest one. Seed and stop words do not count. */
  #shortWith({ words }: Phrase, rows: Uint32Array, more: number): Uint32Array {
    const { offset, word, kind } = this.#list;
    const having = rows.filter((row) => this.#placeIn(row, words));
    const lengthOf = (row: number): number =>
      word.subarray(offset[row], offset[row + 1]).reduce((sum, one) => sum + Number(!isJoined(kind[one]!)), 0);
    const shortest = having.reduce((min, row) => Math.min(min, lengthOf(row)), Number.POSITIVE_INFINITY);
    return having.filter((row) => lengthOf(row) <= shortest + more);
  }

  /** A phrase as most keywords of the topic spell it; those with more searches count for more. */
  #spelled({ words }: Phrase, topic: number): string {
    const { weight } = this.#nameable;
    const forms = new Map<string, number>();
    for (const row of this.#rows[topic]!) {
      const place = this.#placeIn(row, words);
      if (!place) continue;
      const form = this.#textBetween(row, ...place);
      forms.set(form, (forms.get(form) ?? 0) + weight[row]! + this.#searches[row]!);
    }
    return [...forms].reduce((best, one) => {
      const difference = one[1] - best[1] || best[0].length - one[0].length;
      return difference > 0 || (difference === 0 && one[0] < best[0]) ? one : best;
    })[0];
  }

  /** Where the first and the last word of a phrase stand among the words of the list; undefined if the row does not have it. */
  #placeIn(row: number, phrase: readonly number[]): readonly [first: number, last: number] | undefined {
    const { offset, word, kind } = this.#list;
    const end = offset[row + 1]!;
    for (let first = offset[row]!; first < end; first++) {
      if (word[first] !== phrase[0]) continue;
      let found = 1;
      let length = 1;
      let last = first;
      for (let at = first + 1; at < end && found < phrase.length && length < longestPhrase; at++) {
        if (kind[word[at]!] === 'seed') continue;
        length++;
        if (kind[word[at]!] === 'stop') continue;
        if (word[at] !== phrase[found]) break;
        found++;
        last = at;
      }
      if (found === phrase.length) return [first, last];
    }
    return undefined;
  }

  /** The words from `first` to `last` as a keyword spells them, without seed words; with them, and those right beside, if names have the seed. */
  #textBetween(row: number, first: number, last: number): string {
    const { offset, word, kind } = this.#list;
    const { text, start, end } = this.#words.spelled(this.#nameable.texts[row]!);
    const isKept = (at: number): boolean => kind[word[at]!] !== 'seed' || this.#way === 'seed-phrase';
    let [from, to] = [first, last];
    if (this.#way === 'seed-phrase') {
      while (from > offset[row]! && isJoined(kind[word[from - 1]!]!)) from--;
      while (to + 1 < offset[row + 1]! && isJoined(kind[word[to + 1]!]!)) to++;
      while (kind[word[from]!] === 'stop') from++;
      while (kind[word[to]!] === 'stop') to--;
    }
    const parts: string[] = [];
    for (let at = from; at <= to; at++) {
      if (!isKept(at)) continue;
      let until = at;
      while (until < to && isKept(until + 1)) until++;
      parts.push(text.slice(start[at - offset[row]!], end[until - offset[row]!]));
      at = until;
    }
    return parts.join(' ').replaceAll(/\s+/gu, ' ');
  }
}

const isJoined = (kind: ListWords['kind'][number]): boolean => kind === 'seed' || kind === 'stop';

/** Whether all words of a key are in another one. */
const isIn = (key: string, other: string): boolean => {
  const words = new Set(other.split(' '));
  return key.split(' ').every((word) => words.has(word));
};

/** A name, or with a number behind it if it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`;
  return free;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether a longer phrase has a shorter one in it. */
const contains = (longer: readonly number[], shorter: readonly number[]): boolean =>
  longer.length > shorter.length && longer.some((_, at) => shorter.every((word, index) => longer[at + index] === word));

/** The rows in and below each topic, in ascending order of the topics that they are in. */
function rowsInTopics({ parent, topicOf }: TopicsToName): Uint32Array[] {
  const count = parent.length;
  const own = new Uint32Array(count);
  for (const topic of topicOf) if (topic >= 0) own[topic]!++;
  const all = own.slice();
  for (let topic = count - 1; topic >= 0; topic--) if (parent[topic]! >= 0) all[parent[topic]!]! += all[topic]!;
  // The rows of a topic come first, then those below it, so that both are one range.
  const start = new Uint32Array(count);
  const next = new Uint32Array(count);
  let top = 0;
  for (let topic = 0; topic < count; topic++) {
    const above = parent[topic]!;
    start[topic] = above < 0 ? top : next[above]!;
    next[topic] = start[topic]! + own[topic]!;
    if (above < 0) top += all[topic]!;
    else next[above]! += all[topic]!;
  }
  const rows = new Uint32Array(top);
  const free = start.slice();
  topicOf.forEach((topic, row) => {
    if (topic >= 0) rows[free[topic]!++] = row;
  });
  return Array.from(start, (first, topic) => rows.subarray(first, first + all[topic]!));
}

/**
 * The words that distinguish each topic from the whole list, the most typical first, by what they contribute to the
 * Kullback–Leibler divergence (1951); on a tie, the more frequent word, then the one that occurs first. Words that all topics share contribute
 * nothing. Inflections of a word count as one, spelled as in the first keyword that has it.
 *
 * @param weight of each row: how many keywords it stands for
 * @param maxTerms the maximum number of words of a topic
 * @param isIncluded which topics to look at; the others get no words
 */
export function termsOf(
  topics: TopicsToName,
  list: ListWords,
  weight: Float64Array,
  maxTerms: number,
  isIncluded: (topic: number) => boolean = () => true,
): string[][] {
  const counter = new PhraseCounter({ list, weight, searches: new Float64Array(weight.length) });
  const all = new Float64Array(list.stem.length);
  let total = 0;
  const inTopics = Uint32Array.from(topics.topicOf.keys()).filter((row) => topics.topicOf[row]! >= 0);
  for (const row of inTopics) total += weight[row]!;
  counter.words(inTopics, (word, times) => {
    all[word] = times;
  });
  return rowsInTopics(topics).map((rows, topic) => {
    if (!isIncluded(topic)) return [];
    const size = rows.reduce((sum, row) => sum + weight[row]!, 0);
    const scored: { word: number; times: number; score: number }[] = [];
    counter.words(rows, (word, times) => {
      scored.push({ word, times, score: times * Math.log((times * total) / (size * all[word]!)) });
    });
    return scored
      .sort((a, b) => b.score - a.score || b.times - a.times || a.word - b.word)
      .slice(0, maxTerms)
      .map(({ word }) => list.text[word]!);
  });
}
