import { release } from './release.ts';
import type { UploadRows } from './upload-rows.ts';
import {
  type EntryColumns,
  emptyColumn,
  type MetricArrays,
  type MetricColumns,
  type MetricName,
  metricNames,
} from './upload-tables.ts';

const FIRST_ROWS = 1 << 10;
const FIRST_NAME_BYTES = 1 << 15;
/** The number of rows after which the final size of a table is estimated. */
const ENOUGH_ROWS = 1 << 16;
/** The number of rows for which metrics are initialized as unknown in advance. */
const AHEAD_ROWS = 1 << 14;
/** The factor by which an estimate is increased, because names and rows tend to get shorter. */
const MARGIN = 1.25;

/**
 * A table that grows in place: rows are written directly into the final columns.
 *
 * Once enough rows are known, columns are allocated for the size they will have if the file continues as it began.
 * Unwritten parts take no memory, because operating systems allocate zeroed pages on first access. If an estimate is
 * too low or impossible, columns are copied one after the other. Metrics that no row contains cost nothing.
 */
export class GrowingTable {
  rows = 0;
  /** By row, like the columns of `EntryColumns`, but may be longer than the number of rows. */
  nameStart = new Uint32Array(0);
  nameLength = new Uint32Array(0);
  byteStart = new Uint32Array(0);
  byteEnd = new Uint32Array(0);
  names = new Uint8Array(0);
  /** Only for nodes, like `type`. */
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
  /** The number of initialized rows, in which metrics are unknown. */
  #ready = 0;
  #nameEnd = 0;

  /** @param fileBytes the size of the whole file; 0 if unknown */
  constructor(isNodes: boolean, fileBytes = 0) {
    this.#isNodes = isNodes;
    this.#fileBytes = fileBytes;
  }

  /** The size of all names so far, in bytes. */
  get nameBytes(): number {
    return this.#nameEnd;
  }

  /** Adds a row that starts at this byte of the file. */
  open(byteStart: number): number {
    const row = this.rows++;
    if (row === this.#ready) this.#makeReady(row, byteStart);
    this.byteStart[row] = byteStart;
    return row;
  }

  /** Adds the rows of a run. If they are nodes, all are children of `parent`. */
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
    // One branch per name: a property access with a variable name is looked up every time.
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

  /** The columns, cut to the number of rows. Must be the last call. */
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
    // The compiler cannot see that `name` and the column belong together.
    this.#metrics[name] = column as never;
    return column;
  }

  /** Initializes the rows up to this one and some beyond it. @param at the current position in the file */
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
  }

  /** The estimated number at the end of the file, if the file continues as before; 0 if there is no estimate. */
  #foreseen(now: number, at: number): number {
    const first = this.byteStart[0]!;
    const share = (this.#fileBytes - first) / (at - first);
    return share > 1 && Number.isFinite(share) ? Math.ceil(now * share * MARGIN) : 0;
  }
}

/** Tries both capacities, skipping those that are 0: the operating system may refuse to allocate the estimated size. */
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

/** Copies a column into a longer one and frees the shorter one. */
function moved<T extends Column>(from: T, to: T, length: number): T {
  to.set(from.subarray(0, length) as never);
  release(from);
  return to;
}

const placeColumns = ['nameStart', 'nameLength', 'byteStart', 'byteEnd', 'parent'] as const;
