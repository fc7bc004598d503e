import { rowsInTopics, type TopicsToName } from './names.ts';
import { type ListWords, PhraseCounter } from './phrases.ts';

/**
 * The words that tell each topic from the whole list, most typical first, by what they contribute to the difference
 * (Kullback and Leibler, 1951); of equal ones the more frequent, then the first met. What all topics share contributes
 * nothing. Inflections of a word are one, spelled as in the first keyword that has it.
 *
 * @param weight of each row: how many keywords it stands for
 * @param isAsked the others have none
 */
export function termsOf(
  topics: TopicsToName,
  list: ListWords,
  weight: Float64Array,
  most: number,
  isAsked: (topic: number) => boolean = () => true,
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
    if (!isAsked(topic)) return [];
    const size = rows.reduce((sum, row) => sum + weight[row]!, 0);
    const scored: { word: number; times: number; score: number }[] = [];
    counter.words(rows, (word, times) => {
      scored.push({ word, times, score: times * Math.log((times * total) / (size * all[word]!)) });
    });
    return scored
      .sort((a, b) => b.score - a.score || b.times - a.times || a.word - b.word)
      .slice(0, most)
      .map(({ word }) => list.text[word]!);
  });
}
