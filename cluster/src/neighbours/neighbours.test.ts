import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { graphOf } from '../communities/graph.ts';
import { randomNumbers } from '../communities/random.ts';
import { type Columns, columnsTogether, type MultiplyBytes } from '../features/byte-products.ts';
import { normalised, type Vectors } from '../features/vectors.ts';
import { type NeighbourSearch, type Neighbours, similarityGraph } from './neighbours.ts';
import { productNeighbours } from './product-search.ts';

const dimensions = 8;

/** Rows around `centres` directions, all of length 1. */
function madeVectors(rows: number, centres: number, seed = 1): Vectors {
  const random = randomNumbers(seed);
  const middle = Float32Array.from({ length: centres * dimensions }, () => random() - 0.5);
  const values = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++)
    for (let at = 0; at < dimensions; at++)
      values[row * dimensions + at] = middle[(row % centres) * dimensions + at]! + 0.2 * (random() - 0.5);
  return normalised({ values, dimensions });
}

/** Products one after the other, as a runtime must find them. */
const multiply: MultiplyBytes = async (asked, { dimensions: length, values, scale }: Columns) => {
  const width = scale.length;
  const products = Float32Array.from({ length: (asked.length / length) * width }, (_, place) => {
    const [row, column] = [Math.floor(place / width), place % width];
    let sum = 0;
    for (let at = 0; at < length; at++) sum += (asked[row * length + at]! - 128) * values[at * width + column]!;
    return sum * scale[column]!;
  });
  const largest = Float32Array.from({ length: products.length / columnsTogether }, (_, run) =>
    Math.max(...products.subarray(run * columnsTogether, (run + 1) * columnsTogether)),
  );
  return { values: products, largest };
};

const searches: Readonly<Record<string, NeighbourSearch>> = {
  exact: exactNeighbours,
  'products without native code': productNeighbours(undefined, 100),
  products: productNeighbours(multiply),
  'products in cells': productNeighbours(multiply, 100),
};

/** How similar the found neighbours are together, as a share of what is possible: which of two equal ones is found is open. */
function quality(found: Neighbours, best: Neighbours): number {
  const sum = ({ similarity }: Neighbours) => similarity.reduce((total, value) => total + value, 0);
  return sum(found) / sum(best);
}

