import type { QuestionLanguage } from '../filter/filter.ts';
import type { SearchInput } from '../find/find-names.ts';
import { caseFolded, findTerms, hasWords } from '../find/find-terms.ts';
import { type FoldedNames, foldedNames } from '../find/folded-names.ts';
import { eachPiece, noPause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { foldForSearch } from '../names/normal-form.ts';

/**
 * For every node, 1 if its name is a question in one of the languages, otherwise 0: it begins with or contains a question
 * word, or ends with a question mark.
 *
 * Cost: one pass over the beginnings of all names, and a search of all names for each word that may occur anywhere.
 */
export async function findQuestions(
  pack: PackReader,
  languages: readonly QuestionLanguage[],
  { find, pause = noPause }: SearchInput,
): Promise<Uint8Array> {
  const all = languages.map((language) => questionWords[language]);
  const anywhere = await findTerms(
    pack,
    all.flatMap(({ words = [] }) => words),
    'words',
    { find, pause },
  );
  const parts = await findTerms(
    pack,
    all.flatMap(({ parts = [] }) => parts),
    'parts',
    { find, pause },
  );
  const names = await foldedNames(pack, find);
  const beginnings = beginningsOf(all.flatMap(({ first = [] }) => first));
  await eachPiece(anywhere.length, pause, (from, end) => {
    for (let row = from; row < end; row++) anywhere[row]! |= parts[row]!;
    markQuestions(names, beginnings, anywhere, from, end);
  });
  return anywhere;
}

/**
 * Prepares the same test as {@link findQuestions} for names that are not in a pack.
 *
 * Cost: about 2 µs for a name.
 */
export function questionTest(languages: readonly QuestionLanguage[]): (name: string) => boolean {
  const all = languages.map((language) => questionWords[language]);
  const beginnings = beginningsOf(all.flatMap(({ first = [] }) => first));
  const words = all.flatMap(({ words = [] }) => words).map(foldForSearch);
  const parts = all.flatMap(({ parts = [] }) => parts).map(caseFolded);
  const encoder = new TextEncoder();
  return (name) => {
    const folded = foldForSearch(name);
    const bytes = encoder.encode(folded);
    if (isQuestion(beginnings, bytes, 0, bytes.length) || words.some((word) => hasWords(folded, word))) return true;
    if (parts.length === 0) return false;
    const cased = caseFolded(name);
    return parts.some((part) => cased.includes(part));
  };
}

/** A trie of bytes: `next[256 * state + byte]` is the state after a byte, 0 if there is none. The first state is 1. */
type Beginnings = { readonly next: Uint16Array; readonly isEnd: Uint8Array };

function beginningsOf(words: readonly string[]): Beginnings {
  const folded = words.map((word) => new TextEncoder().encode(foldForSearch(word)));
  const maxStates = 2 + folded.reduce((sum, { length }) => sum + length, 0);
  const next = new Uint16Array(256 * maxStates);
  const isEnd = new Uint8Array(maxStates);
  let states = 2;
  for (const bytes of folded) {
    let state = 1;
    for (const byte of bytes) {
      if (next[256 * state + byte] === 0) next[256 * state + byte] = states++;
      state = next[256 * state + byte]!;
    }
    isEnd[state] = 1;
  }
  return { next, isEnd };
}

function markQuestions(
  { names, folds, starts }: FoldedNames,
  beginnings: Beginnings,
  found: Uint8Array,
  from: number,
  end: number,
): void {
  for (let row = from; row < end; row++) {
    if (found[row] === 1) continue;
    const fold = starts[row]!;
    const isFolded = fold !== starts[row + 1];
    const { start, bytes } = isFolded ? folds : names;
    const at = isFolded ? fold : row;
    if (isQuestion(beginnings, bytes, start[at]!, start[at + 1]!)) found[row] = 1;
  }
}

const [blank, mark] = [0x20, 0x3f];

/** Whether a folded name, given by its bytes, begins with a question word or ends with a question mark. */
function isQuestion({ next, isEnd }: Beginnings, bytes: Uint8Array, start: number, end: number): boolean {
  let last = end - 1;
  while (last > start && bytes[last]! <= blank) last--;
  // Folding turns the full-width mark into the plain one. The Arabic one has two bytes.
  if (bytes[last] === mark || (bytes[last] === 0x9f && bytes[last - 1] === 0xd8 && last > start)) return true;
  let at = start;
  while (at < end && bytes[at]! <= blank) at++;
  // The inverted question mark of Spanish.
  if (bytes[at] === 0xc2 && bytes[at + 1] === 0xbf) at += 2;
  let state = 1;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte <= blank) {
      if (isEnd[state] === 1) return true;
      while (at + 1 < end && bytes[at + 1]! <= blank) at++;
    }
    state = next[256 * state + (byte <= blank ? blank : byte)]!;
    if (state === 0) return false;
  }
  return isEnd[state] === 1;
}

