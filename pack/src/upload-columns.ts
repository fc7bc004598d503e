import type { EntryColumns } from './upload-tables.ts';

const ROW_BITS = 16;
const BLOCK_ROWS = 1 << ROW_BITS;
const ROW_MASK = BLOCK_ROWS - 1;
const FIRST_ROWS = 1 << 10;
const NAME_BLOCK_BYTES = 1 << 20;
const FIRST_NAME_BYTES = 1 << 12;

/** The columns of up to 64 Ki rows. Metrics begin as unknown, so a row that brings none costs nothing. */
class EntryBlock {
  nameStart: Float64Array<ArrayBuffer>;
  nameLength: Uint32Array<ArrayBuffer>;
  byteStart: Float64Array<ArrayBuffer>;
  byteEnd: Float64Array<ArrayBuffer>;
  volume: Float64Array<ArrayBuffer>;
  difficulty: Float32Array<ArrayBuffer>;
  cpc: Float32Array<ArrayBuffer>;
  competition: Float32Array<ArrayBuffer>;
  position: Float32Array<ArrayBuffer>;
  intent: Uint8Array<ArrayBuffer>;
  /** Only for nodes, as `type` is. */
  parent: Uint32Array<ArrayBuffer>;
  type: Uint16Array<ArrayBuffer>;

  constructor(rows: number, isNodes: boolean) {
    this.nameStart = new Float64Array(rows);
    this.nameLength = new Uint32Array(rows);
    this.byteStart = new Float64Array(rows);
    this.byteEnd = new Float64Array(rows);
    this.volume = new Float64Array(rows).fill(Number.NaN);
    this.difficulty = new Float32Array(rows).fill(Number.NaN);
    this.cpc = new Float32Array(rows).fill(Number.NaN);
    this.competition = new Float32Array(rows).fill(Number.NaN);
    this.position = new Float32Array(rows).fill(Number.NaN);
    this.intent = new Uint8Array(rows);
    this.parent = new Uint32Array(isNodes ? rows : 0);
    this.type = new Uint16Array(isNodes ? rows : 0);
  }
}

/**
 * A table that grows: fixed blocks while rows come, one array a column at the end.
 *
 * Only the first block grows by copying, so a small file stays small. Flattening frees each block's column as it goes,
 * so the peak is the table and one column.
 */
export class GrowingTable {
  rows = 0;
  #capacity = 0;
  readonly #isNodes: boolean;
  readonly #blocks: EntryBlock[] = [];
  readonly #nameBlocks: Uint8Array<ArrayBuffer>[] = [];
  #names = new Uint8Array(0);
  #nameBase = 0;
  #nameEnd = 0;

  constructor(isNodes: boolean) {
    this.#isNodes = isNodes;
  }

  /** Adds a row that begins at this byte of the file. */
  open(byteStart: number): number {
    const row = this.rows++;
    if (row === this.#capacity) this.#grow(row);
    this.block(row).byteStart[row & ROW_MASK] = byteStart;
    return row;
  }

  close(row: number, byteEnd: number): void {
    this.block(row).byteEnd[row & ROW_MASK] = byteEnd;
  }

  /** The block of a row; the row stands in it at `at(row)`. */
  block(row: number): EntryBlock {
    return this.#blocks[row >>> ROW_BITS]!;
  }

  at(row: number): number {
    return row & ROW_MASK;
  }

  setName(row: number, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.#nameEnd + length > this.#names.length) this.#addNameBlock(length);
    const names = this.#names;
    let to = this.#nameEnd;
    const block = this.block(row);
    block.nameStart[row & ROW_MASK] = this.#nameBase + to;
    block.nameLength[row & ROW_MASK] = length;
    for (let i = start; i < end; i++) names[to++] = bytes[i]!;
    this.#nameEnd = to;
  }

  /** All rows as one array a column. The table is empty afterwards. */
  flatten(): EntryColumns & { parent: Uint32Array; type: Uint16Array } {
    const rows = this.rows;
    const nodeRows = this.#isNodes ? rows : 0;
    return {
      rows,
      names: this.#flattenNames(),
      nameStart: this.#flattenInto(new Float64Array(rows), 'nameStart'),
      nameLength: this.#flattenInto(new Uint32Array(rows), 'nameLength'),
      byteStart: this.#flattenInto(new Float64Array(rows), 'byteStart'),
      byteEnd: this.#flattenInto(new Float64Array(rows), 'byteEnd'),
      metrics: {
        volume: this.#flattenInto(new Float64Array(rows), 'volume'),
        difficulty: this.#flattenInto(new Float32Array(rows), 'difficulty'),
        cpc: this.#flattenInto(new Float32Array(rows), 'cpc'),
        competition: this.#flattenInto(new Float32Array(rows), 'competition'),
        position: this.#flattenInto(new Float32Array(rows), 'position'),
        intent: this.#flattenInto(new Uint8Array(rows), 'intent'),
      },
      parent: this.#flattenInto(new Uint32Array(nodeRows), 'parent'),
      type: this.#flattenInto(new Uint16Array(nodeRows), 'type'),
    };
  }

  #grow(rows: number): void {
    if (rows === 0 || rows >= BLOCK_ROWS) {
      const size = rows === 0 ? FIRST_ROWS : BLOCK_ROWS;
      this.#blocks.push(new EntryBlock(size, this.#isNodes));
      this.#capacity += size;
      return;
    }
    const grown = new EntryBlock(rows * 2, this.#isNodes);
    for (const name of Object.keys(grown) as (keyof EntryBlock)[]) grown[name].set(this.#blocks[0]![name]);
    this.#blocks[0] = grown;
    this.#capacity = rows * 2;
  }

  #addNameBlock(length: number): void {
    if (this.#nameEnd > 0) this.#nameBlocks.push(this.#names.subarray(0, this.#nameEnd));
    this.#nameBase += this.#nameEnd;
    this.#names = new Uint8Array(Math.max(Math.min(NAME_BLOCK_BYTES, FIRST_NAME_BYTES + this.#nameBase), length));
    this.#nameEnd = 0;
  }

  #flattenNames(): Uint8Array {
    const names = new Uint8Array(this.#nameBase + this.#nameEnd);
    let at = 0;
    for (const block of this.#nameBlocks.splice(0)) {
      names.set(block, at);
      at += block.length;
    }
    names.set(this.#names.subarray(0, this.#nameEnd), at);
    this.#names = new Uint8Array(0);
    return names;
  }

  #flattenInto<Name extends keyof EntryBlock>(column: EntryBlock[Name], name: Name): EntryBlock[Name] {
    let at = 0;
    const none = column.subarray(0, 0) as EntryBlock[Name];
    for (const block of this.#blocks) {
      const part = block[name];
      column.set(part.subarray(0, Math.min(part.length, column.length - at)), at);
      at += part.length;
      block[name] = none;
    }
    return column;
  }
}