test('the exact search finds what sorting all others does', async () => {
  const shape = fc.record({
    rows: fc.integer({ min: 1, max: 90 }),
    count: fc.integer({ min: 1, max: 6 }),
    seed: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(shape, async ({ rows, count, seed }) => {
      const vectors = madeVectors(rows, 3, seed);
      const { to, similarity } = await exactNeighbours(vectors).among(count);
      for (let row = 0; row < rows; row++) {
        const others = Array.from({ length: rows }, (_, other) => {
          let sum = 0;
          for (let at = 0; at < dimensions; at++)
            sum += vectors.values[row * dimensions + at]! * vectors.values[other * dimensions + at]!;
          return { other, sum };
        }).filter(({ other }) => other !== row);
        const best = others.sort((a, b) => b.sum - a.sum).slice(0, count);
        best.forEach(({ sum }, rank) => {
          expect(similarity[row * count + rank]).toBeCloseTo(sum, 5);
        });
        expect([...to.subarray(row * count + best.length, (row + 1) * count)].every((other) => other === -1)).toBe(
          true,
        );
      }
    }),
  );
});

describe.each(Object.keys(searches))('%s', (name) => {
  const search = searches[name]!;
  const vectors = madeVectors(3000, 40);

  test('finds almost all neighbours, the same twice, best first, and never the row itself', async () => {
    const found = await search(vectors).among(10);
    expect(quality(found, await exactNeighbours(vectors).among(10))).toBeGreaterThan(0.99);
    const again = await search(vectors).among(10);
    expect(again.to).toEqual(found.to);
    expect(again.similarity).toEqual(found.similarity);
    const places = [...found.to.keys()];
    expect(places.filter((at) => found.to[at] === Math.floor(at / 10))).toEqual([]);
    expect(places.filter((at) => at % 10 > 0 && !(found.similarity[at]! <= found.similarity[at - 1]!))).toEqual([]);
  });

  test('finds the rows of the index that other vectors are near', async () => {
    const asked = madeVectors(200, 40, 1);
    const found = await search(vectors).of(asked, 5);
    expect(found.to).toHaveLength(1000);
    expect(quality(found, await exactNeighbours(vectors).of(asked, 5))).toBeGreaterThan(0.99);
  });

  test('may have fewer rows than neighbours, or none', async () => {
    expect([...(await search(madeVectors(2, 1)).among(3)).to]).toEqual([1, -1, -1, 0, -1, -1]);
    expect((await search(madeVectors(0, 1)).among(3)).to).toHaveLength(0);
    expect([...(await search(madeVectors(0, 1)).of(madeVectors(1, 1), 2)).to]).toEqual([-1, -1]);
  });
});

test('a graph has edges of more than ordinary similarity, which weigh what exceeds it, scaled by the means of both ends', () => {
  const neighbours = {
    count: 2,
    to: Int32Array.of(1, 2, 0, -1, 0, -1),
    similarity: Float32Array.of(0.5, 0.3, 0.5, 0, 0.3, 0),
  };
  const { offset, to, weight } = similarityGraph(neighbours);
  expect([...offset]).toEqual([0, 2, 3, 4]);
  expect([...to]).toEqual([1, 2, 0, 0]);
  // The means are 0.4, 0.5 and 0.3: 0.5 · 0.5 / √(0.4 · 0.5) and 0.5 · 0.3 / √(0.4 · 0.3), each less 0.2.
  expect(Array.from(weight, (value) => Math.round(1000 * value))).toEqual([359, 233, 359, 233]);
});

test('a graph does not depend on how similar all rows are, unless they resemble nothing', () => {
  const to = Int32Array.of(1, 2, 0, 2, 0, 1);
  const graph = (factor: number) =>
    similarityGraph({
      count: 2,
      to,
      similarity: Float32Array.from([0.9, 0.5, 0.9, 0.6, 0.5, 0.6], (one) => factor * one),
    });
  const half = graph(0.5);
  expect([...half.to]).toEqual([...graph(1).to]);
  for (const [edge, weight] of graph(1).weight.entries()) expect(half.weight[edge]).toBeCloseTo(weight, 5);
  expect(graph(0.05).to).toHaveLength(0);
});

test('a graph is that of all edges, in whichever direction they were found', () => {
  const row = fc.uniqueArray(fc.tuple(fc.integer({ min: -1, max: 6 }), fc.constantFrom(0, 0.2, 0.3, 0.5, 0.8)), {
    selector: ([to]) => to,
    minLength: 3,
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 7, maxLength: 7 }), (rows) => {
      const found = rows.flat();
      const neighbours = {
        count: 3,
        to: Int32Array.from(found, ([to]) => to),
        similarity: Float32Array.from(found, ([, similarity]) => similarity),
      };
      const scale = rows.map((near) => {
        const known = near.flatMap(([to, similarity]) => (to < 0 ? [] : [Math.fround(similarity)]));
        const mean = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
        return Math.sqrt(0.5 / Math.max(0.2, mean));
      });
      const scaled = found.map(([to], at) =>
        Math.min(1, neighbours.similarity[at]! * scale[Math.floor(at / 3)]! * (scale[to] ?? 0)),
      );
      const edges = Array.from(found.keys()).filter((at) => found[at]![0] >= 0 && scaled[at]! > 0.2);
      expect(similarityGraph(neighbours)).toEqual(
        graphOf(7, {
          from: Uint32Array.from(edges, (at) => Math.floor(at / 3)),
          to: Uint32Array.from(edges, (at) => found[at]![0]),
          weight: Float32Array.from(edges, (at) => scaled[at]! - 0.2),
        }),
      );
    }),
  );
});
