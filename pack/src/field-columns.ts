import { ByteMap } from './byte-map.ts';
import type { ExtraFields, Extras } from './extra-fields.ts';
import { type CanonicalField, fieldOf, fold } from './fields.ts';
import { numberOfBytes } from './numbers.ts';
import { release } from './release.ts';
import { firstTrendField, TrendColumns, trendField } from './trend-columns.ts';
import type { UploadField } from './upload-tables.ts';

/** Members that are listened to: the first names that come. Later ones are only in the file. */
const maxHeard = 32;
/** Of those, the ones known most often become columns. */
const maxColumns = 16;
/** Different values of a category, as many as a byte can tell beside "unknown". */
const maxValues = 255;
const maxValueBytes = 64;
/** Of what is known of a field, the share that has to be numbers for it to be one; the rest is unknown then. */
const numberShare = 0.95;
const BLOCK_BITS = 12;
const BLOCK_ROWS = 1 << BLOCK_BITS;

/**
 * Turns members that have no column of their own into columns: numbers where (nearly) all known values are numbers,
 * categories where there are at most 255 different ones, nothing for the others. One for an ingest.
 *
 * A member's name is compared as `fields.ts` compares spellings. Empty texts, "n/a" and the like are unknown. Memory:
 * 8 bytes a row of a number and 1 of a category, in blocks of rows that have any.
 * Source: fields.md; docs/pack-format.md "Fields".
 */
export class FieldColumns {
  /** Hears the reader. */
  readonly extras: Extras;
  /** What it hears of trends, which are columns of their own. */
  readonly trends = new TrendColumns();
  readonly #heard = new Map<string, HeardField>();

  constructor() {
    const fields: HeardField[] = [];
    const { trends } = this;
    const field = (name: string) => {
      const trend = trendField(name);
      return trend >= 0 ? trend : this.#numberOf(name, fields);
    };
    const listener = (table: 0 | 1): ExtraFields => ({
      field,
      number: (at, row, value) =>
        at >= firstTrendField ? trends.number(table, at, row, value) : fields[at]!.number(table, row, value),
      text: (at, row, bytes, start, end) =>
        at >= firstTrendField
          ? trends.text(table, at, row, bytes, start, end)
          : fields[at]!.text(table, row, bytes, start, end),
      trend: trends.listener(table),
    });
    this.extras = { nodes: listener(0), keywords: listener(1) };
  }

