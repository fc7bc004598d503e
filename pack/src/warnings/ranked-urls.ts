import { type EntryUrl, entryUrl, mayHaveUrls } from '../detail/entry-url.ts';
import type { OriginalMembers } from '../detail/original.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { eachPiece, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { batchesOf } from '../format/locate.ts';
import { entryRanges } from '../format/merged-ranges.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { orderOfNumbers } from '../format/order-of-numbers.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { normalUrl } from '../shared-urls/results.ts';
import { addPosition, mergedPosition, noPositions, type Positions } from '../upload/merged-position.ts';

/**
 * All URLs that rank for the keywords of a file; undefined if the file has none. A pack has at most one URL for each keyword, and none if a
 * file has many, so they are read from the file.
 *
 * Read once and cached by the open pack, not by filter: 4 bytes per node, 8 for each keyword with each of its URLs, and
 * the texts of URLs that rank for several keywords.
 * Cost: the entries of all keywords are parsed again, in the order of the file and in pieces; nothing for a file that
 * has no member with a URL.
 *
 * @param pack without a filter
 */
export function rankedUrls(pack: PackReader, original: ByteSource, pause: Pause): Promise<RankedUrls | undefined> {
  return urlsOfPack(pack, { original, pause });
}

const urlsOfPack = oncePerPack((pack: PackReader, { original, pause }: { original: ByteSource; pause: Pause }) =>
  readUrls(pack, original, pause),
);

async function readUrls(pack: PackReader, original: ByteSource, pause: Pause): Promise<RankedUrls | undefined> {
  if (!mayHaveUrls(pack)) return undefined;
  const listOf = new Uint32Array(pack.metadata.nodes).fill(noRow);
  const { pieces, lists } = await findPieces(pack, listOf, pause);
  const numbers = new Map<string, number>();
  const entries: UrlEntries = { lists: [], urls: [], positions: [], impressions: [] };
  await eachEntry(original, pieces, pause, urlIn, (list, { url, position, impressions }) => {
    const text = normalUrl(url);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    entries.lists.push(list);
    entries.urls.push(number);
    entries.positions.push(position);
    entries.impressions.push(impressions);
  });
  if (numbers.size === 0) return undefined;
  return rankUrls(entries, { listOf, lists, texts: [...numbers.keys()] }, pause);
}

/** Byte ranges of the original, and the list that each belongs to, in file order. */
export type Pieces = { readonly starts: Uint32Array; readonly ends: Uint32Array; readonly lists: Uint32Array };

const rowsAtATime = 4096;

/**
 * Finds where the URLs of keywords can be: in the entries of every keyword, and in nodes without children, which may have a URL of their own.
 * What belongs together has a list number: the entries of the n-th keyword have list `n`, and the node in row `r` has list `lists + r`.
 *
 * @param listOf receives the list of each node's keyword, by row
 * @returns `lists`: the number of keywords
 */
export async function findPieces(
  pack: PackReader,
  listOf: Uint32Array,
  pause: Pause,
): Promise<{ readonly pieces: Pieces; readonly lists: number }> {
  const [isKeyword, branch, nodeStart, nodeEnd, keywordStart] = [
    await pack.column('is_keyword'),
    await pack.column('branch'),
    await pack.column('node_start'),
    await pack.column('node_end'),
    await pack.column('keyword_start'),
  ];
  const starts: number[] = [];
  const ends: number[] = [];
  const lists: number[] = [];
  const add = (start: number, end: number, list: number) => {
    starts.push(start);
    ends.push(end);
    lists.push(list);
  };
  const given = new Set<number>();
  /** The list of a keyword by the start of its first entry. */
  const listAt = new Map<number, number>();
  const { nodes } = pack.metadata;
  for (const all of batchesOf({ start: 0, end: nodes }, rowsAtATime)) {
    const rows = all.filter((row) => isKeyword[row] === 1 && keywordStart !== undefined);
    await pause();
    for (const [at, ranges] of (await entryRanges(pack, rows, pause, given)).entries()) {
      const first = ranges[0];
      if (!first) continue;
      const known = listAt.get(first.start);
      const list = known ?? listAt.size;
      listAt.set(first.start, list);
      listOf[rows[at]!] = list;
      for (const { start, end } of known === undefined ? ranges : ranges.slice(1)) add(start, end, list);
    }
  }
  const keywords = listAt.size;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) {
      if (isKeyword[row] === 1 && branch[row] === branch[row + 1]) add(nodeStart[row]!, nodeEnd[row]!, keywords + row);
    }
  });
  const order = await orderOfNumbers(starts, pause);
  const pick = async (values: readonly number[]): Promise<Uint32Array> => {
    const picked = new Uint32Array(order.length);
    await eachPiece(order.length, pause, (from, end) => {
      for (let at = from; at < end; at++) picked[at] = values[order[at]!]!;
    });
    return picked;
  };
  return { pieces: { starts: await pick(starts), ends: await pick(ends), lists: await pick(lists) }, lists: keywords };
}

