import { CustomField } from './custom-field.ts';
import { type DateColumn, EntryDates } from './entry-dates.ts';
import type { ExtraFields, Extras } from './extra-fields.ts';
import { type CanonicalField, fieldOf, fold } from './fields.ts';
import { firstTrendField, TrendColumns, trendField } from './trend-columns.ts';
import { isNumbering } from './unrecognised.ts';
import type { UploadField, WithheldField } from './upload-tables.ts';

/** Members that are listened to: the first names that come. Later ones are only in the file. */
const maxHeard = 32;
/** Of those, the ones known most often become columns. */
const maxColumns = 16;
/** Names of others that are remembered, so that it can be said that they have no column. */
const maxOthers = 32;

/**
 * Turns members that have no column of their own into columns: numbers where (nearly) all known values are numbers,
 * sets where they are lists of at most 64 different texts, categories where there are at most 255 different ones, nothing
 * for the others. One for an ingest.
 *
 * A member's name is compared as `fields.ts` compares spellings. Empty texts and lists, "n/a" and the like are unknown.
 * Memory: 8 bytes a row of a number or a set and 1 of a category, in blocks of rows that have any.
 * Source: fields.md; docs/pack-format.md "Fields".
 */
export class FieldColumns {
  /** Hears the reader. */
  readonly extras: Extras;
  /** What it hears of trends, which are columns of their own. */
  readonly trends = new TrendColumns();
  /** What it hears of the dates of keyword entries. */
  readonly dates = new EntryDates();
  readonly #heard = new Map<string, CustomField>();
  readonly #others = new Map<string, WithheldField>();

  constructor() {
    const fields: CustomField[] = [];
    /** By field, where it holds dates. */
    const dated: (DateColumn | undefined)[] = [];
    const { trends, dates } = this;
    const field = (name: string) => {
      const trend = trendField(name);
      if (trend >= 0) return trend;
      const number = this.#numberOf(name, fields);
      if (number === dated.length) dated.push(dates.columnOf(name));
      return number;
    };
    const listener = (table: 0 | 1): ExtraFields => ({
      field,
      number(at, row, value) {
        if (at < firstTrendField) {
          if (table === 1) dated[at]?.number(row, value);
          return fields[at]!.number(table, row, value);
        }
        trends.number(table, at, row, value);
        return true;
      },
      text(at, row, bytes, start, end) {
        if (at < firstTrendField) {
          if (table === 1) dated[at]?.text(row, bytes, start, end);
          return fields[at]!.text(table, row, bytes, start, end);
        }
        trends.text(table, at, row, bytes, start, end);
        return true;
      },
      member: (at, row, bytes, start, end) => fields[at]!.member(table, row, bytes, start, end),
      bits: (at, row, bits) => fields[at]!.bits(table, row, bits),
      trend: trends.listener(table),
    });
    this.extras = { nodes: listener(0), keywords: listener(1) };
  }

  /** What the columns take so far, in bytes. */
  get bytes(): number {
    let bytes = this.trends.bytes + this.dates.bytes;
    for (const field of this.#heard.values()) bytes += field.bytes;
    return bytes;
  }

  /**
   * The columns, the one that is known most often first, and what has none. Of too many those come first that are known by
   * name. Nothing may be heard afterwards.
   */
  finish(nodes: number, keywords: number): { fields: UploadField[]; withheld: WithheldField[] } {
    const heard = [...this.#heard.values()].sort((one, other) => other.known - one.known);
    const found = new Map<CustomField, UploadField | WithheldField>();
    let columns = 0;
    for (const field of heard.toSorted((one, other) => Number(other.hasName) - Number(one.hasName))) {
      const isOver = columns === maxColumns && field.known > 0;
      const result = isOver ? { name: field.name, why: 'more' as const } : field.finish(nodes, keywords);
      if (result) found.set(field, result);
      if (result && 'kind' in result) columns++;
      field.release();
    }
    const all = heard.flatMap((field) => found.get(field) ?? []);
    const withheld = all.flatMap((result) => ('kind' in result ? [] : [result]));
    return { fields: all.filter((result) => 'kind' in result), withheld: [...withheld, ...this.#others.values()] };
  }

  #numberOf(name: string, fields: CustomField[]): number {
    const spelling = fold(name);
    const canonical = fieldOf(name)?.name;
    if (canonical === 'keyword' || isNumbering(name)) return -1;
    const known = this.#heard.get(spelling);
    if (known) return fields.indexOf(known);
    const isProse = canonical !== undefined && prose.has(canonical);
    if (isProse || fields.length === maxHeard) {
      if (this.#others.size < maxOthers) this.#others.set(spelling, { name, why: isProse ? 'prose' : 'more' });
      return -1;
    }
    const field = new CustomField(name, canonical);
    this.#heard.set(spelling, field);
    return fields.push(field) - 1;
  }
}

/** Fields that are addresses or prose. */
const prose: ReadonlySet<CanonicalField> = new Set<CanonicalField>(['url', 'competitors', 'notes']);
