import { findUnplaced, type SearchInput } from '../find/find-names.ts';
import type { TextQuery } from '../find/text-query.ts';
import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { type MergedEntries, mergedEntriesOf } from './merged-entries.ts';
import { type OriginalMembers, readKeywordMembers } from './original.ts';

// Keywords that no node names have rows after the nodes, in descending order of volume. They are in no roll-up.

/** The number of keywords that no node names, and their volume. `value` is absent if no volume is known. */
export type UnplacedSummary = { keywords: number; volume: { value?: number; known: number } };

type UnplacedKeyword = { row: number; name: string; volume?: number };

/** A keyword that no node names, with its details from the file. */
export type UnplacedDetail = UnplacedKeyword & { original?: OriginalMembers; merged?: MergedEntries };

/** Cost: a pass over the volumes, a column that every open pack has loaded. */
export async function summarizeUnplaced(pack: PackReader): Promise<UnplacedSummary> {
  const { nodes, notInHierarchy } = pack.metadata;
  const volumes = notInHierarchy > 0 ? await pack.column('own_volume') : undefined;
  let value = 0;
  let known = 0;
  for (const volume of volumes?.subarray(nodes) ?? []) {
    if (Number.isNaN(volume)) continue;
    value += volume;
    known++;
  }
  return { keywords: notInHierarchy, volume: { ...(known > 0 && { value }), known } };
}

/** The rows of the keywords that no node names and whose name matches a query, in descending order of volume. An empty text matches all. */
export async function unplacedRows(pack: PackReader, query: TextQuery, parts?: SearchInput): Promise<Uint32Array> {
  const { nodes, notInHierarchy } = pack.metadata;
  if (query.text.trim() === '') return Uint32Array.from({ length: notInHierarchy }, (_, at) => nodes + at);
  const { kinds, total } = await findUnplaced(pack, query, parts);
  const rows = new Uint32Array(total);
  for (let at = 0, next = 0; next < total; at++) if (kinds[at] !== 0) rows[next++] = nodes + at;
  return rows;
}

export async function describeUnplaced(pack: PackReader, rows: Uint32Array): Promise<UnplacedKeyword[]> {
  const names = await namesAt(pack, rows);
  const volumes = await pack.gather('own_volume', rows);
  return Array.from(rows, (row, at) => {
    const volume = volumes?.[at] ?? Number.NaN;
    return { row, name: names[at]!, ...(!Number.isNaN(volume) && { volume }) };
  });
}

/** @throws RangeError if the row is not that of a keyword that no node names */
export async function detailUnplaced(
  pack: PackReader,
  row: number,
  original: ByteSource,
  pause: Pause = noPause,
): Promise<UnplacedDetail> {
  const { nodes } = pack.metadata;
  if (!Number.isInteger(row) || row < nodes || row >= pack.rows) throw new RangeError(`Row ${row}`);
  const [keyword] = await describeUnplaced(pack, Uint32Array.of(row));
  const members = await readKeywordMembers(pack, row, original);
  const merged = await mergedEntriesOf(pack, row, original, pause);
  return { ...keyword!, ...(members && { original: members }), ...(merged && { merged }) };
}
