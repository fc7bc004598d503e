import { type WalkedRows, walkBranch, walkRows, walkUnplaced } from '@kc/pack/detail/walk-branch';
import type { PackReader, RowSource } from '@kc/pack/format/pack-reader';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { stringify } from 'csv-stringify/sync';
import { type Cell, headerOf, levelsOf, linesOf } from './csv-columns.ts';

/** What is exported: a pack, or what a filter leaves of it. */
export type Exported = {
  readonly pack: PackReader;
  /** Where the figures come from. */
  readonly figures: RowSource;
  /** Whether a row is left; all are when left out. */
  readonly keeps?: (row: number) => boolean;
};

/** Characters of a part, about: names may be 64 KiB long, and each line says the whole way to its node. */
const partLength = 128 * 1024;

/**
 * A branch, or some rows, as a table: UTF-8 with a byte order mark, without which Excel reads any letter beyond ASCII
 * wrong; lines end as RFC 4180 says; texts that a spreadsheet would take for formulas are neutralised.
 *
 * Memory: the lines of one block, whatever is exported.
 * @throws RangeError when a row is no node
 */
export async function* csvOf({ pack, figures, keeps }: Exported, what: ExportedRows): AsyncGenerator<Uint8Array> {
  const levels = levelsOf(pack);
  const blocks: AsyncIterable<WalkedRows> =
    'rows' in what
      ? walkRows(pack, what.rows, levels)
      : 'unplaced' in what
        ? walkUnplaced(pack, levels)
        : walkBranch(pack, what.node, levels, keeps);
  yield encoded(`\ufeff${text([headerOf(pack)])}`);
  for await (const block of blocks) {
    let part: Cell[][] = [];
    let length = 0;
    for (const line of await linesOf(pack, figures, block)) {
      part.push(line);
      for (const cell of line) length += typeof cell === 'string' ? cell.length : 8;
      if (length < partLength) continue;
      yield encoded(text(part));
      part = [];
      length = 0;
    }
    if (part.length > 0) yield encoded(text(part));
  }
}

/** Pack rows: a node with all below it, or those that somebody lists, in that order. */
export type ExportedRows = { readonly node: number } | { readonly rows: readonly number[] } | UnplacedRows;

/** The keywords that no node names. */
export type UnplacedRows = { readonly unplaced: true };

const text = (lines: readonly (readonly Cell[])[]): string =>
  stringify(lines as Cell[][], { cast: { string: harmlessCell }, record_delimiter: 'windows' });

const encoder = new TextEncoder();
const encoded = (part: string): Uint8Array => encoder.encode(part);
