import { noRow } from './pack-format.ts';
import type { RowSource } from './pack-reader.ts';

/** The names of rows as strings. @param rows fastest in ascending order */
export async function namesAt(pack: Pick<RowSource, 'gatherTexts'>, rows: Uint32Array): Promise<string[]> {
  const { start, bytes } = await pack.gatherTexts('name', rows);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return Array.from(rows, (_, index) => decoder.decode(bytes.subarray(start[index], start[index + 1])));
}

/** Reads the names of some rows, in any order, for a lookup by row. The name of {@link noRow} is empty. */
export async function namesOf(
  pack: Pick<RowSource, 'gatherTexts'>,
  rows: Iterable<number>,
): Promise<(row: number) => string> {
  // Reading is fast in ascending order.
  const ascending = Uint32Array.from(new Set(rows))
    .filter((row) => row !== noRow)
    .sort();
  const names = await namesAt(pack, ascending);
  const byRow = new Map(names.map((name, at) => [ascending[at]!, name]));
  return (row) => byRow.get(row) ?? '';
}
