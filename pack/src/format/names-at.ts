import type { RowSource } from './pack-reader.ts';

/** The names of rows as strings. @param rows fastest in ascending order */
export async function namesAt(pack: Pick<RowSource, 'gatherTexts'>, rows: Uint32Array): Promise<string[]> {
  const { start, bytes } = await pack.gatherTexts('name', rows);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return Array.from(rows, (_, index) => decoder.decode(bytes.subarray(start[index], start[index + 1])));
}
