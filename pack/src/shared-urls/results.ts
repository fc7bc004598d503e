/** The member of a keyword's entry that holds the URLs of its search results, best first. */
export const resultsMember = 'serp_urls';

/** The result URLs of each keyword as numbers: those of keyword `i` are `url[offset[i]] … url[offset[i + 1] - 1]`. */
export type Results = {
  /** One element more than there are keywords. */
  readonly offset: Uint32Array;
  /** Numbers from 0; a keyword has each at most once. */
  readonly url: Uint32Array;
  /** The URLs by number, as `normalUrl` writes them. */
  readonly texts: readonly string[];
};

/**
 * Numbers URLs. URLs of one page count as one, whatever the scheme, `www.`, a trailing slash, the fragment and tracking
 * parameters. A host name alone is a URL, too.
 *
 * @param lists the URLs of each keyword, best first
 * @param maxResults the maximum number of URLs that count for each keyword
 */
export function resultsOf(lists: readonly (readonly string[])[], maxResults = topResults): Results {
  const numbered = new NumberedResults(maxResults);
  for (const list of lists) numbered.add(list);
  return numbered.done();
}

/** By default, only the first page of results counts. */
const topResults = 10;

/** Builds {@link Results} keyword by keyword; see {@link resultsOf}. */
export class NumberedResults {
  readonly #numbers = new Map<string, number>();
  readonly #url: number[] = [];
  readonly #offset = [0];
  readonly #maxResults: number;

  constructor(maxResults = topResults) {
    this.#maxResults = maxResults;
  }

  /** Adds the next keyword. @param list its URLs, best first */
  add(list: readonly string[]): void {
    const seen = new Set<number>();
    for (const text of list) {
      if (seen.size === this.#maxResults) break;
      const page = pageOf(text);
      if (page === '') continue;
      const number = this.#numbers.get(page) ?? this.#numbers.size;
      this.#numbers.set(page, number);
      if (seen.has(number)) continue;
      seen.add(number);
      this.#url.push(number);
    }
    this.#offset.push(this.#url.length);
  }

  done(): Results {
    return {
      offset: Uint32Array.from(this.#offset),
      url: Uint32Array.from(this.#url),
      texts: [...this.#numbers.keys()],
    };
  }
}

/** The text that all URLs of a page have in common; empty for a text that is not a URL of a page. */
export function pageOf(url: string): string {
  const page = normalUrl(url);
  return page === '/' ? '' : page;
}

/**
 * The normal form in which URLs are compared: without scheme, `www.`, fragment, parameters that begin with `utm_`, and slashes at the end
 * of the path; the host in lower case.
 */
export function normalUrl(url: string): string {
  const bare = url.trim().replace(/^[a-z][a-z\d+.-]*:\/\/|^\/\//iu, '');
  const [address = ''] = bare.split('#', 1);
  const at = address.indexOf('?');
  const page = at < 0 ? address : address.slice(0, at);
  const parameters = at < 0 ? [] : address.slice(at + 1).split('&');
  const significant = parameters.filter((parameter) => parameter !== '' && !/^utm_/iu.test(parameter));
  const slash = page.indexOf('/');
  const host = (slash < 0 ? page : page.slice(0, slash)).toLowerCase().replace(/^www\./u, '');
  const path = slash < 0 ? '' : page.slice(slash).replace(/(?<!\/)\/+$/u, '');
  const text = `${host}${path}` || '/';
  return significant.length > 0 ? `${text}?${significant.join('&')}` : text;
}
