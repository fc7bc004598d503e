import type { HashKey } from '../names/half-sip-hash.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import type { GrowingTables } from '../upload/upload-tables.ts';
import { Addresses } from './addresses.ts';
import { FoldLengths } from './fold-lengths.ts';
import { KeywordJoin } from './keyword-join.ts';

/** Fewer new rows wait for the next call. */
const defaultRows = 8192;

/**
 * Builds the parts of a tree that can be built before the last byte of its file arrives: the join, the node IDs, and
 * which names are folded. One instance per file.
 */
export class IncrementalTree {
  readonly join: KeywordJoin;
  readonly addresses: Addresses;
  readonly folds: FoldLengths;
  readonly #enoughRows: number;
  #rows = 0;

  /**
   * @param key random, used only for the join
   * @param loop hashes and folds many names at a time, if it can run
   * @param enoughRows the minimum number of new rows per batch
   */
  constructor(key: HashKey, loop?: NameLoop, enoughRows = defaultRows) {
    this.#enoughRows = enoughRows;
    this.join = new KeywordJoin(key, loop);
    this.addresses = new Addresses(loop);
    this.folds = new FoldLengths(loop);
  }

  /** Processes the rows that arrived since the last call. */
  advance(tables: GrowingTables): void {
    const rows = tables.nodes.rows + tables.keywords.rows;
    if (rows - this.#rows < this.#enoughRows) return;
    this.#rows = rows;
    this.join.advance(tables);
    this.addresses.advance(tables.nodes);
    this.folds.advance(tables.nodes);
  }
}
