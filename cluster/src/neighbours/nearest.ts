import { productsOf, type RowProducts, rowsTogether } from '../features/row-products.ts';
import { lengthOf, type Vectors } from '../features/vectors.ts';
import type { Neighbours } from './neighbours.ts';

/** The best candidates of each row so far, best first. Of equal ones, the first that was offered comes first. */
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

  /** What a further candidate of a row must exceed. */
  least(row: number): number {
    return this.similarity[(row + 1) * this.count - 1]!;
  }

  found(): Neighbours {
    const similarity = this.similarity.map((value) => (value === Number.NEGATIVE_INFINITY ? 0 : value));
    return { count: this.count, to: this.to, similarity };
  }
}

/** Puts a row among the neighbours of another, in place, if it is nearer than the last of them. */
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

/** The product of two vectors with a multiple of four dimensions. Four sums at a time: one would wait for itself. */
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

/** Where candidates go: see `Nearest`. */
type Candidates = { offer(row: number, other: number, value: number): void };

/** Compares rows with a few others each, which are probably near, instead of searching all. */
export class FewCompared {
  private readonly vectors: Vectors<Int8Array>;
  private readonly products: RowProducts;
  /** Of each row that was compared; 0 where it is not known yet. */
  private readonly length: Float32Array;
  /** The number of the asked row that each row was last compared with. */
  private readonly compared: Uint32Array;
  private asked = 0;
  private ownLength = 1;

  /** @param rows how many of the vectors, from the first, can be found */
  constructor(vectors: Vectors<Int8Array>, rows: number) {
    this.vectors = vectors;
    this.products = productsOf(vectors);
    this.length = new Float32Array(rows);
    this.compared = new Uint32Array(rows);
  }

  /** What is offered next is compared with this row. */
  begin(asked: Vectors<Int8Array>, row: number): void {
    this.asked++;
    const { own } = this.products;
    this.products.user = this;
    const start = row * asked.dimensions;
    for (let at = 0; at < own.length; at++) own[at] = asked.values[start + at]!;
    this.ownLength = lengthOf(asked, row) || 1;
  }

  /** The same for one of the rows that can be found, which does not find itself. */
  beginOwn(row: number): void {
    this.begin(this.vectors, row);
    this.compared[row] = this.asked;
  }

  /** Does not offer these until the next beginning. @param candidates −1 for none */
  leaveOut(candidates: Int32Array): void {
    for (let at = 0; at < candidates.length; at++)
      if (candidates[at]! >= 0) this.compared[candidates[at]!] = this.asked;
  }

  /** Offers the cosines of candidates, each once since the beginning. @param candidates −1 for none */
  offer(nearest: Candidates, row: number, candidates: Int32Array | Uint32Array): void {
    const { chosen } = this.products;
    let count = 0;
    for (let at = 0; at < candidates.length; at++) {
      const other = candidates[at]!;
      if (other < 0 || other >= this.compared.length || this.compared[other] === this.asked) continue;
      this.compared[other] = this.asked;
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
