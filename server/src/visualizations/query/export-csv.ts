import { type WalkedRows, walkBranch, walkRows, walkUnplaced } from '@kc/pack/detail/walk-branch';
import type { ByteSource } from '@kc/pack/format/byte-source';
import type { Pause } from '@kc/pack/format/in-pieces';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { levelListsOf } from '@kc/pack/levels/level-lists';
import type { RowSort } from '@kc/pack/levels/row-sort';
import type { SortMarks } from '@kc/pack/levels/row-values';
import type { View } from '@kc/pack/sums/filtered-pack';
import type { PointLevel } from '@kc/pack/vocabulary/choices';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { type CsvSource, headerOf, linesOf } from './csv-columns.ts';
import { csvLevelsOf, kindsOf, type RowKind } from './csv-levels.ts';
import type { CellValue } from './xlsx/cell-xml.ts';

/** What is exported: a pack, or a pack under a filter. */
export type Exported = {
  readonly pack: PackReader;
  /** The source of the figures. */
  readonly figures: View;
  /** Whether a row is kept; absent if all are. */
  readonly keeps?: (row: number) => boolean;
  /** What a list is sorted by that is not in the pack. */
  readonly marks?: SortMarks;
  /** Rejects when nobody needs the next part. */
  readonly pause: Pause;
};

/** Approximate characters per part. Names can be 64 KiB long, and each line contains the whole path to its node. */
const partLength = 128 * 1024;

/**
 * A branch, or some rows, as CSV in UTF-8. It has a byte order mark, without which Excel misreads every non-ASCII
 * letter; lines end as in RFC 4180; texts that a spreadsheet would read as formulas are escaped.
 *
 * Memory: the lines of one block, whatever the size of the export.
 * @throws RangeError if a row is no node
 */
export async function* csvOf(exported: Exported, original: ByteSource, what: ExportedRows): AsyncGenerator<Uint8Array> {
  const { pack, figures, pause } = exported;
  const levels = await csvLevelsOf(pack, pause);
  const source: CsvSource = { pack, figures, levels, original, pause };
  yield encoded(`\ufeff${csvLine(headerOf(source))}`);
  for await (const block of blocksOf(exported, what, levels.titles.length, pause)) {
    let part = '';
    for (const line of await linesOf(source, block)) {
      part += csvLine(line);
      if (part.length < partLength) continue;
      yield encoded(part);
      part = '';
    }
    if (part.length > 0) yield encoded(part);
  }
}

async function* blocksOf(
  { pack, figures, keeps, marks }: Exported,
  what: ExportedRows,
  levels: number,
  pause: Pause,
): AsyncGenerator<WalkedRows> {
  if ('rows' in what) yield* walkRows(pack, what.rows, levels);
  else if ('level' in what) {
    const { level, node: within, sort } = what;
    const list = await levelListsOf(figures).all({ level, within, sort, marks }, pause);
    yield* walkRows(pack, list, levels);
  } else if ('unplaced' in what) yield* walkUnplaced(pack, levels);
  else {
    for await (const block of walkBranch(pack, what.node, levels, keeps)) {
      yield what.kind ? await onlyOf(pack, kindsIn[what.kind], block, levels) : block;
    }
  }
}

const kindsIn: Readonly<Record<ExportedKind, readonly RowKind[]>> = {
  keywords: ['Keyword'],
  clusters: ['Pillar topic', 'Cluster', 'Subtopic'],
};

/** The rows of a block that are of these kinds. */
async function onlyOf(
  pack: PackReader,
  wanted: readonly RowKind[],
  { rows, paths }: WalkedRows,
  levels: number,
): Promise<WalkedRows> {
  // Columns are read in ascending order.
  const sorted = rows.toSorted();
  const kinds = await kindsOf(pack, sorted);
  const found = new Set(sorted.filter((_, at) => wanted.includes(kinds[at]!)));
  const places = Array.from(rows.keys()).filter((at) => found.has(rows[at]!));
  const filtered = { rows: new Uint32Array(places.length), paths: new Uint32Array(places.length * levels) };
  for (const [to, at] of places.entries()) {
    filtered.rows[to] = rows[at]!;
    filtered.paths.set(paths.subarray(at * levels, (at + 1) * levels), to * levels);
  }
  return filtered;
}

/** Pack rows: a node with everything below it, a flat list within it, or the listed rows in that order. */
export type ExportedRows =
  | { readonly node: number; readonly level: PointLevel; readonly sort: RowSort }
  | { readonly node: number; readonly kind?: ExportedKind | undefined }
  | { readonly rows: readonly number[] }
  | UnplacedRows;

/** One row per occurrence of a keyword in the hierarchy, or one per group above them. */
export type ExportedKind = 'keywords' | 'clusters';

/** The keywords that no node names. */
export type UnplacedRows = { readonly unplaced: true };

const encoder = new TextEncoder();
const encoded = (part: string): Uint8Array => encoder.encode(part);

/**
 * A line of a table, with its end. An unknown cell is empty, and never 0. Texts that a spreadsheet would take for
 * formulas are neutralised.
 *
 * Exports have tens of millions of cells; a CSV library took three quarters of their time.
 *
 * Source: RFC 4180. Quotes cells with a lone CR or LF as well, which many programs take for the end of a line.
 */
export function csvLine(cells: readonly CellValue[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) line += ',';
    const cell = cells[index];
    if (typeof cell === 'string') line += csvText(cell);
    else if (cell !== undefined) line += cell;
  }
  return `${line}\r\n`;
}

function csvText(text: string): string {
  const harmless = harmlessCell(text);
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const needsQuotes = /[",\r\n]/;
