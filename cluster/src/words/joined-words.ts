import type { ReadWords, Word } from './words.ts';

/** Shorter words are equal to two others by chance. */
const shortestJoined = 5;
/** What is written as one word only once may be a slip. */
const fewestKeywords = 2;

/**
 * Reads the words of a list's keywords. Two that stand beside each other are one, if other keywords write them as one: "log in" like
 * "login", "web design" like "webdesign".
 */
export function joinedWords(words: ReadWords, texts: readonly string[]): ReadWords {
  const whole = new Map<string, { readonly word: Word; times: number }>();
  for (const text of texts) {
    for (const word of words(text)) {
      if (word.text.length < shortestJoined) continue;
      const known = whole.get(word.text);
      if (known) known.times++;
      else whole.set(word.text, { word, times: 1 });
    }
  }
  const joined = (one: Word, next: Word | undefined): Word | undefined => {
    if (!next || one.text.length + next.text.length < shortestJoined) return undefined;
    const known = whole.get(one.text + next.text);
    return known && known.times >= fewestKeywords ? known.word : undefined;
  };
  return (keyword) => {
    const apart = words(keyword);
    const found: Word[] = [];
    for (let at = 0; at < apart.length; at++) {
      const both = joined(apart[at]!, apart[at + 1]);
      found.push(both ?? apart[at]!);
      if (both) at++;
    }
    return found;
  };
}
