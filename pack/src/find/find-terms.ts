import { eachPiece, noPause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { foldForSearch, normalForm } from '../names/normal-form.ts';
import { hitKind } from './find-fallback.ts';
import { findNames, isBlank, type SearchInput } from './find-names.ts';
import { foldedNames, foldedReader, textAt } from './folded-names.ts';
import { phrase, wordsOf } from './text-query.ts';

/**
 * How a term is contained in a name.
 *
 * - `words`: as whole words, with case and accents folded as in search. Next to a letter of a script without blanks, such
 *   as Japanese or Thai, a word may begin or end anywhere.
 * - `parts`: anywhere. Case is folded, but accents count: in Japanese they distinguish words.
 */
type TermMode = 'words' | 'parts';

/**
 * For every node, 1 if its name contains one of the terms, otherwise 0.
 *
 * Cost: per term, a search of all names, and 1 µs for each name that contains the text of the term.
 */
export async function findTerms(
  pack: PackReader,
  terms: readonly string[],
  mode: TermMode,
  { find, pause = noPause }: SearchInput,
): Promise<Uint8Array> {
  const found = new Uint8Array(pack.metadata.nodes);
  for (const term of terms) {
    const query = phrase(wordsOf(term).join(' '));
    if (isBlank(query)) continue;
    const { kinds } = await findNames(pack, query, { find, pause });
    const holds = await holderOf(pack, query.text, mode, find);
    await eachPiece(kinds.length, pause, (from, end) => {
      for (let row = from; row < end; row++) {
        if (kinds[row] !== hitKind.none && found[row] === 0 && holds(row)) found[row] = 1;
      }
    });
  }
  return found;
}

/** Prepares the exact test for names that contain the folded term: as whole words, or with the same accents. */
async function holderOf(
  pack: PackReader,
  term: string,
  mode: TermMode,
  find: SearchInput['find'],
): Promise<(row: number) => boolean> {
  if (mode === 'parts') {
    const names = await pack.texts('name', find?.room);
    const folded = caseFolded(term);
    return (row) => caseFolded(textAt(names, row)).includes(folded);
  }
  const nameOf = foldedReader(await foldedNames(pack, find));
  const folded = foldForSearch(term);
  return (row) => hasWords(nameOf(row), folded);
}

/** Folds case but not accents, for mode `parts`. */
export const caseFolded = (text: string) => normalForm(text, 'NFKC').toLowerCase();

/** Whether a text contains another one as whole words. Both are folded. */
export function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (isBreak(text, at) && isBreak(text, end)) return true;
  }
  return false;
}

/** Whether a word may begin or end at an index: not between two letters or digits of scripts with blanks. */
function isBreak(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1));
  const before = text.slice(isPair ? at - 2 : at - 1, at);
  const after = String.fromCodePoint(text.codePointAt(at)!);
  return !(inWord.test(before) && inWord.test(after)) || unspaced.test(before) || unspaced.test(after);
}

const inWord = /[\p{L}\p{N}\p{M}]/u;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
