import { packed, rowCount, type Vectors } from '../features/vectors.ts';
import { Nearest } from '../neighbours/nearest.ts';
import type { NeighbourIndex, NeighbourSearch, Neighbours } from '../neighbours/neighbours.ts';
import type { ListNeighbours } from './found-neighbours.ts';
import { joinTail, rowsOf, TailSearch } from './tail-neighbours.ts';
import type { TextFeatures } from './text-features.ts';

/** Neighbours of each row, on both graphs. */
export const neighbourCount = 15;
const count = neighbourCount;
/** Texts of the tail whose vectors are held at a time. */
const block = 16_384;

/**
 * The neighbours of all rows of a list. Those of the head are found among each other. The tail is only searched for in the
 * head, which takes half the time. What has a neighbour there in common is compared with each other, and what resembles
 * nothing there is compared with itself, too.
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
  const { found, index } = await withHead(search, features, tail.length);
  if (tail.length === 0) return found;
  const tailSearch = new TailSearch(index, found, head);
  const outside: number[] = [];
  for (let first = 0; first < tail.length; first += block) {
    const vectors = await features.more(tail.slice(first, first + block));
    const near = await tailSearch.of(vectors);
    put(found.page, found.pageVectors, head + first, near.page, packed(vectors.page));
    put(found.topic, found.topicVectors, head + first, near.topic, packed(vectors.topic));
    for (let at = 0; at < rowCount(vectors.page); at++)
      if (near.page.similarity[at * count]! < least) outside.push(head + first + at);
  }
  joinTail(found, head);
  await compareOutsiders(search, found, outside);
  return found;
}

/** Neighbours of the head, with places for those of the tail, and the head as pages see it, to be searched. */
async function withHead(
  search: NeighbourSearch,
  features: TextFeatures,
  tail: number,
): Promise<{ readonly found: ListNeighbours; readonly index: NeighbourIndex }> {
  const page = await headOf(search, features.take('page'));
  const topic = await headOf(search, features.take('topic'));
  const rows = features.rows + tail;
  const { dimensions } = features;
  // Only now: the vectors of the head, which are gone, take as much.
  const found = {
    page: noNeighbours(rows),
    topic: noNeighbours(rows),
    pageVectors: { values: new Int8Array(rows * dimensions.page), dimensions: dimensions.page },
    topicVectors: { values: new Int8Array(rows * dimensions.topic), dimensions: dimensions.topic },
  };
  put(found.page, found.pageVectors, 0, page.neighbours, page.bytes);
  put(found.topic, found.topicVectors, 0, topic.neighbours, topic.bytes);
  return { found, index: page.index };
}

async function headOf(search: NeighbourSearch, vectors: Vectors) {
  const index = search(vectors);
  return { index, neighbours: await index.among(count), bytes: packed(vectors) };
}

const noNeighbours = (rows: number): Neighbours => ({
  count,
  to: new Int32Array(rows * count).fill(-1),
  similarity: new Float32Array(rows * count),
});

function put(
  into: Neighbours,
  bytesInto: Vectors<Int8Array>,
  first: number,
  { to, similarity }: Neighbours,
  bytes: Vectors<Int8Array>,
): void {
  into.to.set(to, first * count);
  into.similarity.set(similarity, first * count);
  bytesInto.values.set(bytes.values, first * bytes.dimensions);
}

/** Adds neighbours among each other to rows that resemble nothing in the head. */
async function compareOutsiders(
  search: NeighbourSearch,
  found: ListNeighbours,
  rows: readonly number[],
): Promise<void> {
  if (rows.length === 0) return;
  addOwn(found.page, await search(rowsOf(found.pageVectors, rows)).among(count), rows);
  addOwn(found.topic, await search(rowsOf(found.topicVectors, rows)).among(count), rows);
}

function addOwn(into: Neighbours, own: Neighbours, rows: readonly number[]): void {
  const nearest = new Nearest(rows.length, count);
  rows.forEach((row, index) => {
    for (let at = 0; at < count; at++) {
      const [old, fresh] = [row * count + at, index * count + at];
      if (into.to[old]! >= 0) nearest.offer(index, into.to[old]!, into.similarity[old]!);
      if (own.to[fresh]! >= 0) nearest.offer(index, rows[own.to[fresh]!]!, own.similarity[fresh]!);
    }
  });
  const { to, similarity } = nearest.found();
  rows.forEach((row, index) => {
    into.to.set(to.subarray(index * count, (index + 1) * count), row * count);
    into.similarity.set(similarity.subarray(index * count, (index + 1) * count), row * count);
  });
}