/**
 * The words that mark a question in a language.
 *
 * - `first`: the name begins with one of these words, or pairs of words, and a blank or the end follows.
 * - `words`: it contains one of these as whole words; `parts`: anywhere, for languages that do not separate words.
 */
type QuestionWords = {
  readonly first?: readonly string[];
  readonly words?: readonly string[];
  readonly parts?: readonly string[];
};

const list = (text: string) => text.split(', ');

/** Case and accents are folded as in search when names are compared. */
export const questionWords: Readonly<Record<QuestionLanguage, QuestionWords>> = {
  en: {
    first: list(
      'who, what, when, where, why, which, whose, how, can, could, do, does, did, is, are, was, were, will, would, ' +
        'should, may, might, has, have',
    ),
  },
  de: {
    first: list(
      'wer, was, wann, wo, woher, wohin, warum, weshalb, wieso, wie, welche, welcher, welches, wem, wen, wessen, wozu, ' +
        'womit, kann, darf, muss, soll, ist, sind, hat, gibt',
    ),
  },
  fr: {
    first: list(
      "qui, que, quoi, quand, où, pourquoi, comment, combien, quel, quelle, quels, quelles, lequel, est-ce, qu'est-ce, " +
        'qu’est-ce, peut-on, faut-il',
    ),
  },
  es: {
    first: list(
      'quién, quiénes, qué, cuándo, dónde, adónde, por qué, para qué, cómo, cuál, cuáles, cuánto, cuánta, cuántos, ' +
        'cuántas, es, se puede',
    ),
  },
  it: {
    first: list(
      'chi, che cosa, cosa, quando, dove, perché, come, quale, quali, quanto, quanta, quanti, quante, si può',
    ),
  },
  pt: {
    first: list(
      'quem, que, o que, quando, onde, por que, porque, como, qual, quais, quanto, quanta, quantos, quantas, posso, pode',
    ),
  },
  nl: { first: list('wie, wat, wanneer, waar, waarom, hoe, hoeveel, welk, welke, kan, mag, moet, is, zijn') },
  pl: {
    first: list('kto, co, kiedy, gdzie, dlaczego, jak, jaki, jaka, jakie, który, która, które, ile, czy'),
  },
  ru: {
    first: list(
      'кто, что, когда, где, куда, откуда, почему, зачем, как, какой, какая, какое, какие, сколько, можно ли',
    ),
  },
  vi: { words: list('là gì, như thế nào, tại sao, vì sao, làm sao, ở đâu, khi nào, bao nhiêu') },
  ja: { parts: list('とは, なぜ, どう, どこ, いつ, 誰, 何, いくら, ですか, ますか') },
  zh: { parts: list('什么, 怎么, 为什么, 哪里, 如何, 多少, 吗') },
  ko: { parts: list('무엇, 뭐, 왜, 어떻게, 어디, 언제, 누구, 얼마, 나요, 까요') },
};
