import type { Results } from './results.ts';

/** URLs that more keywords have than this say nothing about any of them: encyclopedias, shops, video sites. */
export const maxKeywordsOf = (keywords: number): number => Math.max(200, Math.floor(0.002 * keywords));

/** Calls `visit` with each other keyword that shares URLs with `keyword`, and the number of these URLs. */
export type UrlSharing = (keyword: number, visit: (other: number, shared: number) => void) => void;

/**
 * Prepares finding the keywords that share URLs, by an inverted index. A keyword is compared only with those that share a URL, so a call takes
 * time linear in the keywords of its URLs. Other keywords are visited in the order in which their first shared URL ranks.
 *
 * @param maxKeywords a URL of more keywords does not count
 */
export function sharingOf(results: Results, maxKeywords = maxKeywordsOf(results.offset.length - 1)): UrlSharing {
  const keywords = results.offset.length - 1;
  const { first, keyword: keywordsOf } = invertedIndex(results);
  const shared = new Uint16Array(keywords);
  const sharers = new Uint32Array(keywords);
  return (row, visit) => {
    let count = 0;
    for (let at = results.offset[row]!; at < results.offset[row + 1]!; at++) {
      const url = results.url[at]!;
      const end = first[url + 1]!;
      if (end - first[url]! > maxKeywords) continue;
      for (let place = first[url]!; place < end; place++) {
        const other = keywordsOf[place]!;
        if (shared[other] === 0) sharers[count++] = other;
        shared[other]!++;
      }
    }
    for (let index = 0; index < count; index++) {
      const other = sharers[index]!;
      if (other !== row) visit(other, shared[other]!);
      shared[other] = 0;
    }
  };
}

/** The keywords of each URL, in order: those of URL `u` are `keyword[first[u]] … keyword[first[u + 1] - 1]`. */
function invertedIndex({ offset, url, texts }: Results): {
  readonly first: Uint32Array;
  readonly keyword: Uint32Array;
} {
  const first = new Uint32Array(texts.length + 1);
  for (const one of url) first[one + 1]!++;
  for (let one = 0; one < texts.length; one++) first[one + 1]! += first[one]!;
  const next = first.slice(0, -1);
  const keyword = new Uint32Array(url.length);
  for (let row = 0; row + 1 < offset.length; row++)
    for (let at = offset[row]!; at < offset[row + 1]!; at++) keyword[next[url[at]!]!++] = row;
  return { first, keyword };
}
