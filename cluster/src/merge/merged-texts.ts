import type { EntryGroups } from './entry-groups.ts';
import type { GrowingTexts, TextColumn } from './text-column.ts';

/** The newest known text of each keyword; undefined if none is known. @param groups the oldest entry first */
export function newestTexts(column: GrowingTexts, entries: number, groups: EntryGroups): TextColumn | undefined {
  if (column.count === 0) return undefined;
  const { start, entry } = groups;
  const codes = column.codes(entries);
  const newest = new Int32Array(start.length - 1).fill(-1);
  for (let keyword = 0; keyword < newest.length; keyword++) {
    for (let at = start[keyword + 1]! - 1; newest[keyword]! < 0 && at >= start[keyword]!; at--)
      newest[keyword] = codes[entry[at]!]!;
  }
  return { values: column.values, codes: newest };
}

/**
 * Lists such as "Sitelinks, Video": the parts of all entries of each keyword, in the order in which they appear.
 *
 * @param groups the oldest entry first
 */
export function unitedTexts(column: GrowingTexts, entries: number, groups: EntryGroups): TextColumn | undefined {
  if (column.count === 0) return undefined;
  const { start, entry } = groups;
  const codes = column.codes(entries);
  const { values } = column;
  const united = new Int32Array(start.length - 1);
  for (let keyword = 0; keyword < united.length; keyword++) {
    const different = new Set<number>();
    for (let at = start[keyword]!; at < start[keyword + 1]!; at++) {
      const code = codes[entry[at]!]!;
      if (code >= 0) different.add(code);
    }
    const [first = -1] = different;
    united[keyword] =
      different.size <= 1 ? first : column.codeOf(unionOf(Array.from(different, (code) => values[code]!)));
  }
  return { values: column.values, codes: united };
}

/** Tools write one feature in several casings: "People also ask", "People Also Ask", "people_also_ask". */
function unionOf(lists: readonly string[]): string {
  const parts = new Map<string, string>();
  for (const part of lists.flatMap((list) => list.split(/[,;|]/u))) {
    const key = part.trim().toLowerCase().replaceAll('_', ' ');
    if (key !== '' && !parts.has(key)) parts.set(key, part.trim());
  }
  return [...parts.values()].join(', ');
}
