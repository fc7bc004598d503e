import { eachPiece, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { orderOfNumbers } from '../format/order-of-numbers.ts';

/**
 * The URLs that rank for the keywords of a file, as lists: list `n` has the entries from `starts[n]` to before
 * `starts[n + 1]`, each URL once, the best position first.
 */
export type RankedUrls = {
  /** By node: the list of its keyword; `noRow` if that has no URL. */
  readonly listOf: Uint32Array;
  readonly starts: Uint32Array;
  /** The number of the URL. */
  readonly urls: Uint32Array;
  /** NaN if unknown. */
  readonly positions: Float32Array;
  /** The URLs by number, as `normalUrl` writes them; empty for one that no warning can be about. */
  readonly texts: readonly string[];
};

/** What was read, one element for each entry with a URL. Positions and impressions are NaN where unknown. */
export type UrlEntries = {
  readonly lists: number[];
  readonly urls: number[];
  readonly positions: number[];
  readonly impressions: number[];
};

type Numbered = {
  readonly listOf: Uint32Array;
  /** The number of lists of keywords. A list from there on is that of one node, by its row. */
  readonly lists: number;
  readonly texts: readonly string[];
};

/**
 * Combines the entries of each list: one position for each URL, weighted by impressions where they are known, otherwise
 * the plain mean.
 *
 * @param numbered `listOf` is changed where a node has a URL of its own
 */
export async function rankUrls(
  entries: UrlEntries,
  { listOf, lists, texts }: Numbered,
  pause: Pause,
): Promise<RankedUrls> {
  const order = await orderOfNumbers(entries.lists, pause);
  const between = pauseBetween(pause);
  const starts: number[] = [0];
  const urls: number[] = [];
  const positions: number[] = [];
  const listsWithUrls = new Map<number, number>();
  const isTold = new Uint8Array(texts.length);
  for (let from = 0; from < order.length; ) {
    const list = entries.lists[order[from]!]!;
    let end = from;
    while (end < order.length && entries.lists[order[end]!] === list) end++;
    const ranked = rankList(entries, order.subarray(from, end));
    await between(8 * (end - from));
    for (const { url, position } of ranked) {
      urls.push(url);
      positions.push(position);
      isTold[url] = ranked.length > 1 || isTold[url] !== 0 ? 2 : 1;
    }
    listsWithUrls.set(list, starts.length - 1);
    starts.push(urls.length);
    from = end;
  }
  await eachPiece(listOf.length, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      const own = listsWithUrls.get(lists + row);
      listOf[row] = own ?? listsWithUrls.get(listOf[row]!) ?? 0xffffffff;
    }
  });
  return {
    listOf,
    starts: Uint32Array.from(starts),
    urls: Uint32Array.from(urls),
    positions: Float32Array.from(positions),
    texts: texts.map((text, url) => (isTold[url] === 2 ? text : '')),
  };
}

type Ranked = { readonly url: number; readonly position: number };

function rankList({ urls, positions, impressions }: UrlEntries, some: Uint32Array): Ranked[] {
  if (some.length === 1) return [{ url: urls[some[0]!]!, position: positions[some[0]!]! }];
  const found = new Map<number, { sum: number; weight: number; plain: number; known: number }>();
  for (const at of some) {
    const sums = found.get(urls[at]!) ?? { sum: 0, weight: 0, plain: 0, known: 0 };
    found.set(urls[at]!, sums);
    const position = positions[at]!;
    if (Number.isNaN(position)) continue;
    const weight = impressions[at]! || 0;
    sums.sum += weight * position;
    sums.weight += weight;
    sums.plain += position;
    sums.known++;
  }
  const ranked = Array.from(found, ([url, { sum, weight, plain, known }]) => ({
    url,
    position: weight > 0 ? sum / weight : plain / known,
  }));
  const rank = ({ position }: Ranked) => (Number.isNaN(position) ? Number.POSITIVE_INFINITY : position);
  // Infinity minus itself is NaN, which `|| 0` turns into a tie, so the order of the file stays.
  return ranked.sort((one, other) => rank(one) - rank(other) || 0);
}
