import type { HashKey } from '../names/hash-key.ts';
import type { NameLoop } from '../upload/name-loop.ts';
import type { GrowingTables } from '../upload/upload-tables.ts';
import { Addresses } from './addresses.ts';
import { FoldLengths } from './fold-lengths.ts';
import { KeywordJoin } from './keyword-join.ts';

/** Fewer new rows are left for the next time. */
const usualRows = 8192;

/**
 * What of a tree can be made before the last byte of its file is there: the join, the addresses, and which
 * names are folded. For one file.
 */
export class IncrementalTree {
  readonly join: KeywordJoin;
  readonly addresses: Addresses;
  readonly folds: FoldLengths;
  readonly #enoughRows: number;
  #rows = 0;

  /**
   * @param key random, for the join only
   * @param loop what hashes and folds many names at a time, where it can run
   * @param enoughRows how many new rows are worth a turn
   */
  constructor(key: HashKey, loop?: NameLoop, enoughRows = usualRows) {
    this.#enoughRows = enoughRows;
    this.join = new KeywordJoin(key, loop);
    this.addresses = new Addresses(loop);
    this.folds = new FoldLengths(loop);
  }

  /** Takes the rows that came since it was called last. */
  advance(tables: GrowingTables): void {
    const rows = tables.nodes.rows + tables.keywords.rows;
    if (rows - this.#rows < this.#enoughRows) return;
    this.#rows = rows;
    this.join.advance(tables);
    this.addresses.advance(tables.nodes);
    this.folds.advance(tables.nodes);
  }
}
