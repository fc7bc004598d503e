import type { FilteredPack } from './filtered-pack.ts';
import { holdWeights } from './held-weights.ts';
import type { PackReader, Texts } from './pack-reader.ts';
import { foldForSearch } from './text-key.ts';

/** `total` nodes have a name that contains the text; `rows` are the best `limit` of them, best first. */
export type SearchResult = { readonly total: number; readonly rows: readonly number[] };

/**
 * Nodes by a part of their name, case and accents folded: first names that are the text, then those that begin with
 * it, then those with a word that begins with it, then the rest; in each class the heaviest first (volume, keywords,
 * place in the tree).
 *
 * Of a pack under a filter, only what is kept.
 *
 * Cost: one pass over the bytes of all names, which are read once and kept with the pack.
 */
export async function searchPack(pack: PackReader | FilteredPack, text: string, limit: number): Promise<SearchResult> {
  const needle = new TextEncoder().encode(foldForSearch(text.trim()));
  if (needle.length === 0) return { total: 0, rows: [] };
  const { volume, keywords } = 'kept' in pack ? await pack.weights() : await holdWeights(pack);
  const isThere = 'kept' in pack ? pack.keeps : () => true;
  const isBefore = (one: number, other: number) => {
    const byVolume = volume(one) - volume(other) || keywords(one) - keywords(other);
    return byVolume > 0 || (byVolume === 0 && one < other);
  };
  const classes = [0, 1, 2, 3].map(() => new BestRows(limit, isBefore));
  const foldStarts = await pack.column('folded');
  const isFolded = (row: number) => foldStarts[row] !== foldStarts[row + 1];
  const { nodes } = pack.metadata;
  let total = 0;
  const take = (row: number, kind: number) => {
    if (!isThere(row)) return;
    total++;
    classes[kind]!.offer(row);
  };
  // Most names are folded as they are written; the others are looked through in their folded form.
  findTexts(await pack.texts('name'), nodes, needle, (row, kind) => {
    if (!isFolded(row)) take(row, kind);
  });
  const rowOfFold = rowsOfFolds(foldStarts, nodes);
  findTexts(await pack.texts('fold'), rowOfFold.length, needle, (fold, kind) => take(rowOfFold[fold]!, kind));
  return { total, rows: classes.flatMap((found) => found.rows).slice(0, limit) };
}

/** Row of each folded name of a node. */
export function rowsOfFolds(starts: Uint32Array, nodes: number): Uint32Array {
  const rows = new Uint32Array(starts[nodes]!);
  for (let row = 0; row < nodes; row++) if (starts[row] !== starts[row + 1]) rows[starts[row]!] = row;
  return rows;
}

/** Calls `found` for each of the first `count` texts that contains the needle, with how well it does: see {@link classOf}. */
export function findTexts(
  { start, bytes }: Texts,
  count: number,
  needle: Uint8Array,
  found: (text: number, kind: number) => void,
): void {
  const find = createFinder(bytes, needle);
  const end = start[count]!;
  let text = 0;
  for (let at = find(0, end); at >= 0; ) {
    text = textAt(start, at, text, count);
    const textEnd = start[text + 1]!;
    // A match may run over the end of one text into the next.
    if (at + needle.length > textEnd) {
      at = find(at + 1, end);
      continue;
    }
    found(text, classOf(bytes, needle, at, start[text]!, textEnd, find));
    at = find(textEnd, end);
  }
}

/** 0 the whole name, 1 its beginning, 2 the beginning of a word, 3 anywhere. @param at first match in the name */
function classOf(
  bytes: Uint8Array,
  needle: Uint8Array,
  at: number,
  nameStart: number,
  nameEnd: number,
  find: (from: number, end: number) => number,
): number {
  if (at === nameStart) return nameEnd - nameStart === needle.length ? 0 : 1;
  for (let match = at; match >= 0; match = find(match + 1, nameEnd)) if (!isLetter(bytes[match - 1]!)) return 2;
  return 3;
}

/** Bytes beyond ASCII belong to letters far more often than not. */
function isLetter(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}

/** The text that holds the byte `at`; `from` is one at or before it. Doubling steps, then halving. */
function textAt(start: Float64Array, at: number, from: number, rows: number): number {
  let low = from;
  let step = 1;
  while (low + step < rows && start[low + step]! <= at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, rows);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (start[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The first match from a byte on that ends by `end`, -1 for none.
 * Source: Horspool, "Practical fast searching in strings", Software: Practice and Experience 10(6), 1980.
 */
function createFinder(bytes: Uint8Array, needle: Uint8Array): (from: number, end: number) => number {
  const last = needle.length - 1;
  const shift = new Uint32Array(256).fill(needle.length);
  for (let index = 0; index < last; index++) shift[needle[index]!] = last - index;
  return (from, end) => {
    for (let at = from; at + last < end; at += shift[bytes[at + last]!]!) {
      let index = last;
      while (index >= 0 && bytes[at + index] === needle[index]) index--;
      if (index < 0) return at;
    }
    return -1;
  };
}

/** The best rows of many, best first. */
class BestRows {
  readonly rows: number[] = [];
  readonly #limit: number;
  readonly #isBefore: (one: number, other: number) => boolean;

  constructor(limit: number, isBefore: (one: number, other: number) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  offer(row: number): void {
    const { rows } = this;
    if (rows.length === this.#limit && !this.#isBefore(row, rows.at(-1)!)) return;
    let low = 0;
    for (let high = rows.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(row, rows[middle]!)) high = middle;
      else low = middle + 1;
    }
    rows.splice(low, 0, row);
    if (rows.length > this.#limit) rows.pop();
  }
}
