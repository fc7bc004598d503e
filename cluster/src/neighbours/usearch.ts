import { rowCount, type Vectors } from '../features/vectors.ts';
import type { Neighbours } from './neighbours.ts';

/** What is used of the package `usearch`, which is native and may be missing. */
export type Usearch = {
  readonly MetricKind: { readonly Cos: number; readonly IP: number };
  readonly ScalarKind: { readonly I8: number };
  readonly Index: new (config: {
    dimensions: number;
    metric: number;
    quantization: number;
    connectivity: number;
    expansion_add: number;
    expansion_search: number;
    multi: boolean;
  }) => {
    add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
    search(vectors: Float32Array, count: number, threads: number): Matches;
  };
  exactSearch(all: Int8Array, asked: Int8Array, dimensions: number, count: number, metric: number, threads: number): Matches;
};
type Matches = { readonly keys: BigUint64Array; readonly distances: Float32Array };

/** Above so many rows, comparing all pairs costs more than a graph that finds almost all neighbours. */
const mostExact = 8000;
/** Rows handed over at a time, which bounds the memory of keys and matches. */
const block = 20_000;

/**
 * Nearest neighbours by `usearch`: all pairs for small lists, a hierarchical navigable small world graph (Malkov and
 * Yashunin, 2018) for large ones. One thread fills the graph in the order of rows, because its shape depends on the order.
 */
export function usearchNeighbours(usearch: Usearch) {
  return (vectors: Vectors, count: number): Neighbours =>
    rowCount(vectors) <= mostExact ? allPairs(usearch, vectors, count) : throughGraph(usearch, vectors, count);
}

function allPairs({ exactSearch, MetricKind }: Usearch, vectors: Vectors, count: number): Neighbours {
  const rows = rowCount(vectors);
  const steps = quantised(vectors);
  const found = empty(rows, count);
  if (rows > 1) {
    const nearest = Math.min(count + 1, rows);
    const { keys } = exactSearch(steps, steps, vectors.dimensions, nearest, MetricKind.IP, 1);
    take(found, vectors, keys, nearest, 0);
  }
  return found;
}

function throughGraph({ Index, MetricKind, ScalarKind }: Usearch, vectors: Vectors, count: number): Neighbours {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  const index = new Index({
    dimensions,
    metric: MetricKind.Cos,
    quantization: ScalarKind.I8,
    connectivity: 12,
    expansion_add: 48,
    expansion_search: 48,
    multi: false,
  });
  const keys = BigUint64Array.from({ length: rows }, (_, row) => BigInt(row));
  const blocks = Array.from({ length: Math.ceil(rows / block) }, (_, at) => [at * block, Math.min(rows, (at + 1) * block)]);
  const part = (first: number, end: number) => values.subarray(first * dimensions, end * dimensions);
  for (const [first, end] of blocks) index.add(keys.subarray(first, end), part(first!, end!), 1);
  const found = empty(rows, count);
  for (const [first, end] of blocks)
    take(found, vectors, index.search(part(first!, end!), count + 1, 1).keys, count + 1, first!);
  return found;
}

const empty = (rows: number, count: number): Neighbours => ({
  count,
  to: new Int32Array(rows * count).fill(-1),
  similarity: new Float32Array(rows * count),
});

/** Takes over matches without the row itself. Similarities are computed anew: those of the index are of rounded vectors. */
function take(into: Neighbours, vectors: Vectors, keys: BigUint64Array, width: number, first: number): void {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  const product = (a: number, b: number): number => {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += values[a * dimensions + at]! * values[b * dimensions + at]!;
    return sum;
  };
  for (let at = 0; at < keys.length; at += width) {
    const row = first + at / width;
    const others = Array.from(keys.subarray(at, at + width), Number).filter((other) => other !== row && other < rows);
    const ranked = others.map((other) => ({ other, similarity: product(row, other) }));
    ranked.sort((a, b) => b.similarity - a.similarity || a.other - b.other);
    ranked.slice(0, into.count).forEach(({ other, similarity }, rank) => {
      into.to[row * into.count + rank] = other;
      into.similarity[row * into.count + rank] = similarity;
    });
  }
}

/** Vectors of length 1 as bytes. One scale serves all, so that products stay comparable. */
function quantised({ values }: Vectors): Int8Array {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 ? 127 / largest : 0;
  return Int8Array.from(values, (value) => Math.round(scale * value));
}