/** Adjacent pieces are read together, at most this many bytes at a time. */
const readAtOnce = 1024 * 1024;
/** Longer than any entry that a tool writes. */
const maxEntryBytes = 1024 * 1024;
/** Every spelling of the member contains one of these. */
const mayNameUrl = /url|page/iu;

/** Reads some pieces of the original, in file order. @param read finds what is wanted in the text of an entry, for `work` */
export async function eachEntry<Found>(
  original: ByteSource,
  { starts, ends, lists }: Pieces,
  pause: Pause,
  read: (text: string) => Found | undefined,
  work: (list: number, found: Found) => void,
): Promise<void> {
  for (let at = 0; at < starts.length; ) {
    const start = starts[at]!;
    let last = at;
    while (last + 1 < starts.length && ends[last + 1]! - start <= readAtOnce) last++;
    const length = ends[last]! - start;
    await pause();
    if (length <= maxEntryBytes) {
      const textOf = textsOf(await original.read(start, length));
      for (let index = at; index <= last; index++) {
        const found = read(textOf(starts[index]! - start, ends[index]! - start));
        if (found) work(lists[index]!, found);
      }
    }
    at = last + 1;
  }
}

/** Decodes parts of some bytes. If all bytes are ASCII, they are decoded at once, because byte and text positions are the same. */
function textsOf(bytes: Uint8Array): (start: number, end: number) => string {
  const decoder = new TextDecoder();
  const all = decoder.decode(bytes);
  if (all.length === bytes.length) return (start, end) => all.slice(start, end);
  return (start, end) => decoder.decode(bytes.subarray(start, end));
}

function urlIn(text: string): EntryUrl | undefined {
  if (!mayNameUrl.test(text)) return undefined;
  const members: unknown = JSON.parse(text);
  return typeof members === 'object' && members !== null && !Array.isArray(members)
    ? entryUrl(members as OriginalMembers)
    : undefined;
}

/**
 * The URLs that rank for the keywords of a file, as lists. List `n` has the elements from `starts[n]` to before
 * `starts[n + 1]`: each URL once, best position first.
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

/** What was read, as columns with one element for each entry with a URL. Positions and impressions are NaN if unknown. */
type UrlEntries = {
  readonly lists: number[];
  readonly urls: number[];
  readonly positions: number[];
  readonly impressions: number[];
};

type Numbered = {
  readonly listOf: Uint32Array;
  /** The number of lists of keywords. List `lists + row` is that of a node's own URL. */
  readonly lists: number;
  readonly texts: readonly string[];
};

/**
 * Merges the entries of each list, so that each URL has one position, see `mergedPosition`. A node's own URL takes precedence over those of its
 * keyword's entries.
 *
 * @param numbered `listOf` is overwritten
 */
async function rankUrls(entries: UrlEntries, { listOf, lists, texts }: Numbered, pause: Pause): Promise<RankedUrls> {
  const order = await orderOfNumbers(entries.lists, pause);
  const between = pauseBetween(pause);
  const starts: number[] = [0];
  const urls: number[] = [];
  const positions: number[] = [];
  const listsWithUrls = new Map<number, number>();
  const uses = new Uint8Array(texts.length);
  for (let from = 0; from < order.length; ) {
    const list = entries.lists[order[from]!]!;
    let end = from;
    while (end < order.length && entries.lists[order[end]!] === list) end++;
    const ranked = rankList(entries, order.subarray(from, end));
    await between(8 * (end - from));
    for (const { url, position } of ranked) {
      urls.push(url);
      positions.push(position);
      uses[url] = ranked.length > 1 || uses[url] !== 0 ? 2 : 1;
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
    texts: texts.map((text, url) => (uses[url] === 2 ? text : '')),
  };
}

type Ranked = { readonly url: number; readonly position: number };

function rankList({ urls, positions, impressions }: UrlEntries, some: Uint32Array): Ranked[] {
  if (some.length === 1) return [{ url: urls[some[0]!]!, position: positions[some[0]!]! }];
  const found = new Map<number, Positions>();
  for (const at of some) {
    const known = found.get(urls[at]!) ?? noPositions();
    found.set(urls[at]!, known);
    addPosition(known, positions[at]!, impressions[at]);
  }
  const ranked = Array.from(found, ([url, known]) => ({ url, position: mergedPosition(known) }));
  const rank = ({ position }: Ranked) => (Number.isNaN(position) ? Number.POSITIVE_INFINITY : position);
  // Infinity minus itself is NaN, which `|| 0` turns into a tie, so the order of the file stays.
  return ranked.sort((one, other) => rank(one) - rank(other) || 0);
}
