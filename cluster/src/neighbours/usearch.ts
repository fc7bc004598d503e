import { rowCount, type Vectors } from '../features/vectors.ts';
import { Nearest, product } from './nearest.ts';
import type { NeighbourIndex, NeighbourSearch, Neighbours } from './neighbours.ts';

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
  exactSearch(
    all: Int8Array,
    asked: Int8Array,
    dimensions: number,
    count: number,
    metric: number,
    threads: number,
  ): Matches;
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
export function usearchNeighbours(usearch: Usearch): NeighbourSearch {
  return (vectors) => (rowCount(vectors) <= mostExact ? allPairs(usearch, vectors) : throughGraph(usearch, vectors));
}

function allPairs({ exactSearch, MetricKind }: Usearch, vectors: Vectors): NeighbourIndex {
  const steps = quantised(vectors);
  const search = (others: Vectors, asked: Int8Array, count: number, isSame: boolean): Neighbours => {
    const nearest = new Nearest(rowCount(others), count);
    const width = Math.min(isSame ? count + 1 : count, rowCount(vectors));
    if (width > 0 && asked.length > 0) {
      const { keys } = exactSearch(steps, asked, vectors.dimensions, width, MetricKind.IP, 1);
      offerAll(nearest, vectors, others, keys, width, 0, isSame);
    }
    return nearest.found();
  };
  return {
    among: async (count) => search(vectors, steps, count, true),
    of: async (asked, count) => search(asked, quantised(asked), count, false),
  };
}

function throughGraph(usearch: Usearch, vectors: Vectors): NeighbourIndex {
  const index = filled(usearch, vectors);
  return {
    among: async (count) => searched(index, vectors, vectors, count, true),
    of: async (asked, count) => searched(index, vectors, asked, count, false),
  };
}

type Index = InstanceType<Usearch['Index']>;

function filled({ Index, MetricKind, ScalarKind }: Usearch, vectors: Vectors): Index {
  const index = new Index({
    dimensions: vectors.dimensions,
    metric: MetricKind.Cos,
    quantization: ScalarKind.I8,
    connectivity: 12,
    expansion_add: 48,
    expansion_search: 48,
    multi: false,
  });
  const keys = BigUint64Array.from({ length: rowCount(vectors) }, (_, row) => BigInt(row));
  for (const [first, end] of blocks(vectors)) index.add(keys.subarray(first, end), part(vectors, first, end), 1);
  return index;
}

/** @param isSame the vectors are those of the index, and none is its own neighbour */
function searched(index: Index, vectors: Vectors, others: Vectors, count: number, isSame: boolean): Neighbours {
  const nearest = new Nearest(rowCount(others), count);
  const width = isSame ? count + 1 : count;
  for (const [first, end] of blocks(others)) {
    const { keys } = index.search(part(others, first, end), width, 1);
    offerAll(nearest, vectors, others, keys, width, first, isSame);
  }
  return nearest.found();
}

const blocks = (vectors: Vectors): (readonly [first: number, end: number])[] =>
  Array.from({ length: Math.ceil(rowCount(vectors) / block) }, (_, at) => [
    at * block,
    Math.min(rowCount(vectors), (at + 1) * block),
  ]);

const part = ({ values, dimensions }: Vectors, first: number, end: number): Float32Array =>
  values.subarray(first * dimensions, end * dimensions);

/** Takes over matches. Similarities are computed again, because the index has those of rounded vectors. */
function offerAll(
  nearest: Nearest,
  vectors: Vectors,
  others: Vectors,
  keys: BigUint64Array,
  width: number,
  first: number,
  isSame: boolean,
): void {
  const { values, dimensions } = vectors;
  const rows = rowCount(vectors);
  // The order of matches depends on rounding; that of rows does not.
  const sorted = new Float64Array(width);
  for (let at = 0; at < keys.length; at += width) {
    const row = first + at / width;
    for (let rank = 0; rank < width; rank++) sorted[rank] = Number(keys[at + rank]!);
    for (const other of sorted.sort()) {
      if (other >= rows || (isSame && other === row)) continue;
      nearest.offer(row, other, product(others.values, row * dimensions, values, other * dimensions, dimensions));
    }
  }
}

/** Vectors of length 1 as bytes. One scale serves all, so that products stay comparable. */
function quantised({ values }: Vectors): Int8Array {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const scale = largest > 0 ? 127 / largest : 0;
  return Int8Array.from(values, (value) => Math.round(scale * value));
}
