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
  return ranked.map((stems) => stems.slice(0, most).map(({ phrase }) => spelling.get(phrase)!));
}

/** A phrase that fewer of a group's keywords have does not say what the group is about. */
const leastShare = 0.1;

/**
 * The keyword that each group of several clusters is called after: of those with the group's most typical phrase of one or
 * two words, the heaviest that has at most one word more than the shortest of them; then the one with fewer words, then
 * the shorter one. A group without a typical phrase has none.
 *
 * @returns a row for each group, or −1
 */
export function typicalKeywords(groups: Numbered, nameable: Nameable, weight: Float64Array, words: Words): Int32Array {
  const { texts, volume } = nameable;
  const typical = rankedPhrases(groups, texts, weight, (text) => phrasesOf(text, words)).map(([first]) =>
    first && first.share >= leastShare ? first.phrase : undefined,
  );
  const members = Array.from({ length: groups.count }, (): { row: number; length: number }[] => []);
  groups.of.forEach((group, row) => {
    const phrase = group < 0 ? undefined : typical[group];
    if (phrase === undefined || !phrasesOf(texts[row]!, words).includes(phrase)) return;
    members[group]!.push({ row, length: words(texts[row]!).length });
  });
  return Int32Array.from(members, (having) => {
    const most = 1 + having.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
    const short = having.filter(({ length }) => length <= most);
    const rank = ({ row, length }: { row: number; length: number }): number[] => {
      const searches = Number.isNaN(volume[row]!) ? -1 : volume[row]!;
      return [-searches, length, texts[row]!.length];
    };
    const [first, ...others] = short;
    if (!first) return -1;
    return others.reduce(
      (best, one) => (precedes(rank(one), texts[one.row]!, rank(best), texts[best.row]!) ? one : best),
      first,
    ).row;
  });
}

function precedes(rank: readonly number[], text: string, than: readonly number[], other: string): boolean {
  const at = rank.findIndex((value, index) => value !== than[index]);
  return at < 0 ? text < other : rank[at]! < than[at]!;
}

/**
 * The phrases of each group by what they contribute to its difference from the whole list (Kullback and Leibler, 1951),
 * highest first; of equal ones the more frequent, then the first met. What all groups share contributes nothing. `share` is
 * that of the group's keywords which have the phrase.
 */
function rankedPhrases(
  { of, count }: Numbered,
  texts: readonly string[],
  weight: Float64Array,
  phrasesIn: (text: string) => readonly string[],
): { phrase: string; share: number }[][] {
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
  return scored.map((phrases, group) =>
    phrases
      .sort((a, b) => b.score - a.score || b.times - a.times)
      .map(({ phrase, times }) => ({ phrase, share: times / sizes[group]! })),
  );
}

/** The stems of a text without stop words, and the pairs of neighbours among them. */
function phrasesOf(text: string, words: Words): string[] {
  const stems = words(text).flatMap(({ stem, isStopWord }) => (isStopWord ? [] : [stem]));
  return [...stems, ...stems.slice(1).map((stem, at) => `${stems[at]} ${stem}`)];
}
