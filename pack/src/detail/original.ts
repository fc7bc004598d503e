import type { ByteSource } from '../format/byte-source.ts';
import { batchesOf, childrenOf } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { digitSort } from '../tree/leaf-order.ts';
import { fold } from '../upload/spelling.ts';
import type { Range } from './original-ranges.ts';

/** Members of a JSON object as they appear in the uploaded file. */
export type OriginalMembers = Readonly<Record<string, unknown>>;

/** More than any keyword tool writes for one node. Longer objects are not shown. */
const maxObjectBytes = 1024 * 1024;

/**
 * Every member of a node except its lists of children, read from the uploaded file. Undefined for a node that is not an
 * object, or whose other members are longer than 1 MiB.
 *
 * Reads only the bytes before the first child, after the last one, and between two lists of children, so the root of a
 * file of any size takes three short reads.
 */
export async function readNodeMembers(
  pack: PackReader,
  row: number,
  original: ByteSource,
): Promise<OriginalMembers | undefined> {
  const [range] = await rangesOf(pack, Uint32Array.of(row), 'node');
  const inner = await childrenRanges(pack, row, original);
  if (!inner) return withoutKeywords(await readMembers(original, [range!]));
  const { first, between, last } = inner;
  const members = await readMembers(original, [
    { start: range!.start, end: first },
    ...(between ? [between] : []),
    { start: last, end: range!.end },
  ]);
  return withoutKeywords(members);
}

/** Every member of the keyword joined to a node; undefined as in {@link readNodeMembers}. */
export async function readKeywordMembers(
  pack: PackReader,
  row: number,
  original: ByteSource,
): Promise<OriginalMembers | undefined> {
  const [range] = await rangesOf(pack, Uint32Array.of(row), 'keyword');
  return range!.end > range!.start ? readMembers(original, [range!]) : undefined;
}

const LIST_END = 0x5d; // ]

/**
 * The start of the first child and the end of the last one in file order. If a node has two lists of children, `between`
 * is the range from the last child of one to the first child of the other.
 *
 * @returns undefined for a node without children
 */
export async function childrenRanges(
  pack: PackReader,
  row: number,
  original: ByteSource,
): Promise<{ readonly first: number; readonly between: Range | undefined; readonly last: number } | undefined> {
  const children = await childrenOf(pack, row);
  const count = children.end - children.start;
  if (count === 0) return undefined;
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  for (const rows of batchesOf(children, childrenAtATime)) {
    const from = rows[0]! - children.start;
    starts.set((await pack.gather('node_start', rows)) ?? [], from);
    ends.set((await pack.gather('node_end', rows)) ?? [], from);
  }
  const span = spanOf(starts, ends);
  const gap = widestGap(starts, ends);
  return { ...span, between: (await hasListEnd(original, gap)) ? gap : undefined };
}

const childrenAtATime = 65_536;

function spanOf(starts: Uint32Array, ends: Uint32Array): { readonly first: number; readonly last: number } {
  let first = starts[0] ?? 0;
  let last = ends[0] ?? 0;
  for (let child = 1; child < starts.length; child++) {
    if (starts[child]! < first) first = starts[child]!;
    if (ends[child]! > last) last = ends[child]!;
  }
  return { first, last };
}

/**
 * The widest gap between two children, which do not overlap; an empty one if none is wide enough for the end of a list
 * and the start of the next. Overwrites both columns.
 */
function widestGap(starts: Uint32Array, ends: Uint32Array): Range {
  const { first, last } = spanOf(starts, ends);
  let between = last - first;
  for (let child = 0; child < starts.length; child++) between -= ends[child]! - starts[child]!;
  let gap = { start: 0, end: 0 };
  // In a file without blanks there is only a comma between two children, so no sorting is needed.
  if (between - (starts.length - 2) < shortestListGap) return gap;
  // All four digits, so that the sorted starts are in `starts` again.
  digitSort(starts.length)(starts, ends, 0xffff_ffff);
  for (let child = 1; child < starts.length; child++) {
    const next = { start: ends[child - 1]!, end: starts[child]! };
    if (next.end - next.start > gap.end - gap.start) gap = next;
  }
  return gap;
}

/** From the last child of one list to the first one of the next. */
const shortestListGap = '],"keywords":['.length;

/**
 * Whether a list of children ends in the gap between two children, so that the next list starts there. Between siblings
 * of one list there are only a comma and white space, which is less than between two lists of the same file.
 */
async function hasListEnd(original: ByteSource, { start, end }: Range): Promise<boolean> {
  const length = end - start;
  if (length < shortestListGap || length > maxObjectBytes) return false;
  return (await original.read(start, length)).includes(LIST_END);
}

/** The byte ranges of rows in the file; empty for rows that are not in it. */
export async function rangesOf(pack: PackReader, rows: Uint32Array, of: 'node' | 'keyword'): Promise<Range[]> {
  const start = await pack.gather(`${of}_start`, rows);
  const end = await pack.gather(`${of}_end`, rows);
  return Array.from(rows, (_, row) => ({ start: start?.[row] ?? 0, end: end?.[row] ?? 0 }));
}

/** The members of an object that occupies some ranges, without `children`; undefined as in {@link readNodeMembers}. */
export async function readMembers(
  original: ByteSource,
  ranges: readonly Range[],
): Promise<OriginalMembers | undefined> {
  const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length > maxObjectBytes) return undefined;
  return membersOf(await Promise.all(ranges.map(({ start, end }) => original.read(start, end - start))));
}

/** The maximum nesting of a member. Deeper values are shown as `…`, because very deep ones cannot be sent from one thread to another. */
const maxShownDepth = 32;

/** The members of an object, except its children; undefined for any other value. @param parts its bytes in order */
export function membersOf(parts: readonly Uint8Array[]): OriginalMembers | undefined {
  const decoder = new TextDecoder();
  const value: unknown = JSON.parse(parts.map((part) => decoder.decode(part)).join(''));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value).filter(([name]) => name !== 'children');
  return Object.fromEntries(members.map(([name, member]) => [name, cutDepth(member, maxShownDepth)]));
}

function cutDepth(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((one) => cutDepth(one, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cutDepth(one, levels - 1)]));
}

/** A node may list its keywords separately; they are children, so this list is removed as well. */
function withoutKeywords(members: OriginalMembers | undefined): OriginalMembers | undefined {
  const isList = ([name, value]: [string, unknown]) => fold(name) === 'keywords' && Array.isArray(value);
  return members && Object.fromEntries(Object.entries(members).filter((member) => !isList(member)));
}
