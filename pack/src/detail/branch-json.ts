import type { ByteSource } from '../format/byte-source.ts';
import { entryRanges } from '../format/merged-ranges.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { childrenRanges } from './original.ts';
import { comma, OriginalBlocks, Parts, type Piece, type Range, RangesInOrder } from './original-ranges.ts';

/** The number of rows whose positions are requested at a time. */
const stepRows = 4096;

/**
 * Writes a branch in upload format, `{ hierarchy, keywords }`, with every member as it appears in the original. It can
 * be uploaded again, and is identical except for what a filter excludes. `keywords` contains the entries joined with
 * its nodes and those merged into them, each once, in file order. An export of everything without a filter also
 * contains the entries of keywords that no node names.
 *
 * Memory: at most 16 bytes for each node that has an entry, and a few blocks.
 *
 * @param keeps which rows below the node are written; descendants of an excluded row are excluded. Default: everything
 * @throws RangeError if the row is not a node
 */
export async function* branchJson(
  pack: PackReader,
  original: ByteSource,
  node: number,
  keeps?: (row: number) => boolean,
): AsyncGenerator<Uint8Array> {
  if (!Number.isInteger(node) || node < 0 || node >= pack.metadata.nodes) throw new RangeError(`Node ${node}`);
  const entries = new Entries();
  const blocks = new OriginalBlocks(original);
  const parts = new Parts();
  const encoder = new TextEncoder();
  if (node === 0 && !keeps) await addUnplaced(pack, entries);
  const hierarchy = keeps ? keptPieces(pack, original, node, keeps, entries) : wholePieces(pack, node, entries);
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

/**
 * Writes the keywords that no node names in upload format, every entry as it appears in the original, with a hierarchy
 * of one node.
 *
 * @param root its name
 */
export async function* unplacedJson(pack: PackReader, original: ByteSource, root: string): AsyncGenerator<Uint8Array> {
  const entries = new Entries();
  await addUnplaced(pack, entries);
  const blocks = new OriginalBlocks(original);
  const parts = new Parts();
  const encoder = new TextEncoder();
  yield* parts.add(encoder.encode(`{"hierarchy":${JSON.stringify({ name: root })},"keywords":[`));
  for (const piece of entries.take()) {
    if (piece === comma) yield* parts.add(encoder.encode(comma));
    else for await (const bytes of blocks.read(piece)) yield* parts.add(bytes);
  }
  yield* parts.add(encoder.encode(']}\n'));
  yield* parts.end();
}

async function addUnplaced(pack: PackReader, entries: Entries): Promise<void> {
  const { nodes, notInHierarchy } = pack.metadata;
  for (const rows of stepsOf({ first: nodes, count: notInHierarchy })) await entries.addOf(pack, rows);
}

/** The entries of keywords, each once even if a keyword has several rows. */
class Entries {
  readonly #ranges = new RangesInOrder();
  readonly #given = new Set<number>();

  async addOf(pack: PackReader, rows: Uint32Array): Promise<void> {
    for (const ofKeyword of await entryRanges(pack, rows, this.#given)) {
      for (const range of ofKeyword) this.#ranges.add(range);
    }
  }

  take(): Generator<Piece> {
    return this.#ranges.take();
  }
}

async function placesOf(pack: PackReader, rows: Uint32Array): Promise<Range[]> {
  const start = await pack.gather('node_start', rows);
  const end = await pack.gather('node_end', rows);
  return Array.from(rows, (_, index) => ({ start: start[index]!, end: end[index]! }));
}

/** Adjacent rows: siblings, or a level of a branch. */
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

/**
 * Writes a branch unchanged. Its entries are collected level by level: below a run of siblings there is one run of
 * their children.
 */
async function* wholePieces(pack: PackReader, node: number, entries: Entries): AsyncGenerator<Piece> {
  const [whole] = await placesOf(pack, Uint32Array.of(node));
  yield whole!;
  let level: Run = { first: node, count: 1 };
  while (level.count > 0) {
    let first = 0;
    let count = 0;
    for (const rows of stepsOf(level)) {
      await entries.addOf(pack, rows);
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

/**
 * Writes the kept part of a branch: for each kept node the bytes around its children, and between them the kept
 * children. A node may have two lists of children, `children` and `keywords`, with other members between them.
 */
async function* keptPieces(
  pack: PackReader,
  original: ByteSource,
  node: number,
  keeps: (row: number) => boolean,
  entries: Entries,
): AsyncGenerator<Piece> {
  type Open = { readonly rows: AsyncIterator<KeptRow | Range>; readonly after: Range | undefined; isFirst: boolean };
  const root = keptRows(pack, { first: node, count: 1 }, () => true, entries, everywhere);
  const open: Open[] = [{ rows: root, after: undefined, isFirst: true }];
  while (open.length > 0) {
    const level = open.at(-1)!;
    const { value: kept, done } = await level.rows.next();
    if (done) {
      open.pop();
      if (level.after) yield level.after;
      continue;
    }
    if (!('row' in kept)) {
      yield kept;
      level.isFirst = true;
      continue;
    }
    if (!level.isFirst) yield comma;
    level.isFirst = false;
    if (!kept.isBranch) {
      yield kept.range;
      continue;
    }
    const run = await childrenOf(pack, kept.row);
    const { first, between, last } = (await childrenRanges(pack, kept.row, original))!;
    yield { start: kept.range.start, end: first };
    open.push({
      rows: between ? keptLists(pack, run, keeps, entries, between) : keptRows(pack, run, keeps, entries, everywhere),
      after: { start: last, end: kept.range.end },
      isFirst: true,
    });
  }
}

type KeptRow = { readonly row: number; readonly range: Range; readonly isBranch: boolean };

const everywhere: Range = { start: 0, end: Number.POSITIVE_INFINITY };

/** The kept children in the first list, the bytes between the lists, and the kept children in the second list. */
async function* keptLists(
  pack: PackReader,
  run: Run,
  keeps: (row: number) => boolean,
  entries: Entries,
  between: Range,
): AsyncGenerator<KeptRow | Range> {
  yield* keptRows(pack, run, keeps, entries, { start: 0, end: between.start });
  yield between;
  yield* keptRows(pack, run, keeps, entries, { start: between.end, end: Number.POSITIVE_INFINITY });
}

/** The kept rows of a run whose bytes are in a part of the file. */
async function* keptRows(
  pack: PackReader,
  run: Run,
  keeps: (row: number) => boolean,
  entries: Entries,
  inside: Range,
): AsyncGenerator<KeptRow> {
  for (const all of stepsOf(run)) {
    const kept = all.filter(keeps);
    const places = await placesOf(pack, kept);
    const isInside = ({ start }: Range) => start >= inside.start && start < inside.end;
    const rows = kept.filter((_, index) => isInside(places[index]!));
    const ranges = places.filter(isInside);
    await entries.addOf(pack, rows);
    const branches = await pack.branchesOf(rows);
    for (const [index, row] of rows.entries()) {
      yield { row, range: ranges[index]!, isBranch: branches[index] !== noRow };
    }
  }
}
