import { emptyColumn, type MetricArrays, type MetricName, metricNames } from './metric-columns.ts';
import { release } from './release.ts';
import type { UploadRows } from './upload-rows.ts';
import type { EntryColumns, MetricColumns } from './upload-tables.ts';

const FIRST_ROWS = 1 << 10;
const FIRST_NAME_BYTES = 1 << 15;
/** From so many rows on, the rest of a table is foreseen. */
const ENOUGH_ROWS = 1 << 16;
/** Metrics are made unknown for so many rows ahead. */
const AHEAD_ROWS = 1 << 14;
/** Of what is foreseen, so much is asked for: names become shorter, and rows with them. */
const MARGIN = 1.25;

/**
 * A table that grows where it stands: the columns that it has at the end are the ones that rows were written to.
 *
 * Once there are rows enough to tell, columns are made as long as they will be if the file goes on as it began. What is not
 * written to takes no memory: systems give zeros when they are touched. Where more comes than was foreseen, or nothing can
 * be, columns are copied, one after the other. Metrics that no row brings cost nothing.
 */
export class GrowingTable {
  rows = 0;
  /** By row, like the columns of `EntryColumns`; longer than there are rows. */
  nameStart = new Uint32Array(0);
  nameLength = new Uint32Array(0);
  byteStart = new Uint32Array(0);
  byteEnd = new Uint32Array(0);
  names = new Uint8Array(0);
  /** Only for nodes, as `type` is. */
  parent = new Uint32Array(0);
  type = new Uint16Array(0);
  readonly #metrics: { [Name in MetricName]: MetricArrays[Name] | undefined } = {
    volume: undefined,
    difficulty: undefined,
    cpc: undefined,
    competition: undefined,
    position: undefined,
    intent: undefined,
  };
  readonly #isNodes: boolean;
  readonly #fileBytes: number;
  #capacity = 0;
  /** Rows that are ready to be written to: metrics are unknown in them. */
  #ready = 0;
  #nameView = new DataView(this.names.buffer);
  #nameEnd = 0;

  /** @param fileBytes of the whole file; 0 where that is not known */
  constructor(isNodes: boolean, fileBytes = 0) {
    this.#isNodes = isNodes;
    this.#fileBytes = fileBytes;
  }

  /** Bytes of all names so far. */
  get nameBytes(): number {
    return this.#nameEnd;
  }

  /** Adds a row that begins at this byte of the file. */
  open(byteStart: number): number {
    const row = this.rows++;
    if (row === this.#ready) this.#makeReady(row, byteStart);
    this.byteStart[row] = byteStart;
    return row;
  }

  /** Adds a row whose name and end are known: what `open`, `setName` and `close` do. Answers its number. */
  add(byteStart: number, byteEnd: number, view: DataView, start: number, end: number): number {
    const row = this.rows++;
    if (row === this.#ready) this.#makeReady(row, byteStart);
    const length = end - start;
    // Words of four bytes are copied, the last one beyond the name.
    if (this.#nameEnd + length + 4 > this.names.length) this.#growNames(length + 4, byteStart);
    const names = this.#nameView;
    let to = this.#nameEnd;
    this.byteStart[row] = byteStart;
    this.byteEnd[row] = byteEnd;
    this.nameStart[row] = to;
    this.nameLength[row] = length;
    this.#nameEnd = to + length;
    for (let i = start; i < end; i += 4) {
      names.setInt32(to, view.getInt32(i, true), true);
      to += 4;
    }
    return row;
  }

  /** Adds the rows of a run, children of one parent where they are nodes. */
  append(run: UploadRows, parent: number): void {
    const { rows, nameBytes } = run;
    const at = this.rows;
    const byteStart = run.byteStart[0]!;
    if (this.#nameEnd + nameBytes > this.names.length) this.#growNames(nameBytes, byteStart);
    this.names.set(run.names.subarray(0, nameBytes), this.#nameEnd);
    this.#nameEnd += nameBytes;
    if (at + rows > this.#ready) this.#makeReady(at + rows - 1, byteStart);
    this.rows += rows;
    this.byteStart.set(run.byteStart.subarray(0, rows), at);
    this.byteEnd.set(run.byteEnd.subarray(0, rows), at);
    this.nameStart.set(run.nameStart.subarray(0, rows), at);
    this.nameLength.set(run.nameLength.subarray(0, rows), at);
    if (this.#isNodes) {
      this.parent.fill(parent, at, at + rows);
      this.type.set(run.type.subarray(0, rows), at);
      return;
    }
    for (const [metric, name] of metricNames.entries()) {
      if (run.knows(metric))
        (this.#metrics[name] ?? this.#addMetric(name)).set(run.metrics[name].subarray(0, rows), at);
    }
  }

  close(row: number, byteEnd: number): void {
    this.byteEnd[row] = byteEnd;
  }

  setMetric(row: number, name: MetricName, value: number): void {
    const metrics = this.#metrics;
    // Each name by itself, because a member under a name that varies is looked up every time.
    switch (name) {
      case 'volume':
        (metrics.volume ?? this.#addMetric(name))[row] = value;
        return;
      case 'difficulty':
        (metrics.difficulty ?? this.#addMetric(name))[row] = value;
        return;
      case 'cpc':
        (metrics.cpc ?? this.#addMetric(name))[row] = value;
        return;
      case 'competition':
        (metrics.competition ?? this.#addMetric(name))[row] = value;
        return;
      case 'position':
        (metrics.position ?? this.#addMetric(name))[row] = value;
        return;
      case 'intent':
        (metrics.intent ?? this.#addMetric(name))[row] = value;
    }
  }

  addIntents(row: number, bits: number): void {
    const intents = this.#metrics.intent ?? this.#addMetric('intent');
    intents[row]! |= bits;
  }

  setName(row: number, bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.#nameEnd + length > this.names.length) this.#growNames(length, this.byteStart[row]!);
    const names = this.names;
    let to = this.#nameEnd;
    this.nameStart[row] = to;
    this.nameLength[row] = length;
    for (let i = start; i < end; i++) names[to++] = bytes[i]!;
    this.#nameEnd = to;
  }

  /** The columns as they are, cut to the rows there are. Nothing may be added afterwards. */
  finish(): EntryColumns & { parent: Uint32Array; type: Uint16Array } {
    const { rows } = this;
    const metrics: { [Name in MetricName]?: MetricArrays[Name] } = {};
    for (const name of metricNames) {
      const column = this.#metrics[name];
      if (column) metrics[name] = column.subarray(0, rows) as never;
    }
    return {
      rows,
      names: this.names.subarray(0, this.#nameEnd),
      nameStart: this.nameStart.subarray(0, rows),
      nameLength: this.nameLength.subarray(0, rows),
      byteStart: this.byteStart.subarray(0, rows),
      byteEnd: this.byteEnd.subarray(0, rows),
      metrics: metrics satisfies MetricColumns,
      parent: this.parent.subarray(0, this.#isNodes ? rows : 0),
      type: this.type.subarray(0, this.#isNodes ? rows : 0),
    };
  }

  #addMetric<Name extends MetricName>(name: Name): MetricArrays[Name] {
    const column = emptyColumn(name, this.#capacity);
    if (name !== 'intent') column.fill(Number.NaN, 0, this.#ready);
    // The compiler does not see that `name` and the column are of one kind.
    this.#metrics[name] = column as never;
    return column;
  }

  /** Up to this row and some beyond it. @param at the place in the file that rows come from */
  #makeReady(row: number, at: number): void {
    if (row >= this.#capacity) this.#grow(row, at);
    const end = Math.min(this.#capacity, row + AHEAD_ROWS);
    for (const name of metricNames) if (name !== 'intent') this.#metrics[name]?.fill(Number.NaN, this.#ready, end);
    this.#ready = end;
  }

  #grow(row: number, at: number): void {
    const before = this.#ready;
    const foreseen = before < ENOUGH_ROWS ? 0 : this.#foreseen(row + 1, at);
    this.#capacity = withRoom([foreseen, Math.max(FIRST_ROWS, 2 * row)], (capacity) => {
      for (const name of placeColumns) {
        if (name === 'parent' && !this.#isNodes) continue;
        this[name] = moved(this[name], new Uint32Array(capacity), before);
      }
      if (this.#isNodes) this.type = moved(this.type, new Uint16Array(capacity), before);
      for (const name of metricNames) {
        const column = this.#metrics[name];
        if (column) this.#metrics[name] = moved(column, emptyColumn(name, capacity) as typeof column, before) as never;
      }
    });
  }

  #growNames(length: number, at: number): void {
    const needed = this.#nameEnd + length;
    const foreseen = this.rows < ENOUGH_ROWS ? 0 : this.#foreseen(needed, at);
    withRoom([foreseen, Math.max(FIRST_NAME_BYTES, 2 * needed)], (capacity) => {
      this.names = moved(this.names, new Uint8Array(capacity), this.#nameEnd);
    });
    this.#nameView = new DataView(this.names.buffer);
  }

  /** How many there will be at the end of the file, if it goes on as this table has been. 0 where that cannot be told. */
  #foreseen(now: number, at: number): number {
    const first = this.byteStart[0]!;
    const share = (this.#fileBytes - first) / (at - first);
    return share > 1 && Number.isFinite(share) ? Math.ceil(now * share * MARGIN) : 0;
  }
}

/** Tries for each of two capacities that is more than nothing: what is foreseen may be more than a system wants to promise. */
function withRoom([foreseen, needed]: readonly [number, number], make: (capacity: number) => void): number {
  if (foreseen > 0) {
    try {
      make(foreseen);
      return foreseen;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  make(needed);
  return needed;
}

type Column = { readonly buffer: ArrayBuffer; subarray(start: number, end: number): Column; set(from: never): void };

/** What stands in a column, in a longer one; the memory of the shorter one is free then. */
function moved<T extends Column>(from: T, to: T, length: number): T {
  to.set(from.subarray(0, length) as never);
  release(from);
  return to;
}

const placeColumns = ['nameStart', 'nameLength', 'byteStart', 'byteEnd', 'parent'] as const;
