import { DataRows, type RowReport } from './data-rows.ts';
import { JsonObjects, listNameIn } from './json-objects.ts';
import { excerpt, maxColumns, type Reading, type Rows } from './reading.ts';

// Tables as JSON: a list of objects, or one a line, as interfaces and scripts write them. Members are columns.

/** Members of members are columns, too: `keyword_info.cpc`. What is deeper is one value. */
const maxDepth = 3;

type Cells = Map<string, string>;

/** The values of an object by the names of its members. */
function cellsOf(object: object, before = '', depth = 1, cells: Cells = new Map()): Cells {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    const path = before + name;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && depth < maxDepth) cellsOf(value, `${path}.`, depth + 1, cells);
    else cells.set(path, textOf(value));
  }
  return cells;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The names of all members of the first objects, as a header, and their values. @param head the beginning of a file, as text */
export function rowsOfObjects(head: string): Rows {
  const found: { readonly line: number; readonly cells: Cells }[] = [];
  const sink = {
    object(text: string, line: number) {
      const cells = cellsIn(text);
      if (cells) found.push({ line, cells });
    },
    problem: () => undefined,
  };
  new JsonObjects(sink, listNameIn(head)).write(head);
  const [first] = found;
  if (!first) return { line: [], cells: [] };
  const names = [...new Set(found.flatMap(({ cells }) => [...cells.keys()]))].slice(0, maxColumns + 1);
  return {
    line: [first.line, ...found.map(({ line }) => line)],
    cells: [names, ...found.map(({ cells }) => names.map((name) => cells.get(name) ?? ''))],
  };
}

function cellsIn(text: string): Cells | undefined {
  try {
    return cellsOf(JSON.parse(text) as object);
  } catch {
    return undefined;
  }
}

/** Reads the rows of such a file while its text arrives. */
export class JsonRows {
  readonly #names: readonly string[];
  readonly #rows: DataRows;
  readonly #objects: JsonObjects;
  #batch: { line: number[]; cells: string[][] } = { line: [], cells: [] };

  /** @param head the beginning of the file, as text @param take receives the rows in batches */
  constructor(reading: Reading, head: string, take: (rows: Rows) => void) {
    this.#names = reading.header?.names ?? [];
    this.#rows = new DataRows({ ...reading, skipped: 0 }, take);
    const sink: ConstructorParameters<typeof JsonObjects>[0] = {
      object: (text, line) => this.#object(text, line),
      problem: (reason, line, text) => this.#rows.problem({ line, reason, text: excerpt(text.trim()) }),
    };
    this.#objects = new JsonObjects(sink, listNameIn(head));
  }

  write(text: string): void {
    this.#objects.write(text);
    this.#passOn();
  }

  /** Must be the last call. */
  end(): RowReport {
    this.#objects.end();
    this.#passOn();
    this.#rows.end();
    return this.#rows.report;
  }

  #object(text: string, line: number): void {
    const cells = cellsIn(text);
    if (!cells) {
      this.#rows.problem({ line, reason: 'answer-broken', text: excerpt(text.trim()) });
      return;
    }
    this.#batch.line.push(line);
    this.#batch.cells.push(this.#names.map((name) => cells.get(name) ?? ''));
  }

  #passOn(): void {
    if (this.#batch.line.length > 0) this.#rows.rows(this.#batch);
    this.#batch = { line: [], cells: [] };
  }
}
