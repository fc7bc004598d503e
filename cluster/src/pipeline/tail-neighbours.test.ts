import { describe, expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { randomNumbers } from '../communities/random.ts';
import { normalised, packed, rowCount, type Vectors } from '../features/vectors.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';
import { listNeighbours, neighbourCount } from './list-neighbours.ts';
import type { TextFeatures } from './text-features.ts';

const dimensions = 8;
const [head, tail] = [600, 400];

/** Rows around some directions, in any order. */
function madeVectors(rows: number): Vectors {
  const random = randomNumbers(5);
  const centres = Array.from({ length: 25 * dimensions }, () => random() - 0.5);
  const values = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const centre = Math.floor(25 * random()) * dimensions;
    for (let at = 0; at < dimensions; at++)
      values[row * dimensions + at] = centres[centre + at]! + 0.4 * (random() - 0.5);
  }
  return normalised({ values, dimensions });
}

const all = madeVectors(head + tail);
/** Topics see the same rows a little differently. */
const topical = normalised({
  values: all.values.map((value, at) => value * (at % dimensions < dimensions / 2 ? 1.3 : 0.7)),
  dimensions,
});
const part = (first: number, end: number, of = all): Vectors => ({
  values: of.values.slice(first * dimensions, end * dimensions),
  dimensions,
});

/** Texts are their rows. @param lendersOf the rows of the head that a row borrows from */
const featuresOf = (lendersOf?: (row: number) => number[]): TextFeatures => ({
  rows: head,
  dimensions: { page: dimensions, topic: dimensions },
  take: (which) => part(0, head, which === 'page' ? all : topical),
  takePacked(which, into) {
    packed(part(0, head, which === 'page' ? all : topical), into);
  },
  async more(texts) {
    const rows = texts.map(Number);
    const [first, end] = [rows[0]!, rows.at(-1)! + 1];
    return {
      page: part(first, end),
      topic: part(first, end, topical),
      lenders: lendersOf && Int32Array.from(rows.flatMap(lendersOf)),
    };
  },
});
const texts = Array.from({ length: tail }, (_, at) => String(head + at));
const found = (features: TextFeatures) => listNeighbours(exactNeighbours, features, texts, 0.5);

/** The share of the nearest rows of rows that were found. */
function recall(neighbours: Neighbours, exact: Neighbours, first: number, end: number): number {
  let hits = 0;
  const rows = ({ to }: Neighbours, row: number) => to.subarray(row * neighbourCount, (row + 1) * neighbourCount);
  for (let row = first; row < end; row++)
    hits += rows(neighbours, row).filter((other) => rows(exact, row).includes(other)).length;
  return hits / ((end - first) * neighbourCount);
}

describe('the neighbours of a list in two parts', async () => {
  const exact = await exactNeighbours(all).among(neighbourCount);
  const exactTopics = await exactNeighbours(topical).among(neighbourCount);
  const list = await found(featuresOf());

  test('are nearly those that comparing all rows finds, in the head and in the tail', () => {
    for (const [neighbours, nearest] of [
      [list.page, exact],
      [list.topic, exactTopics],
    ] as const) {
      expect(recall(neighbours, nearest, 0, head)).toBeGreaterThan(0.85);
      expect(recall(neighbours, nearest, head, head + tail)).toBeGreaterThan(0.85);
    }
  });

  test('are different rows, the most similar first, with their cosines', () => {
    const { to, similarity } = list.page;
    for (let row = 0; row < head + tail; row++) {
      const places = Array.from({ length: neighbourCount }, (_, at) => row * neighbourCount + at);
      expect(new Set([row, ...places.map((at) => to[at])]).size).toBe(1 + neighbourCount);
      for (const at of places.slice(1)) expect(similarity[at]).toBeLessThanOrEqual(similarity[at - 1]!);
      const [nearest] = places;
      let cosine = 0;
      for (let at = 0; at < dimensions; at++)
        cosine += all.values[row * dimensions + at]! * all.values[to[nearest!]! * dimensions + at]!;
      expect(similarity[nearest!]).toBeCloseTo(cosine, 1);
    }
  });

  test('are found through those whose meaning is borrowed', async () => {
    const rows = await exactNeighbours(part(0, head)).of(part(head, head + tail), 3);
    const lenders = (row: number) => [...rows.to.subarray(3 * (row - head), 3 * (row - head + 1))];
    const borrowed = await found(featuresOf(lenders));
    expect(recall(borrowed.page, exact, head, head + tail)).toBeGreaterThan(0.8);
    const some = await found(featuresOf((row) => (row % 2 ? lenders(row) : [-1, -1, -1])));
    expect(recall(some.page, exact, head, head + tail)).toBeGreaterThan(0.8);
  });

  test('keep the vectors of all rows', () => {
    expect(list.pageVectors).toEqual(packed(all));
    expect(rowCount(list.topicVectors)).toBe(head + tail);
  });
});
