import type { ByteSource } from '../format/byte-source.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { comma, OriginalBlocks, Parts, type Piece, type Range, RangesInOrder } from './original-ranges.ts';

/** Rows whose places are asked for at a time. */
const stepRows = 4096;

/**
 * A branch in the form of an upload, `{ hierarchy, keywords }`, every member as it stands in the original: so it can be
 * uploaded again, and is the same but for what a filter leaves out. The entries of `keywords` are those that its nodes
 * were joined with, each once, in the order of the file.
 *
 * Memory: 16 bytes at most for each node that has an entry, and a few blocks.
 *
 * @param keeps which rows below the node are written; nothing below a row that is not. Everything when left out
 * @throws RangeError when the row is no node
 */
export async function* branchJson(
  pack: PackReader,
  original: ByteSource,
  node: number,
  keeps?: (row: number) => boolean,
): AsyncGenerator<Uint8Array> {
  if (!Number.isInteger(node) || node < 0 || node >= pack.metadata.nodes) throw new RangeError(`Node ${node}`);
  const entries = new RangesInOrder();
  const blocks = new OriginalBlocks(original);
  const parts = new Parts();
  const encoder = new TextEncoder();
  const hierarchy = keeps ? keptPieces(pack, node, keeps, entries) : wholePieces(pack, node, entries);
  for (const pieces of ['{"hierarchy":', hierarchy, ',"keywords":[', entries.take(), ']}\n']) {
    if (typeof pieces === 'string') yield* parts.add(encoder.encode(pieces));
    else {
      for await (const piece of pieces) {
        if (piece === comma) yield* parts.add(encoder.encode(comma));
        else for await (const bytes of blocks.read(piece)) yield* parts.add(bytes);
      }
    }
  }
  yield* parts.end();
}

async function placesOf(pack: PackReader, of: 'node' | 'keyword', rows: Uint32Array): Promise<Range[]> {
  const start = await pack.gather(`${of}_start`, rows);
  const end = await pack.gather(`${of}_end`, rows);
  return Array.from(rows, (_, index) => ({ start: start?.[index] ?? 0, end: end?.[index] ?? 0 }));
}

/** Siblings, or a level of a branch: rows that follow each other. */
type Run = { readonly first: number; readonly count: number };

async function childrenOf(pack: PackReader, row: number): Promise<Run> {
  const branch = await pack.branchesOf(Uint32Array.of(row));
  const [first] = await pack.gather('first_child', branch);
  const [count] = await pack.gather('child_count', branch);
  return { first: first!, count: count! };
}

function* stepsOf({ first, count }: Run): Generator<Uint32Array> {
  for (let from = 0; from < count; from += stepRows) {
    yield Uint32Array.from({ length: Math.min(stepRows, count - from) }, (_, index) => first + from + index);
  }
}

/** A branch as it stands; its entries are collected level by level: below one run of siblings lies one of their children. */
async function* wholePieces(pack: PackReader, node: number, entries: RangesInOrder): AsyncGenerator<Piece> {
  const [whole] = await placesOf(pack, 'node', Uint32Array.of(node));
  yield whole!;
  let level: Run = { first: node, count: 1 };
  while (level.count > 0) {
    let first = 0;
    let count = 0;
    for (const rows of stepsOf(level)) {
      for (const entry of await placesOf(pack, 'keyword', rows)) entries.add(entry);
      const branches = (await pack.branchesOf(rows)).filter((branch) => branch !== noRow);
      const firsts = await pack.gather('first_child', branches);
      const counts = await pack.gather('child_count', branches);
      for (let index = 0; index < branches.length; index++) {
        if (count === 0) first = firsts[index]!;
        count += counts[index]!;
      }
    }
    level = { first, count };
  }
}

/** What is left of a branch: of each node that is kept what stands around its children, and between it those kept. */
async function* keptPieces(
  pack: PackReader,
  node: number,
  keeps: (row: number) => boolean,
  entries: RangesInOrder,
): AsyncGenerator<Piece> {
  type Open = { readonly rows: AsyncIterator<KeptRow>; readonly after: Range | undefined; isFirst: boolean };
  const open: Open[] = [
    { rows: keptRows(pack, { first: node, count: 1 }, () => true), after: undefined, isFirst: true },
  ];
  while (open.length > 0) {
    const level = open.at(-1)!;
    const { value: kept, done } = await level.rows.next();
    if (done) {
      open.pop();
      if (level.after) yield level.after;
      continue;
    }
    if (!level.isFirst) yield comma;
    level.isFirst = false;
    entries.add(kept.entry);
    if (!kept.isBranch) {
      yield kept.range;
      continue;
    }
    const run = await childrenOf(pack, kept.row);
    const inner = await around(pack, run);
    yield { start: kept.range.start, end: inner.start };
    open.push({ rows: keptRows(pack, run, keeps), after: { start: inner.end, end: kept.range.end }, isFirst: true });
  }
}

type KeptRow = { readonly row: number; readonly range: Range; readonly entry: Range; readonly isBranch: boolean };

async function* keptRows(pack: PackReader, run: Run, keeps: (row: number) => boolean): AsyncGenerator<KeptRow> {
  for (const all of stepsOf(run)) {
    const rows = all.filter(keeps);
    const ranges = await placesOf(pack, 'node', rows);
    const entries = await placesOf(pack, 'keyword', rows);
    const branches = await pack.branchesOf(rows);
    for (const [index, row] of rows.entries()) {
      yield { row, range: ranges[index]!, entry: entries[index]!, isBranch: branches[index] !== noRow };
    }
  }
}

/** From the first byte of a run to its last, in the order of the file. */
async function around(pack: PackReader, run: Run): Promise<Range> {
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  for (const rows of stepsOf(run)) {
    for (const range of await placesOf(pack, 'node', rows)) {
      start = Math.min(start, range.start);
      end = Math.max(end, range.end);
    }
  }
  return { start, end };
}
