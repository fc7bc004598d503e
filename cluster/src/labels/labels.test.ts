import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalised, type Vectors } from '../features/vectors.ts';
import { wordsOf } from '../words/words.ts';
import { centralityOf } from './centrality.ts';
import { mainKeywords } from './main-keywords.ts';
import { termsOf, typicalKeywords } from './typical-phrases.ts';

const unknown = Number.NaN;
const one = (rows: number) => ({ of: new Int32Array(rows), count: 1 });

describe('the main keyword of a group', () => {
  const texts = ['nike socks', 'socks', 'white socks', 'zebra'];
  const main = (centrality: number[], volume: number[], names = texts) =>
    names[
      mainKeywords(one(names.length), Float32Array.from(centrality), {
        texts: names,
        volume: Float64Array.from(volume),
      })[0]!
    ];

  test('is the heaviest of the central half', () => {
    expect(main([0.9, 0.8, 0.7, 0.1], [10, 20, 30, 1000])).toBe('socks');
  });
  test('is the closest to the centre without volumes', () => {
    expect(main([0.7, 0.8, 0.9, 0.1], [unknown, unknown, unknown, unknown])).toBe('white socks');
  });
  test('is not one of unknown volume if another volume is known, and 0 is known', () => {
    expect(main([0.9, 0.8, 0.1, 0.1], [unknown, 0, 5, 5])).toBe('socks');
  });
  test('is the shorter one on a tie, then the first in the alphabet', () => {
    expect(main([0.9, 0.9, 0.1, 0.1], [7, 7, 0, 0], ['bbb', 'aa', 'c', 'd'])).toBe('aa');
    expect(main([0.9, 0.9, 0.1, 0.1], [7, 7, 0, 0], ['bb', 'aa', 'c', 'd'])).toBe('aa');
  });

  const lists = fc.array(
    fc.record({
      group: fc.integer({ min: -1, max: 4 }),
      volume: fc.oneof(fc.constant(unknown), fc.nat(3)),
      centrality: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
    }),
    { minLength: 1, maxLength: 30 },
  );

  test('is a member, so that no two groups have the same name, and the order of rows does not matter', () => {
    fc.assert(
      fc.property(lists, (rows) => {
        const named = (order: readonly number[]) => {
          const groups = [...new Set(rows.map(({ group }) => group).filter((group) => group >= 0))].sort();
          const of = Int32Array.from(order, (row) => groups.indexOf(rows[row]!.group));
          const found = mainKeywords(
            { of, count: groups.length },
            Float32Array.from(order, (row) => rows[row]!.centrality),
            { texts: order.map((row) => `k${row}`), volume: Float64Array.from(order, (row) => rows[row]!.volume) },
          );
          return Array.from(found, (place, group) => {
            expect(of[place]).toBe(group);
            return order[place]!;
          });
        };
        const order = rows.map((_, row) => row);
        const names = named(order);
        expect(new Set(names).size).toBe(names.length);
        expect(named(order.toReversed())).toEqual(names);
      }),
    );
  });
});

describe('typical phrases', () => {
  const texts = [
    'drupal views tutorial',
    'drupal views',
    'what are drupal views used for',
    'drupal themes free',
    'best drupal themes',
    'drupal themes',
  ];
  const groups = { of: Int32Array.of(0, 0, 0, 1, 1, 1), count: 2 };
  const weight = new Float64Array(6).fill(1);
  const nameable = { texts, volume: new Float64Array(6) };

  test('are those that the other groups do not have, as they are spelled first', () => {
    expect(termsOf(groups, texts, weight, wordsOf('en'), 1)).toEqual([['views'], ['themes']]);
  });
  test('are not those that all groups share', () => {
    const shared = texts.map((text) => `${text} module`);
    expect(termsOf(groups, shared, weight, wordsOf('en'), 1)).toEqual([['views'], ['themes']]);
  });
  test('name a large group after the heaviest keyword that has one and at most one word more than the shortest', () => {
    const volume = Float64Array.of(9, 1, 5, 2, 0, 3);
    const other = ['best drupal views tutorial', 'drupal views', 'my drupal views', 'themes x', 'themes y', 'z themes'];
    const named = typicalKeywords(groups, { texts: other, volume }, weight, wordsOf('en'));
    expect(Array.from(named, (row) => other[row])).toEqual(['my drupal views', 'z themes']);
  });
  test('name a large group after the keyword with the fewest words where volumes are equal', () => {
    const named = typicalKeywords(groups, nameable, weight, wordsOf('en'));
    expect(Array.from(named, (row) => texts[row])).toEqual(['drupal views', 'drupal themes']);
  });
  test('may be missing: a group of stop words is not named after one', () => {
    const named = typicalKeywords(one(2), { texts: ['the', 'a'], volume: new Float64Array(2) }, weight, wordsOf('en'));
    expect([...named]).toEqual([-1]);
  });
  test('may be missing: in a group where every keyword says something else, a phrase is chance', () => {
    const subjects = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'gnu', 'hen', 'ibis', 'jay', 'kite'];
    const mixed = { of: new Int32Array(subjects.length), count: 1 };
    const columns = { texts: subjects, volume: new Float64Array(subjects.length) };
    expect([...typicalKeywords(mixed, columns, new Float64Array(11).fill(1), wordsOf('en'))]).toEqual([-1]);
  });
  test('count a row as many times as it stands for keywords', () => {
    const heavy = Float64Array.of(1, 5);
    expect(termsOf(one(2), ['apple', 'pear'], heavy, wordsOf('en'), 1)).toEqual([['pear']]);
  });
});

test('centrality is the cosine to the mean direction of the group', () => {
  const vectors: Vectors = normalised({ values: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1), dimensions: 2 });
  const found = centralityOf(vectors, Int32Array.of(0, 0, 1, -1), 2);
  const half = Math.round(1000 * Math.SQRT1_2) / 1000;
  expect([...found].map((value) => Math.round(1000 * value) / 1000)).toEqual([half, half, 1, unknown]);
});
