import { membersOf } from '../communities/partition.ts';
import { lengthOf, normalised, rowCount, type Vectors } from '../features/vectors.ts';
import { FewCompared } from '../neighbours/few-compared.ts';
import { Nearest, offerTo } from '../neighbours/nearest.ts';
import type { NeighbourIndex, Neighbours } from '../neighbours/neighbours.ts';
import { mostLenders } from './borrowed-meaning.ts';
import type { ListNeighbours } from './found-neighbours.ts';
import type { FurtherVectors } from './text-features.ts';

/** What the nearest ones of a row are near to may be near to the row. */
const guides = 4;

/**
 * Finds neighbours of the tail in the head. What borrowed its meaning is near its lenders, and so are their neighbours;
 * everything else is searched for among pages. The nearest topics are found among those of the nearest pages. That takes a
 * tenth of the time of another search.
 */
export class TailSearch {
  private readonly index: NeighbourIndex;
  private readonly list: ListNeighbours;
  private readonly pages: FewCompared;
  private readonly topics: FewCompared;

  /**
   * @param index of the head by pages
   * @param list with the neighbours of the head
   */
  constructor(index: NeighbourIndex, list: ListNeighbours, head: number) {
    this.index = index;
    this.list = list;
    this.pages = new FewCompared(list.pageVectors, head);
    this.topics = new FewCompared(list.topicVectors, head);
  }

  async of(vectors: FurtherVectors): Promise<Pick<ListNeighbours, 'page' | 'topic'>> {
    const page = await this.nearPages(vectors);
    const { count } = page;
    const topic = new Nearest(rowCount(vectors.topic), count);
    for (let row = 0; row < rowCount(vectors.topic); row++) {
      const near = page.to.subarray(row * count, (row + 1) * count);
      this.topics.begin(vectors.topic, row);
      this.topics.offer(topic, row, near);
      offerNeighbours(this.topics, topic, row, near.subarray(0, guides), this.list.topic);
    }
    return { page, topic: topic.found() };
  }

  private async nearPages({ page, lenders }: FurtherVectors): Promise<Neighbours> {
    const { count } = this.list.page;
    if (!lenders) return this.index.of(page, count);
    const nearest = new Nearest(rowCount(page), count);
    const searched: number[] = [];
    for (let row = 0; row < rowCount(page); row++) {
      const own = lenders.subarray(row * mostLenders, (row + 1) * mostLenders);
      if (own[0]! < 0) {
        searched.push(row);
        continue;
      }
      this.pages.begin(page, row);
      this.pages.offer(nearest, row, own);
      offerNeighbours(this.pages, nearest, row, own, this.list.page);
    }
    const found = nearest.found();
    const others = await this.index.of(rowsOf(page, searched), count);
    searched.forEach((row, at) => {
      found.to.set(others.to.subarray(at * count, (at + 1) * count), row * count);
      found.similarity.set(others.similarity.subarray(at * count, (at + 1) * count), row * count);
    });
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
export function joinTail(list: ListNeighbours, head: number): void {
  const groups = followersOf(list.page, head);
  tellHead(list.page, head);
  tellHead(list.topic, head);
  compareTail(list.page, list.pageVectors, groups, head);
  compareTail(list.topic, list.topicVectors, groups, head);
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
  head: number,
): void {
  const { dimensions } = vectors;
  const rows = rowCount(vectors);
  const compared = new FewCompared(vectors, rows);
  const own: Vectors = { values: new Float32Array(dimensions), dimensions };
  const target = { offer: (row: number, other: number, value: number) => offerTo(neighbours, row, other, value) };
  for (let row = head; row < rows; row++) {
    const length = lengthOf(vectors, row) || 1;
    for (let at = 0; at < dimensions; at++) own.values[at] = vectors.values[row * dimensions + at]! / length;
    compared.begin(own, 0, row);
    for (let at = (row - head) * guides; at < (row - head + 1) * guides; at++) {
      if (place[at]! < 0) continue;
      // Those beside it: all of a long line would otherwise be compared with the same few.
      const [first, end] = [offset[near[at]!]!, offset[near[at]! + 1]!];
      const start = Math.max(first, Math.min(place[at]! - companions / 2, end - companions - 1));
      compared.offer(target, row, followers.subarray(start, Math.min(end, start + companions + 1)));
    }
  }
}

/** Some of the rows, of length 1. */
export function rowsOf({ values, dimensions }: Vectors<Int8Array | Float32Array>, rows: readonly number[]): Vectors {
  const some = new Float32Array(rows.length * dimensions);
  rows.forEach((row, index) => {
    some.set(values.subarray(row * dimensions, (row + 1) * dimensions), index * dimensions);
  });
  return normalised({ values: some, dimensions });
}
