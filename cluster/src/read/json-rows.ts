import { DataRows, type RowReport } from './data-rows.ts';
import { JsonObjects, listNamesIn } from './json-objects.ts';
import { keywordOfAnswer, listsOfAnswers, trendOf } from './keyword-answers.ts';
import { excerpt, maxColumns, type Problem, type Reading, type Rows } from './reading.ts';

// Tables as JSON: a list of objects, or one a line, as interfaces and scripts write them. Members are columns.

/** Members of members are columns, too: `keyword_info.cpc`. What is deeper is one value. */
const maxDepth = 3;

type Cells = Map<string, string>;

/**
 * The values of an object by the names of its members. `keys` of Search Console's interface has a value for each dimension that
 * was asked for, such as the query and its page: these are columns.
 */
function cellsOf(object: object, before = '', depth = 1, cells: Cells = new Map()): Cells {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    const path = before + name;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && depth < maxDepth) cellsOf(value, `${path}.`, depth + 1, cells);
    else if (path === 'keys' && Array.isArray(value) && value.length > 1)
      for (const [at, key] of value.entries()) cells.set(`keys.${at + 1}`, textOf(key));
    else cells.set(path.trim(), trendOf(value) ?? textOf(value));
  }
  return cells;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Of objects: a table, and how many of its columns the beginning of the file has. */
export type ObjectTable = { readonly rows: Rows; readonly early: number };

type Found = { readonly line: number; readonly cells: Cells };

/** Of members that the beginning of a file does not have, so many values show what they are. */
const enoughShown = 100;
/** So many objects beyond the beginning show such members, with so many characters together. */
const maxShown = { objects: 2000, characters: 1 << 20 };

/**
 * The names of all members, as a header, and the objects that show what they hold: those at the beginning of a file, and
 * some of the later ones that have other members. Memory: those objects, and one more.
 */
export class JsonMembers {
  readonly #objects: JsonObjects;
  readonly #early = new Set<string>();
  readonly #beginning: Found[] = [];
  /** Names that only later objects have, with how many of their values are shown. */
  readonly #late = new Map<string, number>();
  readonly #later: Found[] = [];
  #laterCharacters = 0;
  #isBeginning = true;
  readonly #listNames: readonly string[];

  /** @param head the beginning of the file, as text */
  constructor(head: string) {
    const sink = {
      object: (text: string, line: number) => this.#object(text, line),
      problem: () => undefined,
    };
    this.#listNames = listNamesIn(head);
    this.#objects = new JsonObjects(sink, this.#listNames);
    this.#objects.write(head);
    this.#isBeginning = false;
  }

  /** Takes what follows the beginning. */
  write(text: string): void {
    this.#objects.write(text);
  }

  get table(): ObjectTable {
    const [first] = this.#beginning;
    if (!first) return { rows: { line: [], cells: [] }, early: 0 };
    const early = [...this.#early].slice(0, maxColumns + 1);
    const names = [...early, ...this.#late.keys()].slice(0, maxColumns + 1);
    const rowOf = (columns: readonly string[], { cells }: Found) => columns.map((name) => cells.get(name) ?? '');
    const rows = {
      line: [first, ...this.#beginning, ...this.#later].map(({ line }) => line),
      cells: [
        names,
        ...this.#beginning.map((found) => rowOf(early, found)),
        ...this.#later.map((found) => rowOf(names, found)),
      ],
    };
    return { rows, early: early.length };
  }

  #object(text: string, line: number): void {
    const cells = cellsIn(text, this.#listNames);
    if (!(cells instanceof Map)) return;
    if (this.#isBeginning) {
      for (const name of cells.keys()) this.#early.add(name);
      this.#beginning.push({ line, cells });
      return;
    }
    const showsMore = this.#showsMore(cells);
    const characters = this.#laterCharacters + text.length;
    if (!showsMore || this.#later.length === maxShown.objects || characters > maxShown.characters) return;
    for (const [name, shown] of this.#late) if (cells.get(name)) this.#late.set(name, shown + 1);
    this.#later.push({ line, cells });
    this.#laterCharacters = characters;
  }

  /** Whether an object has a value of a member of which few are shown. Takes the names that are new. */
  #showsMore(cells: Cells): boolean {
    let showsMore = false;
    for (const [name, value] of cells) {
      if (this.#early.has(name)) continue;
      const shown = this.#late.get(name) ?? 0;
      // More columns are refused anyway.
      if (shown === 0 && this.#early.size + this.#late.size <= maxColumns) this.#late.set(name, shown);
      showsMore ||= value !== '' && shown < enoughShown;
    }
    return showsMore;
  }
}

/** The cells of an object, or why it has none. @param listNames see {@link listNamesIn} */
function cellsIn(text: string, listNames: readonly string[]): Cells | { readonly fault?: Fault } {
  let object: object;
  try {
    object = JSON.parse(text) as object;
  } catch {
    return { fault: { reason: 'answer-broken', text } };
  }
  if (listNames !== listsOfAnswers) return cellsOf(object);
  const keyword = keywordOfAnswer(object);
  return 'keyword' in keyword ? cellsOf(keyword) : keyword;
}

type Fault = Pick<Problem, 'reason' | 'text'>;

/** Reads the rows of such a file while its text arrives. */
export class JsonRows {
  readonly #names: readonly string[];
  readonly #rows: DataRows;
  readonly #objects: JsonObjects;
  readonly #listNames: readonly string[];
  #batch: { line: number[]; cells: string[][] } = { line: [], cells: [] };

  /** @param head the beginning of the file, as text @param take receives the rows in batches */
  constructor(reading: Reading, head: string, take: (rows: Rows) => void) {
    this.#names = reading.header?.names ?? [];
    this.#rows = new DataRows({ ...reading, skipped: 0 }, take);
    const sink: ConstructorParameters<typeof JsonObjects>[0] = {
      object: (text, line) => this.#object(text, line),
      problem: (reason, line, text) => this.#rows.problem({ line, reason, text: excerpt(text.trim()) }),
    };
    this.#listNames = listNamesIn(head);
    this.#objects = new JsonObjects(sink, this.#listNames);
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
    const cells = cellsIn(text, this.#listNames);
    if (!(cells instanceof Map)) {
      if (cells.fault) this.#rows.problem({ ...cells.fault, line, text: excerpt(cells.fault.text.trim()) });
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
