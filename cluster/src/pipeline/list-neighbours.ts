import { membersOf } from '../communities/partition.ts';
import { plainRoom, type RowRoom } from '../features/row-products.ts';
import { normalised, packed, putAt, rowCount, rowsAt, type Vectors } from '../features/vectors.ts';
import { FewCompared, Nearest, offerTo } from '../neighbours/nearest.ts';
import type { NeighbourIndex, NeighbourSearch, Neighbours } from '../neighbours/neighbours.ts';
import { type FurtherVectors, maxLenders, type TextFeatures } from './text-features.ts';

/** How many neighbours each row has, both by page vectors and by topic vectors. */
export const neighbourCount = 15;
const count = neighbourCount;
/** The tail is processed in blocks of this many texts, so that few of its vectors exist as floats at a time. */
const block = 16_384;

/**
 * Finds the neighbours of all rows of a list. Those of the head are searched for among the head. Those of the tail are searched for in the head only,
 * which takes half the time. Afterwards, rows of the tail that share a near neighbour are compared with each other, and rows that resemble nothing in
 * the head are searched for among themselves.
 *
 * @param features of the head, which are the first rows
 * @param tail the texts of the other rows
 * @param minSimilarity a row whose nearest neighbour in the head is less similar than this resembles nothing there
 * @param room allocates the vectors of all rows
 */
export async function listNeighbours(
  search: NeighbourSearch,
  features: TextFeatures,
  tail: readonly string[],
  minSimilarity: number,
  room: RowRoom = plainRoom,
): Promise<ListNeighbours> {
  const head = features.rows;
  const found = roomFor(head + tail.length, features.dimensions, room);
  const { index, place } = await findHead(search, features, found, tail.length > 0);
  if (tail.length === 0) return found;
  const tailSearch = new TailSearch(index, found, place);
  const outside: number[] = [];
  for (let first = 0; first < tail.length; first += block) {
    const vectors = await features.more(tail.slice(first, first + block));
    const bytes = { page: packed(vectors.page), topic: packed(vectors.topic) };
    const near = await tailSearch.of(vectors, bytes);
    put(found.page, head + first, near.page);
    put(found.topic, head + first, near.topic);
    found.pageVectors.values.set(bytes.page.values, (head + first) * bytes.page.dimensions);
    found.topicVectors.values.set(bytes.topic.values, (head + first) * bytes.topic.dimensions);
    for (let at = 0; at < rowCount(vectors.page); at++)
      if (near.page.similarity[at * count]! < minSimilarity) outside.push(head + first + at);
  }
  joinTail(found, place);
  await compareOutsiders(search, found, outside);
  return found;
}

/** Allocates the vectors of all rows at once: they take no memory before they are written. */
const roomFor = (rows: number, dimensions: TextFeatures['dimensions'], room: RowRoom): ListNeighbours => ({
  page: noNeighbours(rows),
  topic: noNeighbours(rows),
  pageVectors: room(rows, dimensions.page),
  topicVectors: room(rows, dimensions.topic),
});

/**
 * Finds the neighbours of the head.
 *
 * @returns the index that finds rows of the head by their page vectors, and the place of each row in {@link nearbyOrder}
 */
async function findHead(
  search: NeighbourSearch,
  features: TextFeatures,
  found: ListNeighbours,
  hasTail: boolean,
): Promise<{ readonly index: NeighbourIndex; readonly place: Uint32Array }> {
  const index = indexOf(search, features.take('page'), found.pageVectors);
  // Before the search, which needs memory: what topic vectors are made of is freed by this.
  if (hasTail) features.takePacked('topic', found.topicVectors.values);
  const pages = await index.among(count);
  put(found.page, 0, pages);
  const order = nearbyOrder(pages);
  const topics = hasTail
    ? topicsNearPages(found.topicVectors, pages, order)
    : await indexOf(search, features.take('topic'), found.topicVectors).among(count);
  put(found.topic, 0, topics);
  const place = new Uint32Array(order.length);
  order.forEach((row, index) => {
    place[row] = index;
  });
  return { index, place };
}

