import { rowCount, type Vectors } from '../features/vectors.ts';
import { Nearest, product } from '../neighbours/nearest.ts';
import type { NeighbourSearch, Neighbours } from '../neighbours/neighbours.ts';

/** Neighbours of each row, on both graphs. */
const count = 15;
/** Above so many rows, the second graph is made of the candidates of the first. */
const mostSearchedTwice = 20_000;
const candidates = 30;

export type ListNeighbours = { readonly page: Neighbours; readonly topic: Neighbours };

/** The neighbours among pages and among topics. A second search would double the time of a long list. */
export function listNeighbours(search: NeighbourSearch, page: Vectors, topic: Vectors): ListNeighbours {
  if (rowCount(page) <= mostSearchedTwice)
    return { page: search.among(page, count), topic: search.among(topic, count) };
  const wide = search.among(page, candidates);
  return { page: nearestOf(wide), topic: reweighted(wide, topic) };
}

function nearestOf({ count: width, to, similarity }: Neighbours): Neighbours {
  const isFirst = (_: number, at: number) => at % width < count;
  return { count, to: to.filter(isFirst), similarity: similarity.filter(isFirst) };
}

function reweighted(wide: Neighbours, { values, dimensions }: Vectors): Neighbours {
  const nearest = new Nearest(wide.to.length / wide.count, count);
  wide.to.forEach((other, at) => {
    const row = Math.floor(at / wide.count);
    if (other >= 0)
      nearest.offer(row, other, product(values, row * dimensions, values, other * dimensions, dimensions));
  });
  return nearest.found();
}
