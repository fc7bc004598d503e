import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from '../features/hash.ts';
import { normalised } from '../features/vectors.ts';
import { wordedAlike } from './worded-alike.ts';

const letters = 'abcdef';
/** Few different words, so that many texts are alike. */
const text = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 5 });
const hashes = (words: readonly string[]) => words.map((word) => hashOf(word, 1));
const counts = (words: readonly string[]) => [...letters].map((letter) => words.filter((one) => one === letter).length);

/** How often each word occurs, as vectors of length 1. */
const wordingOf = (texts: readonly (readonly string[])[]) =>
  normalised({ values: Float32Array.from(texts.flatMap(counts)), dimensions: letters.length });

/** Whether two texts have all words in common but at most one of each. */
function areOneApart(one: readonly string[], other: readonly string[]): boolean {
  const difference = counts(one).map((count, at) => count - counts(other)[at]!);
  const more = difference.reduce((sum, count) => sum + Math.max(0, count), 0);
  const less = difference.reduce((sum, count) => sum + Math.max(0, -count), 0);
  const common = one.length - more;
  return more <= 1 && less <= 1 && common > 0;
}

/** The two words of a text that the fewest rows have, in any order; among equally rare ones, several pairs may be chosen. */
function mayShareRarest(rows: readonly (readonly string[])[], one: readonly string[], other: readonly string[]) {
  const times = (word: string) => rows.flat().filter((each) => each === word).length;
  const rarest = (words: readonly string[]) => [...new Set(words)].map(times).toSorted((a, b) => a - b);
  const common = [...new Set(one)].filter((word) => other.includes(word));
  const lowest = common
    .map(times)
    .toSorted((a, b) => a - b)
    .slice(0, 2);
  return [one, other].every((words) => String(rarest(words).slice(0, 2)) === String(lowest)) && lowest.length === 2;
}

test('finds what comparing all texts word by word finds', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), text, (rows, asked) => {
      const find = wordedAlike(rows.map(hashes), wordingOf(rows));
      const { to } = find([hashes(asked)], wordingOf([asked]), 30);
      const found = [...to].filter((row) => row >= 0).toSorted((a, b) => a - b);
      expect(found).toEqual(expect.arrayContaining([...rows.keys()].filter((row) => areOneApart(rows[row]!, asked))));
      const others = found.filter((row) => !areOneApart(rows[row]!, asked));
      expect(others.filter((row) => !mayShareRarest(rows, rows[row]!, asked))).toEqual([]);
    }),
  );
});

test('finds what has the two rarest words in common, whatever is around them', () => {
  const rows = [
    ['a', 'b', 'e', 'f'],
    ['c', 'e'],
    ['c', 'f'],
    ['d', 'e'],
    ['d', 'f'],
  ];
  const find = wordedAlike(rows.map(hashes), wordingOf(rows));
  const to = (words: readonly string[]) => [...find([hashes(words)], wordingOf([words]), 1).to];
  expect(to(['c', 'd', 'a', 'b'])).toEqual([0]);
  expect(to(['b', 'a'])).toEqual([0]);
  expect(to(['c', 'd', 'a', 'f'])).toEqual([-1]);
});

test('the most similar rows come first, with their cosines', () => {
  const rows = [['a', 'b', 'c'], ['a', 'b'], ['a', 'b', 'b', 'b'], ['d']];
  const { to, similarity } = wordedAlike(rows.map(hashes), wordingOf(rows))(
    [['a', 'b', 'b'], ['d']].map(hashes),
    wordingOf([['a', 'b', 'b'], ['d']]),
    2,
  );
  expect([...to]).toEqual([2, 1, 3, -1]);
  expect(similarity[0]).toBeCloseTo(7 / Math.sqrt(50), 2);
  expect(similarity[1]).toBeCloseTo(3 / Math.sqrt(10), 2);
  expect(similarity[2]).toBeCloseTo(1, 2);
});

test('texts without words are like nothing', () => {
  const rows = [[], ['a']];
  expect([...wordedAlike(rows.map(hashes), wordingOf(rows))([[]], wordingOf([[]]), 2).to]).toEqual([-1, -1]);
});
