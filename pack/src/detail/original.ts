import type { ByteSource } from '../format/byte-source.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';

/** Members of a JSON object as they stand in the uploaded file. */
export type OriginalMembers = Readonly<Record<string, unknown>>;

/** More than any keyword tool writes about one node; what is longer is not shown. */
const maxObjectBytes = 1024 * 1024;

/**
 * Every member of a node but its children, read from the uploaded file. Undefined for a node that is no object or
 * whose members alone are longer than 1 MiB.
 *
 * Only what stands before the first child and after the last one is read, so the root of a file of any size is two
 * short reads.
 */
export async function readNodeMembers(
  pack: PackReader,
  row: number,
  original: ByteSource,
): Promise<OriginalMembers | undefined> {
  const [range] = await rangesOf(pack, Uint32Array.of(row), 'node');
  const inner = await childrenRange(pack, row);
  if (!inner) return readMembers(original, [range!]);
  return readMembers(original, [
    { start: range!.start, end: inner.start },
    { start: inner.end, end: range!.end },
  ]);
}

/** Every member of the keyword joined to a node, or undefined as {@link readNodeMembers}. */
export async function readKeywordMembers(
  pack: PackReader,
  row: number,
  original: ByteSource,
): Promise<OriginalMembers | undefined> {
  const [range] = await rangesOf(pack, Uint32Array.of(row), 'keyword');
  return range!.end > range!.start ? readMembers(original, [range!]) : undefined;
}

type Range = { readonly start: number; readonly end: number };

/** From the first child's first byte to the last one's last, in the order of the file. */
async function childrenRange(pack: PackReader, row: number): Promise<Range | undefined> {
  const branch = await pack.branchesOf(Uint32Array.of(row));
  if (branch[0] === noRow) return undefined;
  const [first] = await pack.gather('first_child', branch);
  const [count] = await pack.gather('child_count', branch);
  const children = Uint32Array.from({ length: count! }, (_, child) => first! + child);
  const ranges = await rangesOf(pack, children, 'node');
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const range of ranges) {
    start = Math.min(start, range.start);
    end = Math.max(end, range.end);
  }
  return { start, end };
}

async function rangesOf(pack: PackReader, rows: Uint32Array, of: 'node' | 'keyword'): Promise<Range[]> {
  const start = await pack.gather(`${of}_start`, rows);
  const end = await pack.gather(`${of}_end`, rows);
  return Array.from(rows, (_, row) => ({ start: start?.[row] ?? 0, end: end?.[row] ?? 0 }));
}

/** The members of an object that stands in some ranges, `children` left out; undefined as {@link readNodeMembers}. */
export async function readMembers(
  original: ByteSource,
  ranges: readonly Range[],
): Promise<OriginalMembers | undefined> {
  const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length > maxObjectBytes) return undefined;
  const parts = await Promise.all(ranges.map(({ start, end }) => original.read(start, end - start)));
  const decoder = new TextDecoder();
  const value: unknown = JSON.parse(parts.map((part) => decoder.decode(part)).join(''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'children'));
}
