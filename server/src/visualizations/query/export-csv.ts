import { type WalkedRows, walkBranch, walkRows, walkUnplaced } from '@kc/pack/detail/walk-branch';
import type { PackReader, RowSource } from '@kc/pack/format/pack-reader';
import { headerOf, levelsOf, linesOf } from './csv-columns.ts';
import { csvLine } from './csv-text.ts';

/** What is exported: a pack, or a pack under a filter. */
export type Exported = {
  readonly pack: PackReader;
  /** The source of the figures. */
  readonly figures: RowSource;
  /** Whether a row is kept; absent if all are. */
  readonly keeps?: (row: number) => boolean;
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

/** Pack rows: a node with everything below it, or the listed rows in that order. */
export type ExportedRows = { readonly node: number } | { readonly rows: readonly number[] } | UnplacedRows;

/** The keywords that no node names. */
export type UnplacedRows = { readonly unplaced: true };

const encoder = new TextEncoder();
const encoded = (part: string): Uint8Array => encoder.encode(part);
