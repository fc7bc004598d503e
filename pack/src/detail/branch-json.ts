import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { batchesOf, checkNode, childrenOf, type Level, levelsOf } from '../format/locate.ts';
import { entryRanges } from '../format/merged-ranges.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { childrenRanges, rangesOf } from './original.ts';
import { comma, OriginalBlocks, Parts, type Piece, type Range, RangesInOrder } from './original-ranges.ts';

/** The number of rows whose byte ranges are requested at a time. */
const batchRows = 4096;

/**
 * Writes a branch in upload format, `{ hierarchy, keywords }`, with every member as it appears in the original. It can
 * be uploaded again, and is identical except for what a filter excludes. `keywords` contains the entries joined with
 * its nodes and those merged into them, each once, in file order. An export of everything without a filter also
 * contains the unplaced entries: those of keywords that no node names.
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
  { keeps, pause = noPause }: { readonly keeps?: (row: number) => boolean; readonly pause?: Pause } = {},
): AsyncGenerator<Uint8Array> {
  checkNode(pack, node);
  const entries = new Entries(pause);
  if (node === 0 && !keeps) await addUnplaced(pack, entries);
  const hierarchy = keeps ? keptPieces(pack, original, node, keeps, entries) : wholePieces(pack, node, entries);
  // The generators run in this order, so all entries have been added when the last one starts.
  yield* concatenated(original, ['{"hierarchy":', hierarchy, ',"keywords":[', entries.take(), ']}\n']);
}

/**
 * Writes the keywords that no node names in upload format, every entry as it appears in the original, with a hierarchy
 * of one node.
 *
 * @param root the name of that node
 */
export async function* unplacedJson(
  pack: PackReader,
  original: ByteSource,
  root: string,
  pause: Pause,
): AsyncGenerator<Uint8Array> {
  const entries = new Entries(pause);
  await addUnplaced(pack, entries);
  yield* concatenated(original, [
    `{"hierarchy":${JSON.stringify({ name: root })},"keywords":[`,
    entries.take(),
    ']}\n',
  ]);
}

/** Writes texts and pieces copied from the original, joined to parts that are large enough to send. */
async function* concatenated(
  original: ByteSource,
  sections: readonly (string | Iterable<Piece> | AsyncIterable<Piece>)[],
): AsyncGenerator<Uint8Array> {
  const blocks = new OriginalBlocks(original);
  const parts = new Parts();
  const encoder = new TextEncoder();
  for (const section of sections) {
    if (typeof section === 'string') {
      yield* parts.add(encoder.encode(section));
      continue;
    }
    for await (const piece of section) {
      if (piece === comma) yield* parts.add(encoder.encode(comma));
      else for await (const bytes of blocks.read(piece)) yield* parts.add(bytes);
    }
  }
  yield* parts.end();
}

async function addUnplaced(pack: PackReader, entries: Entries): Promise<void> {
  const { nodes, notInHierarchy } = pack.metadata;
  // Unplaced keywords have rows after the nodes.
  for (const rows of batchesOf({ start: nodes, end: nodes + notInHierarchy }, batchRows))
    await entries.addOf(pack, rows);
}

/** Collects the entries of keywords, each once even if a keyword has several rows. */
class Entries {
  readonly #ranges = new RangesInOrder();
  /** See the parameter `returned` of `entryRanges`. */
  readonly #returned = new Set<number>();
  readonly #pause: Pause;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  async addOf(pack: PackReader, rows: Uint32Array): Promise<void> {
    await this.#pause();
    for (const ofKeyword of await entryRanges(pack, rows, this.#pause, this.#returned)) {
      for (const range of ofKeyword) this.#ranges.add(range);
    }
  }

  /** The entries in file order, with commas between them. */
  take(): Generator<Piece> {
    return this.#ranges.take();
  }
}

/** The whole branch as one piece. Its entries are collected level by level. */
async function* wholePieces(pack: PackReader, node: number, entries: Entries): AsyncGenerator<Piece> {
  const [whole] = await rangesOf(pack, Uint32Array.of(node), 'node');
  yield whole!;
  for (const level of await levelsOf(pack, node))
    for (const rows of batchesOf(level, batchRows)) await entries.addOf(pack, rows);
}

/**
 * The kept part of a branch: for each kept node the bytes around its children, and between them the kept children. A
 * node may have two lists of children, `children` and `keywords`, with other members between them.
 *
 * Uses a stack of open branches instead of recursion, because a tree can be 100,000 levels deep.
 */
async function* keptPieces(
  pack: PackReader,
  original: ByteSource,
  node: number,
  keeps: (row: number) => boolean,
  entries: Entries,
): AsyncGenerator<Piece> {
  /** `after`: the bytes to write after the children; `isFirst`: whether the next child needs no comma before it. */
  type Open = { readonly rows: AsyncIterator<KeptRow | Range>; readonly after: Range | undefined; isFirst: boolean };
  const root = keptRows(pack, { start: node, end: node + 1 }, () => true, entries, wholeFile);
  const open: Open[] = [{ rows: root, after: undefined, isFirst: true }];
  while (open.length > 0) {
    const branch = open.at(-1)!;
    const { value: kept, done } = await branch.rows.next();
    if (done) {
      open.pop();
      if (branch.after) yield branch.after;
      continue;
    }
    if (!('row' in kept)) {
      yield kept;
      branch.isFirst = true;
      continue;
    }
    if (!branch.isFirst) yield comma;
    branch.isFirst = false;
    if (!kept.isBranch) {
      yield kept.range;
      continue;
    }
    const children = await childrenOf(pack, kept.row);
    const { first, between, last } = (await childrenRanges(pack, kept.row, original))!;
    yield { start: kept.range.start, end: first };
    open.push({
      rows: between
        ? keptLists(pack, children, keeps, entries, between)
        : keptRows(pack, children, keeps, entries, wholeFile),
      after: { start: last, end: kept.range.end },
      isFirst: true,
    });
  }
}

/** `isBranch`: whether it has children in the pack, kept or not. */
type KeptRow = { readonly row: number; readonly range: Range; readonly isBranch: boolean };

const wholeFile: Range = { start: 0, end: Number.POSITIVE_INFINITY };

/** The kept children in the first list, the bytes between the lists, and the kept children in the second list. */
async function* keptLists(
  pack: PackReader,
  level: Level,
  keeps: (row: number) => boolean,
  entries: Entries,
  between: Range,
): AsyncGenerator<KeptRow | Range> {
  yield* keptRows(pack, level, keeps, entries, { start: 0, end: between.start });
  yield between;
  yield* keptRows(pack, level, keeps, entries, { start: between.end, end: Number.POSITIVE_INFINITY });
}

/** Of adjacent rows, those that are kept and start inside a range of the file. Adds their entries. */
async function* keptRows(
  pack: PackReader,
  level: Level,
  keeps: (row: number) => boolean,
  entries: Entries,
  inside: Range,
): AsyncGenerator<KeptRow> {
  for (const all of batchesOf(level, batchRows)) {
    const kept = all.filter(keeps);
    const keptRanges = await rangesOf(pack, kept, 'node');
    const isInside = ({ start }: Range) => start >= inside.start && start < inside.end;
    const rows = kept.filter((_, index) => isInside(keptRanges[index]!));
    const ranges = keptRanges.filter(isInside);
    await entries.addOf(pack, rows);
    const branches = await pack.branchesOf(rows);
    for (const [index, row] of rows.entries()) {
      yield { row, range: ranges[index]!, isBranch: branches[index] !== noRow };
    }
  }
}
