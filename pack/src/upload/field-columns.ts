import { clickRateInPercent, settleRates } from './click-rate.ts';
import { CustomField } from './custom-field.ts';
import { type DateColumn, EntryDates } from './entry-dates.ts';
import type { ExtraFields, Extras } from './extra-fields.ts';
import { type CanonicalField, fieldOf } from './fields.ts';
import { fold } from './spelling.ts';
import { firstTrendField, TrendColumns, trendField } from './trend-columns.ts';
import { isNumbering } from './unrecognised.ts';
import type { UploadField, WithheldField } from './upload-tables.ts';

/** The number of members that are read, in order of appearance. Later ones exist only in the original. */
const maxHeard = 32;
/** The number of members that become columns: those with the most known values. */
const maxColumns = 16;
/** The number of other names that are kept, to report that they have no column. */
const maxOthers = 32;

/**
 * Turns members without a standard column into columns: numbers if (nearly) all known values are numbers, sets if they
 * are lists of at most 64 different texts, categories if there are at most 255 different values. Addresses are also
 * categories by directory and by host. All others get no column. One instance per ingest.
 *
 * Member names are compared like the spellings in `fields.ts`. Empty texts and lists, "n/a" and the like are unknown.
 * Memory: 8 bytes per row of a number or a set and 1 per row of a category, in blocks of rows that have values.
 * Source: docs/pack-format.md "Fields".
 */
export class FieldColumns {
  /** Receives members from the reader. */
  readonly extras: Extras;
  /** Receives trends, which have their own columns. */
  readonly trends = new TrendColumns();
  /** Receives the dates of keyword entries. */
  readonly dates = new EntryDates();
  readonly #heard = new Map<string, CustomField>();
  readonly #others = new Map<string, WithheldField>();

  constructor() {
    const fields: CustomField[] = [];
    /** By field, if it contains dates. */
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

  /** The current memory of the columns, in bytes. */
  get bytes(): number {
    let bytes = this.trends.bytes + this.dates.bytes;
    for (const field of this.#heard.values()) bytes += field.bytes;
    return bytes;
  }

  /**
   * The columns, most known values first, and the members without one. If there are too many, fields with a known name
   * have priority. Must be the last call.
   */
  finish(nodes: number, keywords: number): { fields: UploadField[]; withheld: WithheldField[] } {
    const heard = [...this.#heard.values()].sort((one, other) => other.known - one.known);
    this.#settleRates();
    const found = new Map<CustomField, readonly (UploadField | WithheldField)[]>();
    let columns = 0;
    for (const field of heard.toSorted((one, other) => Number(other.hasName) - Number(one.hasName))) {
      const isOver = columns >= maxColumns && field.known > 0;
      const results = isOver ? [{ name: field.name, why: 'more' as const }] : field.finish(nodes, keywords);
      const kept = results.filter((result) => !('kind' in result) || columns++ < maxColumns);
      found.set(
        field,
        kept.filter(({ name }) => name === field.name || !this.#heard.has(fold(name))),
      );
      field.release();
    }
    const all = heard.flatMap((field) => (found.get(field) ?? []).map(this.#asNamed));
    const withheld = all.flatMap((result) => ('kind' in result ? [] : [result]));
    return { fields: all.filter((result) => 'kind' in result), withheld: [...withheld, ...this.#others.values()] };
  }

  /** Click rates that somebody called percentages have the name of others, by which filters and other uploads know them. */
  readonly #asNamed = <Named extends { readonly name: string }>(field: Named): Named =>
    field.name === clickRateInPercent && !this.#heard.has('ctr') ? { ...field, name: 'ctr' } : field;

  #settleRates(): void {
    const all = [...this.#heard.values()];
    const [clicks, impressions] = (['clicks', 'impressions'] as const).map((name) =>
      all.find(({ canonical }) => canonical === name),
    );
    for (const field of all.filter(({ canonical }) => canonical === 'ctr'))
      settleRates(
        ([0, 1] as const).map((table) => ({
          rates: field.numbers(table),
          clicks: clicks?.numbers(table),
          impressions: impressions?.numbers(table),
        })),
        fold(field.name) === fold(clickRateInPercent),
      );
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

/** Fields that contain lists of addresses, or prose. */
const prose: ReadonlySet<CanonicalField> = new Set<CanonicalField>(['competitors', 'notes']);
