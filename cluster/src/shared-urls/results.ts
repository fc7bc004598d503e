import { normalUrl } from '@kc/pack/warnings/normal-url';

/** The result URLs of each keyword as numbers: those of keyword `i` are `url[offset[i]] … url[offset[i + 1] - 1]`. */
export type Results = {
  /** One more than there are keywords. */
  readonly offset: Uint32Array;
  /** Numbers from 0; a keyword has each at most once. */
  readonly url: Uint32Array;
  /** How many different URLs there are. */
  readonly urls: number;
};

/**
 * Numbers URLs. URLs of one page count as one, whatever the scheme, `www.`, a trailing slash, the fragment and tracking
 * parameters. A host name alone is a URL, too.
 *
 * @param lists the URLs of each keyword, best first
 * @param most only so many of each keyword count
 */
export function resultsOf(lists: readonly (readonly string[])[], most = 10): Results {
  const numbers = new Map<string, number>();
  const url: number[] = [];
  const offset = new Uint32Array(lists.length + 1);
  lists.forEach((list, keyword) => {
    const seen = new Set<number>();
    for (const text of list) {
      if (seen.size === most) break;
      const page = pageOf(text);
      if (page === '') continue;
      const number = numbers.get(page) ?? numbers.size;
      numbers.set(page, number);
      if (seen.has(number)) continue;
      seen.add(number);
      url.push(number);
    }
    offset[keyword + 1] = url.length;
  });
  return { offset, url: Uint32Array.from(url), urls: numbers.size };
}

/** What all URLs of a page have in common; empty for the URL of none. */
export function pageOf(url: string): string {
  const page = normalUrl(url);
  return page === '/' ? '' : page;
}
