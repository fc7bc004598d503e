import { normalForm } from '@kc/pack/names/normal-form';
import { grammarOf } from './languages.ts';

/** A word of a keyword, as features and variants see it. */
export type Word = { readonly text: string; readonly stem: string; readonly isStopWord: boolean };

/** Cuts keywords into the stems of their words. */
export type Words = (keyword: string) => readonly Word[];

/** A run of letters and digits; inside it, signs as in "node.js", "c++", "wi-fi" and "children's". */
const run = /[\p{L}\p{N}\p{M}]+(?:[.+#'’-]?[\p{L}\p{N}\p{M}+#]+)*/gu;
/** Scripts without blanks between words, with how many letters make a piece. */
const pieces = [
  { script: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu, length: 2 },
  { script: /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu, length: 3 },
];
const unspaced = new RegExp(pieces.map(({ script }) => script.source).join('|'), 'u');
const marks = /\p{M}+/gu;

/**
 * Words of a language. Case never matters; accents matter except in English, where they come and go ("cafe", "café").
 * Runs of Chinese, Japanese and Korean are cut into pairs of letters and those of Thai, Lao and Khmer into triples,
 * because a dictionary would change with the version of Node.
 *
 * @param language ISO 639-1 code
 */
export function wordsOf(language: string): Words {
  const { stem, stopWords } = grammarOf(language);
  const isEnglish = language === 'en';
  const known = new Map<string, Word>();
  const wordOf = (text: string): Word => {
    let word = known.get(text);
    if (!word) {
      word = { text, stem: stem(text), isStopWord: stopWords.has(text) };
      known.set(text, word);
    }
    return word;
  };
  return (keyword) => {
    const lower = keyword.toLowerCase();
    const text = isEnglish ? normalForm(lower, 'NFKD').replace(marks, '') : normalForm(lower, 'NFKC');
    return (text.match(run) ?? []).flatMap((token) => (unspaced.test(token) ? cut(token) : [token])).map(wordOf);
  };
}

/** The pieces of a run that holds letters of a script without blanks. */
function cut(token: string): string[] {
  const found: string[] = [];
  let rest = token;
  for (const { script, length } of pieces) {
    for (const [letters] of rest.matchAll(script)) found.push(...windows([...letters], length));
    rest = rest.replace(script, ' ');
  }
  return [...found, ...rest.split(' ').filter(Boolean)];
}

function windows(letters: readonly string[], length: number): string[] {
  if (letters.length <= length) return [letters.join('')];
  return Array.from({ length: letters.length - length + 1 }, (_, at) => letters.slice(at, at + length).join(''));
}