/**
 * An order of the rows in which most follow one of their neighbours (depth first). Rows are compared in this order only to save time: similar rows
 * have the same candidates, whose vectors are then still in the processor's cache.
 */
function nearbyOrder({ count, to }: Neighbours): Uint32Array {
  const order = new Uint32Array(to.length / count);
  const isKnown = new Uint8Array(order.length);
  const stack = new Uint32Array(order.length);
  let next = 0;
  for (let start = 0; start < order.length; start++) {
    if (isKnown[start]) continue;
    isKnown[start] = 1;
    stack[0] = start;
    for (let height = 1; height > 0; ) {
      const row = stack[--height]!;
      order[next++] = row;
      // The nearest one is the next.
      for (let at = (row + 1) * count - 1; at >= row * count; at--) {
        const other = to[at]!;
        if (other < 0 || isKnown[other]) continue;
        isKnown[other] = 1;
        stack[height++] = other;
      }
    }
  }
  return order;
}

/** The numbers from 0 to `count - 1`, sorted by ascending keys. Keys are integers from 0, and key times count must stay below 2⁵³. */
function byKey(count: number, keyOf: (number: number) => number): Uint32Array {
  const both = new Float64Array(count);
  for (let number = 0; number < count; number++) both[number] = keyOf(number) * count + number;
  both.sort();
  return Uint32Array.from(both, (key) => key % count);
}

/**
 * Prepares the search of vectors, and writes them as bytes to `into`. A function of its own, so that no variable keeps the vectors in memory during
 * the search.
 */
function indexOf(search: NeighbourSearch, vectors: Vectors, into: Vectors<Int8Array>): NeighbourIndex {
  packed(vectors, into.values);
  return search(vectors);
}

/**
 * Finds the neighbours of each row by topic vectors without searching all rows. The candidates are its neighbours by page vectors and the neighbours
 * of the nearest of these; then, in a second pass, the topical neighbours of its nearest topical neighbours (NN-descent; Dong, Moses and Li, 2011).
 * For 40,000 rows this takes two thirds of the time of a search, and it grows only linearly with the rows.
 */
function topicsNearPages(bytes: Vectors<Int8Array>, pages: Neighbours, order: Uint32Array): Neighbours {
  const compared = new FewCompared(bytes, order.length);
  const near = (all: Neighbours, row: number): Int32Array => all.to.subarray(row * count, (row + 1) * count);
  const first = new Nearest(order.length, count);
  for (const row of order) {
    compared.beginOwn(row);
    compared.offer(first, row, near(pages, row));
    offerNeighbours(compared, first, row, near(pages, row).subarray(0, guides), pages);
  }
  const found = first.found();
  const second = new Nearest(order.length, count);
  for (const row of order) {
    compared.beginOwn(row);
    // The candidates of the first pass are found already, or are not near.
    compared.leaveOut(near(pages, row));
    for (const page of near(pages, row).subarray(0, guides)) if (page >= 0) compared.leaveOut(near(pages, page));
    for (let at = row * count; at < (row + 1) * count && found.to[at]! >= 0; at++)
      second.offer(row, found.to[at]!, found.similarity[at]!);
    offerNeighbours(compared, second, row, near(found, row).subarray(0, guides), found);
  }
  return second.found();
}

const noNeighbours = (rows: number): Neighbours => ({
  count,
  to: new Int32Array(rows * count).fill(-1),
  similarity: new Float32Array(rows * count),
});

function put(into: Neighbours, first: number, { to, similarity }: Neighbours): void {
  into.to.set(to, first * count);
  into.similarity.set(similarity, first * count);
}

