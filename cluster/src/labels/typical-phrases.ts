import type { Numbered } from '../communities/partition.ts';
import type { Words } from '../words/words.ts';
import type { Nameable } from './main-keywords.ts';

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
 * The keyword that each group is called after if it is large: of those with the group's most typical phrase of one or two
 * words, the one with the fewest words; of these the heaviest, then the shortest.
 *
 * @returns a row for each group
 */
export function typicalKeywords(groups: Numbered, nameable: Nameable, weight: Float64Array, words: Words): Int32Array {
  const { texts, volume } = nameable;
  const typical = rankedPhrases(groups, texts, weight, (text) => phrasesOf(text, words)).map((ranked) => ranked[0]);
  const named = new Int32Array(groups.count).fill(-1);
  const ranks = Array.from({ length: groups.count }, (): readonly number[] => []);
  groups.of.forEach((group, row) => {
    if (group < 0) return;
    const text = texts[row]!;
    const phrase = typical[group];
    const lacksPhrase = phrase === undefined || !phrasesOf(text, words).includes(phrase);
    const searches = Number.isNaN(volume[row]!) ? -1 : volume[row]!;
    const rank = [Number(lacksPhrase), words(text).length, -searches, text.length];
    const best = named[group]!;
    if (best >= 0 && !precedes(rank, text, ranks[group]!, texts[best]!)) return;
    named[group] = row;
    ranks[group] = rank;
  });
  return named;
}

function precedes(rank: readonly number[], text: string, than: readonly number[], other: string): boolean {
  const at = rank.findIndex((value, index) => value !== than[index]);
  return at < 0 ? text < other : rank[at]! < than[at]!;
}

/**
 * The phrases of each group by what they contribute to its difference from the whole list (Kullback and Leibler, 1951),
 * highest first; of equal ones the more frequent, then the first met. What all groups share contributes nothing.
 */
function rankedPhrases(
  { of, count }: Numbered,
  texts: readonly string[],
  weight: Float64Array,
  phrasesIn: (text: string) => readonly string[],
): string[][] {
  const counts = new Map<string, Counts>();
  const sizes = new Float64Array(count);
  of.forEach((group, row) => {
    if (group < 0) return;
    sizes[group]! += weight[row]!;
    for (const phrase of new Set(phrasesIn(texts[row]!))) {
      const known = counts.get(phrase) ?? { byGroup: new Map<number, number>(), all: 0 };
      counts.set(phrase, known);
      known.byGroup.set(group, (known.byGroup.get(group) ?? 0) + weight[row]!);
      known.all += weight[row]!;
    }
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scored = Array.from({ length: count }, (): { phrase: string; score: number; times: number }[] => []);
  for (const [phrase, { byGroup, all }] of counts) {
    for (const [group, times] of byGroup)
      scored[group]!.push({ phrase, times, score: times * Math.log((times * total) / (sizes[group]! * all)) });
  }
  return scored.map((phrases) =>
    phrases.sort((a, b) => b.score - a.score || b.times - a.times).map(({ phrase }) => phrase),
  );
}

/** The stems of a text without stop words, and the pairs of neighbours among them. */
function phrasesOf(text: string, words: Words): string[] {
  const stems = words(text).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [stem]));
  return [...stems, ...stems.slice(1).map((stem, at) => `${stems[at]} ${stem}`)];
}
