import type { GrowingTexts, TextColumn } from './text-column.ts';

/** By keyword, its entries, the oldest first. */
type Groups = readonly (readonly number[])[];

/** The newest known text of each keyword; undefined if none is known. */
export function newestTexts(column: GrowingTexts, entries: number, groups: Groups): TextColumn | undefined {
  const { values } = column;
  if (values.length === 0) return undefined;
  const codes = column.codes(entries);
  return {
    values,
    codes: Int32Array.from(groups, (group) => codes[group.findLast((entry) => codes[entry]! >= 0) ?? group[0]!]!),
  };
}

/** Lists such as "Sitelinks, Video": the parts of all entries of each keyword, in the order in which they appear. */
export function unitedTexts(column: GrowingTexts, entries: number, groups: Groups): TextColumn | undefined {
  if (column.values.length === 0) return undefined;
  const codes = column.codes(entries);
  const values = column.values;
  const united = Int32Array.from(groups, (group) => {
    const different = [...new Set(group.map((entry) => codes[entry]!))].filter((code) => code >= 0);
    if (different.length <= 1) return different[0] ?? -1;
    return column.codeOf(unionOf(different.map((code) => values[code]!)));
  });
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