  /** What the columns take so far, in bytes. */
  get bytes(): number {
    let bytes = this.trends.bytes;
    for (const field of this.#heard.values()) bytes += field.bytes;
    return bytes;
  }

  /** The columns, the one that is known most often first. Nothing may be heard afterwards. */
  finish(nodes: number, keywords: number): UploadField[] {
    const heard = [...this.#heard.values()].sort((one, other) => other.known - one.known);
    const fields: UploadField[] = [];
    for (const field of heard) {
      const columns = fields.length < maxColumns ? field.finish(nodes, keywords) : undefined;
      if (columns) fields.push(columns);
      field.release();
    }
    return fields;
  }

  #numberOf(name: string, fields: HeardField[]): number {
    const spelling = fold(name);
    const canonical = fieldOf(name)?.name;
    if (canonical ? notColumns.has(canonical) : numbering.has(spelling)) return -1;
    const known = this.#heard.get(spelling);
    if (known) return fields.indexOf(known);
    if (fields.length === maxHeard) return -1;
    const field = new HeardField(name, canonical);
    this.#heard.set(spelling, field);
    return fields.push(field) - 1;
  }
}

/** Fields that are prose, addresses or lists, and names of the keyword itself. */
const notColumns: ReadonlySet<CanonicalField> = new Set<CanonicalField>([
  'keyword',
  'url',
  'serpFeatures',
  'competitors',
  'notes',
]);
/** What counts lines of an export. */
const numbering: ReadonlySet<string> = new Set(['', '#', 'no', 'no.', 'id', 'index']);
/** Fields whose numbers are names: location codes, times. */
const named: ReadonlySet<CanonicalField> = new Set<CanonicalField>([
  'parent',
  'country',
  'language',
  'updated',
  'tags',
  'status',
  'funnelStage',
]);
const additive: ReadonlySet<CanonicalField> = new Set<CanonicalField>([
  'traffic',
  'trafficPotential',
  'trafficCost',
  'clicks',
  'impressions',
]);
const additiveWords = /\b(clicks|visits|traffic|impressions|sessions|conversions|revenue|sales|orders|leads)\b/iu;
const shareWords = /%|\b(rate|ratio|share|avg|average|mean|per|change)\b/iu;
const unknownWords = /^(?:n\/?a|#n\/a|null|none|nan|undefined|[-–—?])?$/iu;

type Table = 0 | 1;

/** One field while it is read. */
class HeardField {
  bytes = 0;
  readonly #name: string;
  readonly #canonical: CanonicalField | undefined;
  readonly #isNamed: boolean;
  /** Of each table the numbers, and the values of a category by their codes. */
  readonly #blocks: [Blocks<Float64Array>, Blocks<Uint8Array>][] = [
    [[], []],
    [[], []],
  ];
  /** Values by their code, in the order in which they came; `undefined` once there are too many, or too long ones. */
  #values: Map<string, number> | undefined = new Map([['', 0]]);
  readonly #codes = new ByteMap((text) => this.#codeOf(text), 256);
  #numbersKnown = 0;
  #textsKnown = 0;

  constructor(name: string, canonical: CanonicalField | undefined) {
    this.#name = name;
    this.#canonical = canonical;
    this.#isNamed = canonical !== undefined && named.has(canonical);
  }

  get known(): number {
    return this.#numbersKnown + this.#textsKnown;
  }

  /** A number that a double does not tell from its neighbours is no figure, and sums of such would be none. */
  number(table: Table, row: number, value: number): void {
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return;
    if (this.#isNamed) {
      const text = new TextEncoder().encode(String(value));
      this.#category(table, row, text, 0, text.length);
      return;
    }
    const blocks = this.#blocks[table]![0];
    blocks[row >>> BLOCK_BITS] ??= this.#filled(new Float64Array(BLOCK_ROWS).fill(Number.NaN));
    blocks[row >>> BLOCK_BITS]![row & (BLOCK_ROWS - 1)] = value;
    this.#numbersKnown++;
  }

  text(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const value = this.#isNamed ? Number.NaN : this.#figure(bytes, start, end);
    if (Number.isNaN(value)) this.#category(table, row, bytes, start, end);
    else this.number(table, row, value);
  }

  finish(nodes: number, keywords: number): UploadField | undefined {
    const isNumber = this.#numbersKnown >= numberShare * this.known;
    if (this.known === 0 || (!isNumber && !this.#nameNumbers())) return undefined;
    const common = { name: this.#name };
    if (!isNumber) {
      const [ofNodes, ofKeywords] = [this.#blocks[0]![1], this.#blocks[1]![1]];
      return {
        ...common,
        kind: 'category',
        values: [...this.#values!.keys()],
        nodes: ofNodes.length > 0 ? flatten(ofNodes, new Uint8Array(nodes)) : undefined,
        keywords: ofKeywords.length > 0 ? flatten(ofKeywords, new Uint8Array(keywords)) : undefined,
      };
    }
    const [ofNodes, ofKeywords] = [this.#blocks[0]![0], this.#blocks[1]![0]];
    return {
      ...common,
      kind: 'number',
      rollUp: this.#addsUp() ? 'sum' : 'mean',
      nodes: ofNodes.length > 0 ? flatten(ofNodes, new Float64Array(nodes).fill(Number.NaN)) : undefined,
      keywords: ofKeywords.length > 0 ? flatten(ofKeywords, new Float64Array(keywords).fill(Number.NaN)) : undefined,
    };
  }

  release(): void {
    for (const [numbers, codes] of this.#blocks) for (const block of [...numbers, ...codes]) if (block) release(block);
  }

  #category(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const code = end - start > maxValueBytes ? -1 : this.#codes.get(bytes, start, end);
    if (code === 0) return;
    this.#textsKnown++;
    if (code < 0) this.#values = undefined;
    if (this.#values) this.#setCode(table, row, code);
  }

  #setCode(table: Table, row: number, code: number): void {
    const blocks = this.#blocks[table]![1];
    blocks[row >>> BLOCK_BITS] ??= this.#filled(new Uint8Array(BLOCK_ROWS));
    blocks[row >>> BLOCK_BITS]![row & (BLOCK_ROWS - 1)] = code;
  }

  #filled<T extends Float64Array | Uint8Array>(block: T): T {
    this.bytes += block.byteLength;
    return block;
  }

  /** 0 for a text that says "unknown", -1 for one that is too many. */
  #codeOf(text: string): number {
    const value = text.trim();
    if (unknownWords.test(value)) return 0;
    if (!this.#values) return -1;
    const code = this.#values.get(value) ?? this.#values.size;
    if (code > maxValues) return -1;
    this.#values.set(value, code);
    return code;
  }

  /** Numbers among names become names. @returns whether the field is a category */
  #nameNumbers(): boolean {
    for (const table of [0, 1] as const) {
      for (const [index, block] of this.#blocks[table]![0].entries()) {
        for (let at = 0; block && at < BLOCK_ROWS && this.#values; at++) {
          if (Number.isNaN(block[at]!)) continue;
          const code = this.#codeOf(String(block[at]));
          if (code < 0) this.#values = undefined;
          else this.#setCode(table, index * BLOCK_ROWS + at, code);
        }
      }
    }
    return this.#values !== undefined;
  }

  /** The number that a text is, NaN for a range, a date or words. A share of 100 is one of 1 where the field is a rate. */
  #figure(bytes: Uint8Array, start: number, end: number): number {
    const first = bytes[start]!;
    if (first > 0x39 && first < 0x80 && first !== 0x7e) return Number.NaN;
    for (let index = start + 1; index < end; index++) {
      if (bytes[index] === 0x2d || bytes[index] === 0xe2) return Number.NaN;
    }
    const value = numberOfBytes(bytes, start, end);
    return this.#canonical === 'ctr' && bytes[end - 1] === 0x25 ? value / 100 : value;
  }

  #addsUp(): boolean {
    const words = this.#name.replaceAll(/[_-]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
    if (shareWords.test(words)) return false;
    return this.#canonical ? additive.has(this.#canonical) : additiveWords.test(words);
  }
}

type Blocks<T> = (T | undefined)[];

function flatten<T extends Float64Array | Uint8Array>(blocks: Blocks<T>, column: T): T {
  for (const [index, block] of blocks.entries()) {
    if (!block) continue;
    column.set(block.subarray(0, column.length - index * BLOCK_ROWS), index * BLOCK_ROWS);
    blocks[index] = undefined;
    release(block);
  }
  return column;
}
