import { PIECE_BYTES, Pieces } from '../json/pieces.ts';
import { emptyMetric, type MetricArrays, type MetricName, metricNames } from './metric-columns.ts';
import { release } from './release.ts';
import type { UploadRows } from './upload-rows.ts';
import type { EntryColumns, MetricColumns } from './upload-tables.ts';

const ROW_BITS = 16;
const BLOCK_ROWS = 1 << ROW_BITS;
const ROW_MASK = BLOCK_ROWS - 1;
const FIRST_ROWS = 1 << 10;
const FIRST_NAME_BYTES = 1 << 12;

type PlaceColumn = 'nameStart' | 'nameLength' | 'byteStart' | 'byteEnd' | 'parent' | 'type';

/** The columns of up to 64 Ki rows. A metric has an array from the first value that is known on. */
class EntryBlock {
  readonly rows: number;
  nameStart: Uint32Array<ArrayBuffer>;
  nameLength: Uint32Array<ArrayBuffer>;
  byteStart: Uint32Array<ArrayBuffer>;
  byteEnd: Uint32Array<ArrayBuffer>;
  /** Only for nodes, as `type` is. */
  parent: Uint32Array<ArrayBuffer>;
  type: Uint16Array<ArrayBuffer>;
  // Each declared here, so that every block has the same shape.
  volume: MetricArrays['volume'] | undefined = undefined;
  difficulty: MetricArrays['difficulty'] | undefined = undefined;
  cpc: MetricArrays['cpc'] | undefined = undefined;
  competition: MetricArrays['competition'] | undefined = undefined;
  position: MetricArrays['position'] | undefined = undefined;
  intent: MetricArrays['intent'] | undefined = undefined;

  constructor(rows: number, isNodes: boolean, pieces: Pieces) {
    this.rows = rows;
    this.nameStart = pieces.cut('nameStart', Uint32Array, rows);
    this.nameLength = pieces.cut('nameLength', Uint32Array, rows);
    this.byteStart = pieces.cut('byteStart', Uint32Array, rows);
    this.byteEnd = pieces.cut('byteEnd', Uint32Array, rows);
    this.parent = isNodes ? pieces.cut('parent', Uint32Array, rows) : new Uint32Array(0);
    this.type = isNodes ? pieces.cut('type', Uint16Array, rows) : new Uint16Array(0);
  }
}

/**
 * A table that grows: fixed blocks while rows come, one array a column at the end.
 *
 * Only the first block grows by copying, so a small file stays small. Flattening frees each column piece by piece as it
 * goes, so the peak is the table and a piece. Metrics that no row brings cost nothing.
 */
export class GrowingTable {
  rows = 0;
  #capacity = 0;
  readonly #isNodes: boolean;
  readonly #blocks: EntryBlock[] = [];
  #last: EntryBlock | undefined;
  readonly #pieces = new Pieces(BLOCK_ROWS);
  readonly #nameBlocks: Uint8Array<ArrayBuffer>[] = [];
  #names = new Uint8Array(0);
  #nameView = new DataView(this.#names.buffer);
  #nameBase = 0;
  #nameEnd = 0;

  constructor(isNodes: boolean) {
    this.#isNodes = isNodes;
  }

  /** Bytes of all names so far. */
  get nameBytes(): number {
    return this.#nameBase + this.#nameEnd;
  }

