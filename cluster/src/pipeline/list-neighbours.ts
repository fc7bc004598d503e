import { membersOf } from '../communities/partition.ts';
import { plainRoom, type RowRoom } from '../features/row-products.ts';
import { normalised, packed, putAt, rowCount, rowsAt, type Vectors } from '../features/vectors.ts';
import { FewCompared, Nearest, offerTo } from '../neighbours/nearest.ts';
import type { NeighbourIndex, NeighbourSearch, Neighbours } from '../neighbours/neighbours.ts';
import { type FurtherVectors, maxLenders, type TextFeatures } from './text-features.ts';

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
 * @param room where the vectors of all rows are put
 */
export async function listNeighbours(
  search: NeighbourSearch,
  features: TextFeatures,
  tail: readonly string[],
  least: number,
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
      if (near.page.similarity[at * count]! < least) outside.push(head + first + at);
  }
  joinTail(found, place);
  await compareOutsiders(search, found, outside);
  return found;
}

/** Room takes no memory before something is put there. */
const roomFor = (rows: number, dimensions: TextFeatures['dimensions'], room: RowRoom): ListNeighbours => ({
  page: noNeighbours(rows),
  topic: noNeighbours(rows),
  pageVectors: room(rows, dimensions.page),
  topicVectors: room(rows, dimensions.topic),
});

/**
 * Finds the neighbours of the head.
 *
 * @returns the head as pages see it, to be searched; and the place of each of its rows in an order in which neighbours are near
 *   each other
 */
async function findHead(
  search: NeighbourSearch,
  features: TextFeatures,
  found: ListNeighbours,
  hasTail: boolean,
): Promise<{ readonly index: NeighbourIndex; readonly place: Uint32Array }> {
  const index = indexOf(search, features.take('page'), found.pageVectors);
  // Before the search: nobody needs afterwards what the vectors are made of.
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
 * Rows in an order in which most stand beside a neighbour (depth first). They are compared in this order, which changes nothing but
 * the time: what one was compared with is still in the processor's cache when the next one needs it.
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

/** The numbers from 0 to `count - 1` by rising keys; keys times numbers stay below 2⁵³. */
function byKey(count: number, keyOf: (number: number) => number): Uint32Array {
  const both = new Float64Array(count);
  for (let number = 0; number < count; number++) both[number] = keyOf(number) * count + number;
  both.sort();
  return Uint32Array.from(both, (key) => key % count);
}

/** Rows to be searched; the same as bytes are put elsewhere. A function of its own, so that nothing keeps the vectors during the search. */
function indexOf(search: NeighbourSearch, vectors: Vectors, into: Vectors<Int8Array>): NeighbourIndex {
  packed(vectors, into.values);
  return search(vectors);
}

/**
 * The nearest topics of each row among its nearest pages and theirs, and then once more among the nearest topics of its nearest topics
 * (Dong, Moses and Li, 2011). Of 40,000 rows that takes two thirds of the time of another search, and grows with the rows
 * alone.
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
    // What was compared before is found already, or is not near.
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

/** Adds neighbours among each other to rows that resemble nothing in the head. */
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

/** What the nearest ones of a row are near to may be near to the row. */
const guides = 4;

/**
 * Finds neighbours of the tail in the head. What borrowed its meaning is near its lenders, and so are their neighbours;
 * everything else is searched for among pages. The nearest topics are found among those of the nearest pages. That takes a
 * tenth of the time of another search.
 */
class TailSearch {
  private readonly index: NeighbourIndex;
  private readonly list: ListNeighbours;
  private readonly place: Uint32Array;
  private readonly pages: FewCompared;
  private readonly topics: FewCompared;

  /**
   * @param index of the head by pages
   * @param list with the neighbours of the head
   * @param place see {@link nearbyOrder}
   */
  constructor(index: NeighbourIndex, list: ListNeighbours, place: Uint32Array) {
    this.index = index;
    this.list = list;
    this.place = place;
    this.pages = new FewCompared(list.pageVectors, place.length);
    this.topics = new FewCompared(list.topicVectors, place.length);
  }

  /** @param bytes the same vectors */
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

/** Offers the neighbours of rows that are near. */
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

/** Of those that have a neighbour in common with a row, so many are compared with it. */
const companions = 12;

/**
 * Brings neighbours closer to what comparing all rows would find, in place: the head hears of the tail, and rows of the
 * tail are compared with those that have one of their nearest neighbours in common.
 */
function joinTail(list: ListNeighbours, place: Uint32Array): void {
  const head = place.length;
  const groups = followersOf(list.page, head);
  tellHead(list.page, head);
  tellHead(list.topic, head);
  const order = byKey(groups.near.length / guides, (row) => place[groups.near[row * guides]!] ?? 0);
  compareTail(list.page, list.pageVectors, groups, order, head);
  compareTail(list.topic, list.topicVectors, groups, order, head);
}

/** The rows of the tail that each row of the head is one of the nearest of. */
type Followers = {
  readonly offset: Uint32Array;
  readonly row: Uint32Array;
  /** Tail × {@link guides}: the nearest rows of each in the head, and where it stands among their followers; −1 for none. */
  readonly near: Int32Array;
  readonly place: Int32Array;
};

function followersOf({ count, to }: Neighbours, head: number): Followers {
  const tail = to.length / count - head;
  const near = new Int32Array(tail * guides);
  for (let row = 0; row < tail; row++)
    for (let at = 0; at < guides; at++) near[row * guides + at] = to[(head + row) * count + at]!;
  // What has no neighbour follows one more.
  const { offset, node } = membersOf({ of: near.map((row) => (row < 0 ? head : row)), count: head + 1 });
  const place = new Int32Array(near.length).fill(-1);
  for (let at = 0; at < offset[head]!; at++) place[node[at]!] = at;
  return { offset, row: node.map((at) => head + Math.floor(at / guides)), near, place };
}

/** Offers every row of the tail to its neighbours in the head. */
function tellHead(neighbours: Neighbours, head: number): void {
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
      // Those beside it: all of a long line would otherwise be compared with the same few.
      const [first, end] = [offset[near[at]!]!, offset[near[at]! + 1]!];
      const start = Math.max(first, Math.min(place[at]! - companions / 2, end - companions - 1));
      compared.offer(target, row, followers.subarray(start, Math.min(end, start + companions + 1)));
    }
  }
}

/** Some of the rows, of length 1. */
const unitRows = (vectors: Vectors<Int8Array | Float32Array>, rows: readonly number[]): Vectors =>
  normalised(rowsAt(vectors, rows, new Float32Array(rows.length * vectors.dimensions)));

/** Neighbours among pages and among topics, and the vectors they were found by. */
export type ListNeighbours = {
  readonly page: Neighbours;
  readonly topic: Neighbours;
  readonly pageVectors: Vectors<Int8Array>;
  readonly topicVectors: Vectors<Int8Array>;
};
