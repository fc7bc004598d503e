import { type WalkedRows, walkBranch, walkRows, walkUnplaced } from '@kc/pack/detail/walk-branch';
import type { PackReader, RowSource } from '@kc/pack/format/pack-reader';
import { headerOf, levelsOf, linesOf } from './csv-columns.ts';
import { csvLine } from './csv-text.ts';

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
  yield encoded(`\ufeff${csvLine(headerOf(pack))}`);
  for await (const block of blocks) {
    let part = '';
    for (const line of await linesOf(pack, figures, block)) {
      part += csvLine(line);
      if (part.length < partLength) continue;
      yield encoded(part);
      part = '';
    }
    if (part.length > 0) yield encoded(part);
  }
}

/** Pack rows: a node with all below it, or those that somebody lists, in that order. */
export type ExportedRows = { readonly node: number } | { readonly rows: readonly number[] } | UnplacedRows;

/** The keywords that no node names. */
export type UnplacedRows = { readonly unplaced: true };

const encoder = new TextEncoder();
const encoded = (part: string): Uint8Array => encoder.encode(part);
