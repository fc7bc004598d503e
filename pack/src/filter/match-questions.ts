import type { SearchInput } from '../find/find-names.ts';
import { findTerms } from '../find/find-terms.ts';
import { type FoldedNames, foldedNames } from '../find/folded-names.ts';
import { eachPiece, noPause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { foldForSearch } from '../names/search-fold.ts';
import type { QuestionLanguage } from './question-languages.ts';
import { questionWords } from './question-words.ts';

/**
 * For every node, 1 if its name is a question in one of the languages, otherwise 0: it begins with or contains a question
 * word, or ends with a question mark.
 *
 * Cost: one pass over the beginnings of all names, and a search of all names for each word that may be anywhere.
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
    findAsked(names, beginnings, anywhere, from, end);
  });
  return anywhere;
}

/** A tree of bytes: `next[256 * state + byte]` is the state after a byte, 0 for none; the first state is 1. */
type Beginnings = { readonly next: Uint16Array; readonly isEnd: Uint8Array };

function beginningsOf(words: readonly string[]): Beginnings {
  const folded = words.map((word) => new TextEncoder().encode(foldForSearch(word)));
  const most = 2 + folded.reduce((sum, { length }) => sum + length, 0);
  const next = new Uint16Array(256 * most);
  const isEnd = new Uint8Array(most);
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

function findAsked(
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
    if (isAsked(beginnings, bytes, start[at]!, start[at + 1]!)) found[row] = 1;
  }
}

const [blank, mark] = [0x20, 0x3f];

/** Whether a folded name, given by its bytes, begins with a question word or ends with a question mark. */
function isAsked({ next, isEnd }: Beginnings, bytes: Uint8Array, start: number, end: number): boolean {
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
