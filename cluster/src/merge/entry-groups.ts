import type { RepeatedEntries } from '../../../pack/src/tree/keyword-numbers.ts';
import type { DateOf } from '../../../pack/src/upload/entry-dates.ts';

/**
 * The entries of each keyword: those of keyword `k` are `entry[start[k]]` up to `entry[start[k + 1]]`. Every keyword has
 * at least one.
 * Memory: 4 bytes per keyword and 4 per entry.
 */
export type EntryGroups = { readonly start: Uint32Array; readonly entry: Uint32Array };

/** Groups in file order. @param keyword by entry, numbered from 0 in the order in which they first appear */
export function entryGroups(keyword: Int32Array, keywords: number): EntryGroups {
  const start = new Uint32Array(keywords + 1);
  for (const number of keyword) start[number + 1]!++;
  for (let number = 0; number < keywords; number++) start[number + 1]! += start[number]!;
  const next = start.slice(0, keywords);
  const entry = new Uint32Array(keyword.length);
  for (let row = 0; row < keyword.length; row++) entry[next[keyword[row]!]!++] = row;
  return { start, entry };
}

/**
 * The same groups with the oldest entry first; entries of one date stay in file order.
 *
 * @param dateOf undefined if no entry is older than another
 */
export function oldestFirst({ start, entry }: EntryGroups, dateOf: DateOf | undefined): EntryGroups {
  if (!dateOf || entry.length === start.length - 1) return { start, entry };
  const sorted = entry.slice();
  for (let keyword = 0; keyword + 1 < start.length; keyword++) {
    if (start[keyword + 1]! - start[keyword]! < 2) continue;
    sorted
      .subarray(start[keyword], start[keyword + 1])
      .sort((one, other) => dateOf(one) - dateOf(other) || one - other);
  }
  return { start, entry: sorted };
}

/** Entries of keywords beyond their first ones, as the merging of uploads takes them; undefined if there are none. */
export function repeatedEntries({ start, entry }: EntryGroups): RepeatedEntries | undefined {
  const keywords = start.length - 1;
  if (entry.length === keywords) return undefined;
  const from = new Uint32Array(entry.length + 1);
  const later = new Uint32Array(entry.length - keywords);
  let next = 0;
  // The first entries are in the order of their keywords, so the later ones of each follow those of the keyword before.
  for (let keyword = 0; keyword < keywords; keyword++) {
    const others = entry.subarray(start[keyword]! + 1, start[keyword + 1]);
    from[entry[start[keyword]!]! + 1] = others.length;
    later.set(others, next);
    next += others.length;
  }
  for (let row = 0; row < entry.length; row++) from[row + 1]! += from[row]!;
  return { start: from, later };
}

/** Items by a key, in the order of their first items. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
