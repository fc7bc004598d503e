import { packed, rowCount, type Vectors } from '../features/vectors.ts';
import { Nearest } from '../neighbours/nearest.ts';
import type { NeighbourIndex, NeighbourSearch, Neighbours } from '../neighbours/neighbours.ts';
import type { TextFeatures, TextVectors } from './text-features.ts';

/** Neighbours of each row, on both graphs. */
const count = 15;
/** Texts of the tail whose vectors are held at a time. */
const block = 16_384;

/** Neighbours among pages and among topics, and the vectors they were found by. */
export type ListNeighbours = {
  readonly page: Neighbours;
  readonly topic: Neighbours;
  readonly pageVectors: Vectors<Int8Array>;
  readonly topicVectors: Vectors<Int8Array>;
};

/**
 * The neighbours of all rows of a list. Those of the head are found among each other. The tail is only searched for in the
 * head, which takes half the time; what resembles nothing there is compared with itself, too.
 *
 * @param features of the head, which are the first rows
 * @param tail the texts of the other rows
 * @param least similarity to the head that is enough
 */
export async function listNeighbours(
  search: NeighbourSearch,
  features: TextFeatures,
  tail: readonly string[],
  least: number,
): Promise<ListNeighbours> {
  const head = features.rows;
  const found = emptyList(head + tail.length, features);
  const page = await headIndex(search, features.take('page'), found.page, found.pageVectors);
  const topic = await headIndex(search, features.take('topic'), found.topic, found.topicVectors);
  const outside = new Outsiders(features);
  for (let first = 0; first < tail.length; first += block) {
    const vectors = await features.more(tail.slice(first, first + block));
    const pair = { page: await page.of(vectors.page, count), topic: await topic.of(vectors.topic, count) };
    put(found, head + first, vectors, pair);
    for (let at = 0; at < rowCount(vectors.page); at++)
      if (pair.page.similarity[at * count]! < least) outside.add(head + first + at, vectors, at);
  }
  await outside.compare(search, found);
  return found;
}

/** Finds the neighbours of the head. Apart, so that its vectors are kept no longer than this takes. */
async function headIndex(
  search: NeighbourSearch,
  vectors: Vectors,
  found: Neighbours,
  bytes: Vectors<Int8Array>,
): Promise<NeighbourIndex> {
  const index = search(vectors);
  const { to, similarity } = await index.among(count);
  found.to.set(to);
  found.similarity.set(similarity);
  bytes.values.set(packed(vectors).values);
  return index;
}

type Pair = { readonly page: Neighbours; readonly topic: Neighbours };

function emptyList(rows: number, { dimensions: { page, topic } }: TextFeatures): ListNeighbours {
  const none = () => ({ count, to: new Int32Array(rows * count).fill(-1), similarity: new Float32Array(rows * count) });
  const vectors = (dimensions: number) => ({ values: new Int8Array(rows * dimensions), dimensions });
  return { page: none(), topic: none(), pageVectors: vectors(page), topicVectors: vectors(topic) };
}

function put(into: ListNeighbours, first: number, vectors: TextVectors, pair: Pair): void {
  into.page.to.set(pair.page.to, first * count);
  into.page.similarity.set(pair.page.similarity, first * count);
  into.topic.to.set(pair.topic.to, first * count);
  into.topic.similarity.set(pair.topic.similarity, first * count);
  into.pageVectors.values.set(packed(vectors.page).values, first * vectors.page.dimensions);
  into.topicVectors.values.set(packed(vectors.topic).values, first * vectors.topic.dimensions);
}

/** Rows that resemble nothing in the head. */
class Outsiders {
  private readonly rows: number[] = [];
  private readonly page: Float32Array[] = [];
  private readonly topic: Float32Array[] = [];
  private readonly dimensions: TextFeatures['dimensions'];

  constructor({ dimensions }: TextFeatures) {
    this.dimensions = dimensions;
  }

  add(row: number, { page, topic }: TextVectors, at: number): void {
    this.rows.push(row);
    this.page.push(page.values.slice(at * page.dimensions, (at + 1) * page.dimensions));
    this.topic.push(topic.values.slice(at * topic.dimensions, (at + 1) * topic.dimensions));
  }

  /** Adds their neighbours among each other. */
  async compare(search: NeighbourSearch, into: ListNeighbours): Promise<void> {
    if (this.rows.length === 0) return;
    const page = stacked(this.page, this.dimensions.page);
    const topic = stacked(this.topic, this.dimensions.topic);
    this.merge(into.page, await search(page).among(count));
    this.merge(into.topic, await search(topic).among(count));
  }

  private merge(into: Neighbours, own: Neighbours): void {
    const nearest = new Nearest(this.rows.length, count);
    this.rows.forEach((row, index) => {
      for (let at = 0; at < count; at++) {
        const [old, fresh] = [row * count + at, index * count + at];
        if (into.to[old]! >= 0) nearest.offer(index, into.to[old]!, into.similarity[old]!);
        if (own.to[fresh]! >= 0) nearest.offer(index, this.rows[own.to[fresh]!]!, own.similarity[fresh]!);
      }
    });
    const { to, similarity } = nearest.found();
    this.rows.forEach((row, index) => {
      into.to.set(to.subarray(index * count, (index + 1) * count), row * count);
      into.similarity.set(similarity.subarray(index * count, (index + 1) * count), row * count);
    });
  }
}

function stacked(rows: readonly Float32Array[], dimensions: number): Vectors {
  const values = new Float32Array(rows.length * dimensions);
  rows.forEach((row, index) => {
    values.set(row, index * dimensions);
  });
  return { values, dimensions };
}