  /** Adds a row that begins at this byte of the file. */
  open(byteStart: number): number {
    const row = this.rows++;
    if (row === this.#capacity) this.#grow(row);
    this.#last!.byteStart[row & ROW_MASK] = byteStart;
    return row;
  }

  /** Adds a row whose name and end are known: what `open`, `setName` and `close` do. Answers its block. */
  add(byteStart: number, byteEnd: number, view: DataView, start: number, end: number): EntryBlock {
    const row = this.rows++;
    if (row === this.#capacity) this.#grow(row);
    const at = row & ROW_MASK;
    const block = this.#last!;
    const length = end - start;
    // Words of four bytes are copied, the last one beyond the name.
    if (this.#nameEnd + length + 4 > this.#names.length) this.#addNameBlock(length + 4);
    const names = this.#nameView;
    let to = this.#nameEnd;
    block.byteStart[at] = byteStart;
    block.byteEnd[at] = byteEnd;
    block.nameStart[at] = this.#nameBase + to;
    block.nameLength[at] = length;
    this.#nameEnd = to + length;
    for (let i = start; i < end; i += 4) {
      names.setInt32(to, view.getInt32(i, true), true);
      to += 4;
    }
    return block;
  }

  /** Adds the rows of a run, children of one parent where they are nodes. */
  append(run: UploadRows, parent: number): void {
    const { rows, nameBytes } = run;
    if (this.#nameEnd + nameBytes > this.#names.length) this.#addNameBlock(nameBytes);
    this.#names.set(run.names.subarray(0, nameBytes), this.#nameEnd);
    this.#nameEnd += nameBytes;
    for (let from = 0; from < rows; ) {
      if (this.rows === this.#capacity) this.#grow(this.rows);
      const to = from + Math.min(rows - from, this.#capacity - this.rows);
      this.#setRows(run, from, to, parent);
      this.rows += to - from;
      from = to;
    }
  }

  #setRows(run: UploadRows, from: number, to: number, parent: number): void {
    const block = this.#last!;
    const at = this.rows & ROW_MASK;
    block.byteStart.set(run.byteStart.subarray(from, to), at);
    block.byteEnd.set(run.byteEnd.subarray(from, to), at);
    block.nameStart.set(run.nameStart.subarray(from, to), at);
    block.nameLength.set(run.nameLength.subarray(from, to), at);
    if (this.#isNodes) {
      block.parent.fill(parent, at, at + to - from);
      block.type.set(run.type.subarray(from, to), at);
      return;
    }
    for (const [metric, name] of metricNames.entries()) {
      if (run.knows(metric))
        (block[name] ?? this.#addMetric(block, name)).set(run.metrics[name].subarray(from, to), at);
    }
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

  setMetric(row: number, name: MetricName, value: number): void {
    const block = this.block(row);
    const at = row & ROW_MASK;
    // Each name by itself, because a member under a name that varies is looked up every time.
    switch (name) {
      case 'volume':
        (block.volume ?? this.#addMetric(block, name))[at] = value;
        return;
      case 'difficulty':
        (block.difficulty ?? this.#addMetric(block, name))[at] = value;
        return;
      case 'cpc':
        (block.cpc ?? this.#addMetric(block, name))[at] = value;
        return;
      case 'competition':
        (block.competition ?? this.#addMetric(block, name))[at] = value;
        return;
      case 'position':
        (block.position ?? this.#addMetric(block, name))[at] = value;
        return;
      case 'intent':
        (block.intent ?? this.#addMetric(block, name))[at] = value;
    }
  }

  addIntents(row: number, bits: number): void {
    const block = this.block(row);
    const intents = block.intent ?? this.#addMetric(block, 'intent');
    intents[row & ROW_MASK]! |= bits;
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
      nameStart: this.#flattenInto(new Uint32Array(rows), 'nameStart'),
      nameLength: this.#flattenInto(new Uint32Array(rows), 'nameLength'),
      byteStart: this.#flattenInto(new Uint32Array(rows), 'byteStart'),
      byteEnd: this.#flattenInto(new Uint32Array(rows), 'byteEnd'),
      metrics: this.#flattenMetrics(),
      parent: this.#flattenInto(new Uint32Array(nodeRows), 'parent'),
      type: this.#flattenInto(new Uint16Array(nodeRows), 'type'),
    };
  }

  #addMetric<Name extends MetricName>(block: EntryBlock, name: Name): MetricArrays[Name] {
    const column = emptyMetric(name, block.rows, (array, rows) => this.#pieces.cut(name, array, rows));
    // The compiler does not see that a block's `name` and the column are of one kind.
    (block as { [N in MetricName]: MetricArrays[N] | undefined })[name] = column as never;
    return column;
  }

  #grow(rows: number): void {
    if (rows === 0 || rows >= BLOCK_ROWS) {
      const size = rows === 0 ? FIRST_ROWS : BLOCK_ROWS;
      this.#blocks.push(new EntryBlock(size, this.#isNodes, this.#pieces));
      this.#capacity += size;
      this.#last = this.#blocks.at(-1);
      return;
    }
    const before = this.#blocks[0]!;
    const grown = new EntryBlock(rows * 2, this.#isNodes, this.#pieces);
    for (const name of placeColumns) grown[name].set(before[name]);
    for (const name of metricNames) if (before[name]) this.#addMetric(grown, name).set(before[name]);
    this.#blocks[0] = grown;
    this.#last = grown;
    this.#capacity = rows * 2;
  }

  #addNameBlock(length: number): void {
    if (this.#nameEnd > 0) this.#nameBlocks.push(this.#names.subarray(0, this.#nameEnd));
    this.#nameBase += this.#nameEnd;
    this.#names = new Uint8Array(Math.max(Math.min(PIECE_BYTES, FIRST_NAME_BYTES + this.#nameBase), length));
    this.#nameView = new DataView(this.#names.buffer);
    this.#nameEnd = 0;
  }

  #flattenNames(): Uint8Array {
    const names = new Uint8Array(this.#nameBase + this.#nameEnd);
    let at = 0;
    for (const block of this.#nameBlocks.splice(0)) {
      names.set(block, at);
      at += block.length;
      release(block);
    }
    names.set(this.#names.subarray(0, this.#nameEnd), at);
    this.#names = new Uint8Array(0);
    return names;
  }

  #flattenInto<T extends Uint32Array | Uint16Array>(column: T, name: PlaceColumn): T {
    let at = 0;
    for (const [index, block] of this.#blocks.entries()) {
      const part = block[name];
      column.set(part.subarray(0, Math.min(part.length, column.length - at)), at);
      at += part.length;
      if (this.#blocks[index + 1]?.[name].buffer !== part.buffer) release(part);
    }
    return column;
  }

  #flattenMetrics(): MetricColumns {
    const columns: { [Name in MetricName]?: MetricArrays[Name] } = {};
    for (const name of metricNames) {
      if (!this.#blocks.some((block) => block[name])) continue;
      const column = emptyMetric(name, this.rows);
      let before: Uint8Array | Float32Array | Float64Array | undefined;
      for (const [index, block] of this.#blocks.entries()) {
        const part = block[name];
        if (!part) continue;
        column.set(part.subarray(0, Math.min(part.length, column.length - index * BLOCK_ROWS)), index * BLOCK_ROWS);
        if (before && before.buffer !== part.buffer) release(before);
        before = part;
        block[name] = undefined;
      }
      if (before) release(before);
      columns[name] = column as never;
    }
    return columns;
  }
}

const placeColumns = ['nameStart', 'nameLength', 'byteStart', 'byteEnd', 'parent', 'type'] as const;
