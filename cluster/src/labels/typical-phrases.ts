import type { Numbered } from '../communities/partition.ts';
import type { Words } from '../words/words.ts';
import { isShorter, type Nameable } from './main-keywords.ts';

/** How often a phrase occurs in each group that has it, and in all together. */
type Counts = { readonly byGroup: Map<number, number>; all: number };

/**
 * The words that tell each group from the others, most typical first. Inflections of a word are one, spelled as in the
 * first keyword that has it.
 *
 * @param weight of each row: how many keywords it stands for
 */
export function termsOf(
  groups: Numbered,
  texts: readonly string[],
  weight: Float64Array,
  words: Words,
  most: number,
): string[][] {
  const spelling = new Map<string, string>();
  const stemsOf = (text: string) =>
    words(text).flatMap((word) => {
      if (word.isStopWord) return [];
      if (!spelling.has(word.stem)) spelling.set(word.stem, word.text);
      return [word.stem];
    });
  const ranked = rankedPhrases(groups, texts, weight, stemsOf);
  return ranked.map((stems) => stems.slice(0, most).map((stem) => spelling.get(stem)!));
}

/**
 * The keyword that each group is called after if it is large: the shortest one that contains the group's most typical
 * phrase of one or two words.
 *
 * @returns a row for each group
 */
export function typicalKeywords(groups: Numbered, nameable: Nameable, weight: Float64Array, words: Words): Int32Array {
  const { texts } = nameable;
  const phrases = (text: string) => phrasesOf(text, words);
  const typical = rankedPhrases(groups, texts, weight, phrases).map((ranked) => ranked[0]);
  const named = new Int32Array(groups.count).fill(-1);
  const isFound = new Uint8Array(groups.count);
  groups.of.forEach((group, row) => {
    if (group < 0) return;
    const fits = typical[group] !== undefined && phrases(texts[row]!).includes(typical[group]);
    const best = named[group]!;
    const isBetter = fits === (isFound[group] === 1) ? best < 0 || isShorter(texts[row]!, texts[best]!) : fits;
    if (!isBetter) return;
    named[group] = row;
    isFound[group] = fits ? 1 : 0;
  });
  return named;
}

/** The phrases of each group by class-based TF-IDF (Grootendorst, 2022), highest first; of equal ones the first met. */
function rankedPhrases(
  { of, count }: Numbered,
  texts: readonly string[],
  weight: Float64Array,
  phrasesIn: (text: string) => readonly string[],
): string[][] {
  const counts = new Map<string, Counts>();
  let total = 0;
  of.forEach((group, row) => {
    if (group < 0) return;
    for (const phrase of new Set(phrasesIn(texts[row]!))) {
      const known = counts.get(phrase) ?? { byGroup: new Map<number, number>(), all: 0 };
      counts.set(phrase, known);
      known.byGroup.set(group, (known.byGroup.get(group) ?? 0) + weight[row]!);
      known.all += weight[row]!;
      total += weight[row]!;
    }
  });
  const scored = Array.from({ length: count }, (): { phrase: string; score: number }[] => []);
  for (const [phrase, { byGroup, all }] of counts) {
    const rarity = Math.log(1 + total / count / all);
    for (const [group, times] of byGroup) scored[group]!.push({ phrase, score: times * rarity });
  }
  return scored.map((phrases) => phrases.sort((a, b) => b.score - a.score).map(({ phrase }) => phrase));
}

/** The stems of a text without stop words, and the pairs of neighbours among them. */
function phrasesOf(text: string, words: Words): string[] {
  const stems = words(text).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [stem]));
  return [...stems, ...stems.slice(1).map((stem, at) => `${stems[at]} ${stem}`)];
}