/** Searches for the rows that resemble nothing in the head among themselves, and adds what is found to their neighbours. */
async function compareOutsiders(
  search: NeighbourSearch,
  found: ListNeighbours,
  rows: readonly number[],
): Promise<void> {
  if (rows.length === 0) return;
  addOwn(found.page, await search(unitRows(found.pageVectors, rows)).among(count), rows);
  addOwn(found.topic, await search(unitRows(found.topicVectors, rows)).among(count), rows);
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
  putNeighbours(into, rows, nearest.found());
}

function putNeighbours(into: Neighbours, rows: readonly number[], { to, similarity }: Neighbours): void {
  const dimensions = into.count;
  putAt({ values: into.to, dimensions }, rows, { values: to, dimensions });
  putAt({ values: into.similarity, dimensions }, rows, { values: similarity, dimensions });
}

/** How many of a row's nearest rows are guides: their neighbours are probably near the row, too. */
const guides = 4;

/**
 * Finds the neighbours of rows of the tail in the head. A text that borrowed its meaning is compared only with its lenders and their neighbours; any
 * other text is searched for by its page vector. Neighbours by topic vectors are found among the page neighbours and the topical neighbours of the
 * nearest of these, in a tenth of the time of a second search.
 */
class TailSearch {
  private readonly index: NeighbourIndex;
  private readonly list: ListNeighbours;
  private readonly place: Uint32Array;
  private readonly pages: FewCompared;
  private readonly topics: FewCompared;

  /**
   * @param index finds rows of the head by page vectors
   * @param list with the neighbours of the head
   * @param place of each row of the head in {@link nearbyOrder}
   */
  constructor(index: NeighbourIndex, list: ListNeighbours, place: Uint32Array) {
    this.index = index;
    this.list = list;
    this.place = place;
    this.pages = new FewCompared(list.pageVectors, place.length);
    this.topics = new FewCompared(list.topicVectors, place.length);
  }

  /** @param bytes the same vectors as bytes */
  async of(
    vectors: FurtherVectors,
    bytes: Readonly<Record<'page' | 'topic', Vectors<Int8Array>>>,
  ): Promise<Pick<ListNeighbours, 'page' | 'topic'>> {
    const page = await this.nearPages(vectors, bytes.page);
    const { count } = page;
    const topic = new Nearest(rowCount(bytes.topic), count);
    for (const row of byKey(rowCount(bytes.topic), (row) => this.place[page.to[row * count]!] ?? 0)) {
      const near = page.to.subarray(row * count, (row + 1) * count);
      this.topics.begin(bytes.topic, row);
      this.topics.offer(topic, row, near);
      offerNeighbours(this.topics, topic, row, near.subarray(0, guides), this.list.topic);
    }
    return { page, topic: topic.found() };
  }

  private async nearPages({ page, lenders }: FurtherVectors, bytes: Vectors<Int8Array>): Promise<Neighbours> {
    const { count } = this.list.page;
    if (!lenders) return this.index.of(page, count);
    const nearest = new Nearest(rowCount(page), count);
    const rows = Array.from({ length: rowCount(page) }, (_, row) => row);
    const searched = rows.filter((row) => lenders[row * maxLenders]! < 0);
    for (const row of byKey(rows.length, (row) => this.place[lenders[row * maxLenders]!] ?? 0)) {
      const own = lenders.subarray(row * maxLenders, (row + 1) * maxLenders);
      if (own[0]! < 0) continue;
      this.pages.begin(bytes, row);
      this.pages.offer(nearest, row, own);
      offerNeighbours(this.pages, nearest, row, own, this.list.page);
    }
    const found = nearest.found();
    const others = await this.index.of(unitRows(page, searched), count);
    putNeighbours(found, searched, others);
    return found;
  }
}

/** Offers a row the neighbours of rows that are near it. @param near −1 for none */
function offerNeighbours(
  compared: FewCompared,
  nearest: Nearest,
  row: number,
  near: Int32Array,
  { count, to }: Neighbours,
): void {
  for (const other of near)
    if (other >= 0) compared.offer(nearest, row, to.subarray(other * count, (other + 1) * count));
}

