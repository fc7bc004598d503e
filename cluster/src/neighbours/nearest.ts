import { productsOf, type RowProducts, rowsTogether } from '../features/row-products.ts';
import { lengthOf, type Vectors } from '../features/vectors.ts';
import type { Neighbours } from './neighbours.ts';

/** The nearest candidates of each row so far, nearest first. Of equally near ones, the one that was offered first comes first. */
export class Nearest {
  private readonly to: Int32Array;
  private readonly similarity: Float32Array;
  private readonly count: number;

  constructor(rows: number, count: number) {
    this.count = count;
    this.to = new Int32Array(rows * count).fill(-1);
    this.similarity = new Float32Array(rows * count).fill(Number.NEGATIVE_INFINITY);
  }

  offer(row: number, other: number, value: number): void {
    const first = row * this.count;
    let at = first + this.count - 1;
    if (!(value > this.similarity[at]!)) return;
    for (; at > first && this.similarity[at - 1]! < value; at--) {
      this.similarity[at] = this.similarity[at - 1]!;
      this.to[at] = this.to[at - 1]!;
    }
    this.similarity[at] = value;
    this.to[at] = other;
  }

  /** Whether a row has this candidate. */
  has(row: number, other: number): boolean {
    for (let at = row * this.count; at < (row + 1) * this.count; at++) if (this.to[at] === other) return true;
    return false;
  }

  /** The similarity that a further candidate of a row must exceed. */
  threshold(row: number): number {
    return this.similarity[(row + 1) * this.count - 1]!;
  }

  found(): Neighbours {
    const similarity = this.similarity.map((value) => (value === Number.NEGATIVE_INFINITY ? 0 : value));
    return { count: this.count, to: this.to, similarity };
  }
}

/** Inserts another row into the neighbours of a row, in place, if it is nearer than the last of them. */
export function offerTo({ count, to, similarity }: Neighbours, row: number, other: number, value: number): void {
  const first = row * count;
  const isNearer = (at: number): boolean => to[at]! < 0 || value > similarity[at]!;
  let at = first + count - 1;
  if (!isNearer(at)) return;
  for (; at > first && isNearer(at - 1); at--) {
    similarity[at] = similarity[at - 1]!;
    to[at] = to[at - 1]!;
  }
  similarity[at] = value;
  to[at] = other;
}

/**
 * The dot product of two vectors whose number of dimensions is a multiple of four. Adds up four sums, because each addition to a single one would
 * wait for the last.
 */
export function product(
  left: Float32Array,
  leftStart: number,
  right: Float32Array,
  rightStart: number,
  length: number,
): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = 0; at < length; at += 4) {
    first += left[leftStart + at]! * right[rightStart + at]!;
    second += left[leftStart + at + 1]! * right[rightStart + at + 1]!;
    third += left[leftStart + at + 2]! * right[rightStart + at + 2]!;
    fourth += left[leftStart + at + 3]! * right[rightStart + at + 3]!;
  }
  return first + second + (third + fourth);
}

/** What candidates are offered to, such as {@link Nearest}. */
type Candidates = { offer(row: number, other: number, value: number): void };

/** Compares each row only with a few candidates that are probably near, instead of searching all rows. */
export class FewCompared {
  private readonly vectors: Vectors<Int8Array>;
  private readonly products: RowProducts;
  /** The length of each row; 0 until it is needed. */
  private readonly length: Float32Array;
  /** By candidate, the value of `round` when it was last compared. */
  private readonly compared: Uint32Array;
  private round = 0;
  private ownLength = 1;

  /** @param rows how many of the vectors, from the first, can be found */
  constructor(vectors: Vectors<Int8Array>, rows: number) {
    this.vectors = vectors;
    this.products = productsOf(vectors);
    this.length = new Float32Array(rows);
    this.compared = new Uint32Array(rows);
  }

  /** Chooses the row that candidates are compared with from now on. */
  begin(queries: Vectors<Int8Array>, row: number): void {
    this.round++;
    const { own } = this.products;
    this.products.user = this;
    const start = row * queries.dimensions;
    for (let at = 0; at < own.length; at++) own[at] = queries.values[start + at]!;
    this.ownLength = lengthOf(queries, row) || 1;
  }

  /** Chooses one of the candidates itself, which is not compared with itself. */
  beginOwn(row: number): void {
    this.begin(this.vectors, row);
    this.compared[row] = this.round;
  }

  /** Leaves these candidates out until another row begins. @param candidates −1 for none */
  leaveOut(candidates: Int32Array): void {
    for (let at = 0; at < candidates.length; at++)
      if (candidates[at]! >= 0) this.compared[candidates[at]!] = this.round;
  }

  /** Offers candidates with their cosines, each at most once since the row began. @param candidates −1 for none */
  offer(nearest: Candidates, row: number, candidates: Int32Array | Uint32Array): void {
    const { chosen } = this.products;
    let count = 0;
    for (let at = 0; at < candidates.length; at++) {
      const other = candidates[at]!;
      if (other < 0 || other >= this.compared.length || this.compared[other] === this.round) continue;
      this.compared[other] = this.round;
      chosen[count++] = other;
      if (count < rowsTogether) continue;
      this.offerChosen(nearest, row, count);
      count = 0;
    }
    this.offerChosen(nearest, row, count);
  }

  private offerChosen(nearest: Candidates, row: number, count: number): void {
    const { chosen, found, user } = this.products;
    if (user !== this) throw new Error('The rows are being compared with another one');
    this.products.multiply(count);
    for (let at = 0; at < count; at++) {
      const other = chosen[at]!;
      if (this.length[other] === 0) this.length[other] = lengthOf(this.vectors, other) || 1;
      nearest.offer(row, other, found[at]! / (this.ownLength * this.length[other]!));
    }
  }
}
