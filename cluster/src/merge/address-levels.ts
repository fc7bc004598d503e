import type { Postings } from './postings.ts';
import type { TextColumn } from './text-column.ts';

/** The page of each keyword, by its best address. */
export function pageLevel(urls: Postings): TextColumn {
  return { values: urls.names, codes: bestAddresses(urls) };
}

/**
 * The folders of each keyword's page, by the segments of its path: "blog" above "tools" for `/blog/tools/x` and two
 * levels. The home page is "/". If the pages have several hosts, these stand above.
 *
 * @param depth the number of segments, 1 to 3
 */
export function folderLevels(urls: Postings, depth: number): TextColumn[] {
  const best = bestAddresses(urls);
  const parts = urls.names.map(partsOf);
  const hosts = new Set(parts.map(([host]) => host));
  const from = hosts.size > 1 ? 0 : 1;
  return Array.from({ length: depth + 1 - from }, (_, at) => {
    const segments = parts.map((part) => part[from + at]);
    const values = [...new Set(segments.filter((segment) => segment !== undefined))];
    const codes = new Map(values.map((value, code) => [value, code]));
    return {
      values,
      codes: best.map((url) => (url < 0 ? -1 : (codes.get(segments[url] ?? '') ?? -1))),
    };
  });
}

/** The address of each keyword with most clicks, then with the best position, then the first; −1 for none. */
export function bestAddresses({ start, url, clicks, position }: Postings): Int32Array {
  const best = new Int32Array(start.length - 1).fill(-1);
  for (let keyword = 0; keyword < best.length; keyword++) {
    let top = -1;
    for (let at = start[keyword]!; at < start[keyword + 1]!; at++) if (top < 0 || isBetter(at, top)) top = at;
    if (top >= 0) best[keyword] = url[top]!;
  }
  return best;

  function isBetter(at: number, top: number): boolean {
    const more = (clicks[at] || 0) - (clicks[top] || 0);
    if (more !== 0) return more > 0;
    return (position[at] || Number.POSITIVE_INFINITY) < (position[top] || Number.POSITIVE_INFINITY);
  }
}

/** The host, then the segments of the path. */
function partsOf(url: string): string[] {
  const [, host = '', path = ''] = /^(?:[a-z]+:\/\/)?(?:www\.)?([^/?#]*)([^?#]*)/iu.exec(url) ?? [];
  const segments = path.split('/').filter(Boolean);
  return [host.toLowerCase(), ...(segments.length > 0 ? segments : ['/'])];
}