/** A row of the tail is compared with this many other followers of each of its guides. */
const companions = 12;

/**
 * Improves the neighbours, in place, towards what comparing all rows would find. Rows of the tail become neighbours of rows of the head, and rows of
 * the tail that have a guide in common are compared with each other.
 */
function joinTail(list: ListNeighbours, place: Uint32Array): void {
  const head = place.length;
  const groups = followersOf(list.page, head);
  offerTailToHead(list.page, head);
  offerTailToHead(list.topic, head);
  const order = byKey(groups.near.length / guides, (row) => place[groups.near[row * guides]!] ?? 0);
  compareTail(list.page, list.pageVectors, groups, order, head);
  compareTail(list.topic, list.topicVectors, groups, order, head);
}

/**
 * The followers of each row of the head: the rows of the tail that have it as a guide. Those of row `h` are `row[offset[h]] … row[offset[h + 1] -
 * 1]`, counted from the start of the tail.
 */
type Followers = {
  readonly offset: Uint32Array;
  readonly row: Uint32Array;
  /**
   * Tail × {@link guides}: `near` is the guides of each row of the tail, and `place` where the row is in `row` as a follower of each; −1 for none.
   */
  readonly near: Int32Array;
  readonly place: Int32Array;
};

function followersOf({ count, to }: Neighbours, head: number): Followers {
  const tail = to.length / count - head;
  const near = new Int32Array(tail * guides);
  for (let row = 0; row < tail; row++)
    for (let at = 0; at < guides; at++) near[row * guides + at] = to[(head + row) * count + at]!;
  // Missing guides count as one more row, behind the head.
  const { offset, node } = membersOf({ of: near.map((row) => (row < 0 ? head : row)), count: head + 1 });
  const place = new Int32Array(near.length).fill(-1);
  for (let at = 0; at < offset[head]!; at++) place[node[at]!] = at;
  return { offset, row: node.map((at) => head + Math.floor(at / guides)), near, place };
}

/** Offers every row of the tail to its neighbours in the head. */
function offerTailToHead(neighbours: Neighbours, head: number): void {
  const { count, to, similarity } = neighbours;
  for (let at = head * count; at < to.length; at++)
    if (to[at]! >= 0 && to[at]! < head) offerTo(neighbours, to[at]!, Math.floor(at / count), similarity[at]!);
}

function compareTail(
  neighbours: Neighbours,
  vectors: Vectors<Int8Array>,
  { offset, row: followers, near, place }: Followers,
  order: Uint32Array,
  head: number,
): void {
  const compared = new FewCompared(vectors, rowCount(vectors));
  const target = { offer: (row: number, other: number, value: number) => offerTo(neighbours, row, other, value) };
  for (const index of order) {
    const row = head + index;
    compared.beginOwn(row);
    for (let at = index * guides; at < (index + 1) * guides; at++) {
      if (place[at]! < 0) continue;
      // The followers around its place. If these were always the first ones, all of many followers would be compared with the same few.
      const [first, end] = [offset[near[at]!]!, offset[near[at]! + 1]!];
      const start = Math.max(first, Math.min(place[at]! - companions / 2, end - companions - 1));
      compared.offer(target, row, followers.subarray(start, Math.min(end, start + companions + 1)));
    }
  }
}

/** Copies some of the rows, scaled to length 1. */
const unitRows = (vectors: Vectors<Int8Array | Float32Array>, rows: readonly number[]): Vectors =>
  normalised(rowsAt(vectors, rows, new Float32Array(rows.length * vectors.dimensions)));

/** The neighbours of all rows by page vectors and by topic vectors (see `TextVectors`), and these vectors as bytes. */
export type ListNeighbours = {
  readonly page: Neighbours;
  readonly topic: Neighbours;
  readonly pageVectors: Vectors<Int8Array>;
  readonly topicVectors: Vectors<Int8Array>;
};
