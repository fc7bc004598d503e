import { pageOf } from '@kc/pack/shared-urls/results';
import type { Postings } from './postings.ts';
import type { TextColumn } from './text-column.ts';

/**
 * The level of the page of each keyword's best address. Its values are paths, "/" for the home page, with the host before them if the pages have
 * several hosts.
 */
export function pageLevel(urls: Postings): TextColumn {
  const parts = urls.names.map(partsOf);
  const hasHosts = hostsOf(parts) > 1;
  const names = parts.map(({ host, segments, query }) => `${hasHosts ? host : ''}/${segments.join('/')}${query}`);
  return levelOf(bestAddresses(urls), names);
}

/**
 * The levels of the folders of each keyword's page, by the segments of its path: "blog" above "tools" for `/blog/tools/x` and two levels. The home
 * page is "/". If the pages have several hosts, these are the level above.
 *
 * @param depth the number of segments, 1 to 3
 */
export function folderLevels(urls: Postings, depth: number): TextColumn[] {
  const best = bestAddresses(urls);
  const parts = urls.names.map(partsOf);
  const folders = Array.from({ length: depth }, (_, at) =>
    levelOf(
      best,
      parts.map(({ segments }) => segments[at] ?? (at === 0 ? '/' : undefined)),
    ),
  );
  const hosts = parts.map(({ host }) => host);
  return hostsOf(parts) > 1 ? [levelOf(best, hosts), ...folders] : folders;
}

const hostsOf = (parts: readonly UrlParts[]): number => new Set(parts.map(({ host }) => host)).size;

/** @param names the group of each address; undefined for none. Groups without keywords are left out. */
function levelOf(best: Int32Array, names: readonly (string | undefined)[]): TextColumn {
  const codes = new Map<string, number>();
  const codeOf = (name: string): number => {
    const code = codes.get(name) ?? codes.size;
    codes.set(name, code);
    return code;
  };
  const of = best.map((url) => {
    const name = names[url];
    return name === undefined ? -1 : codeOf(name);
  });
  return { values: [...codes.keys()], codes: of };
}

/** The best address of each keyword: the one with most clicks, then with the best position, then the first; −1 for none. */
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

type UrlParts = { readonly host: string; readonly segments: readonly string[]; readonly query: string };

/** What tells pages apart: without scheme, `www.`, trailing slash, fragment and tracking parameters. */
function partsOf(url: string): UrlParts {
  const [, host = '', path = '', query = ''] = /^([^/?]*)(\/[^?]*)?(\?.*)?$/su.exec(pageOf(url)) ?? [];
  return { host, segments: readable(path).split('/').filter(Boolean), query };
}

/** Decodes percent-encoded letters, unless they are malformed. */
function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
