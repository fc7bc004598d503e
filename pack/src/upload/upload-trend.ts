import { CLOSE, EMIT_SCALARS, LITERAL, LONG, NUMBER, OPEN } from '../json/json-memory.ts';
import type { JsonMember } from '../json/json-plan.ts';
import type { ExtraFields } from './extra-fields.ts';
import { fieldOf } from './fields.ts';
import { fold } from './spelling.ts';
import { firstTrendField, monthOf } from './trend-columns.ts';
import { readSeries, trendMonths } from './trend-text.ts';
import { memberKind, rankShift } from './upload-members.ts';
import { KIND_MASK, MONTH, SERIES } from './upload-plan.ts';

/** Members of the objects in a list of months (DataForSEO). */
const monthMember = { year: 1, month: 2, searches: 3 } as const;

/** Handles a member of such an object. */
export function memberOfMonth(name: string): JsonMember {
  return { code: codeOf(name), action: EMIT_SCALARS };
}

/** Returns 0 for a member that is not needed. */
function codeOf(name: string): number {
  const spelling = fold(name);
  if (spelling === 'year') return monthMember.year;
  if (spelling === 'month') return monthMember.month;
  return fieldOf(name)?.name === 'volume' ? monthMember.searches : 0;
}

/** Reads lists that may be trends: numbers, oldest first, or objects that state their month. */
export class TrendReader {
  /** The last values of a list. Earlier values in the buffer are no longer used. */
  readonly #values = new Float64Array(1024);
  #end = trendMonths;
  readonly #one = new Float64Array(trendMonths);
  #extras: ExtraFields | undefined;
  #field = 0;
  #row = 0;
  #count = 0;
  #year = 0;
  #month = 0;
  #searches = Number.NaN;

  /** Starts a list. @param code the code of its member */
  begin(extras: ExtraFields | undefined, code: number, row: number): void {
    this.#extras = extras;
    this.#field = fieldOfCode(code);
    this.#row = row;
    this.#count = 0;
    this.#end = trendMonths;
  }

  /** Handles a token in a list or in an object inside it. `value` is NaN for null. */
  token(kind: number, context: number, code: number, value: number): void {
    if (context === SERIES) {
      if (kind === NUMBER || kind === LONG || (kind === LITERAL && Number.isNaN(value))) this.#add(value);
      else if (kind === CLOSE)
        this.#extras?.trend?.series(this.#field, this.#row, this.#values, this.#end, this.#count);
      else if (kind === OPEN) {
        this.#year = this.#month = 0;
        this.#searches = Number.NaN;
      }
    } else if (context === MONTH) {
      if (kind === CLOSE) {
        const month = monthOf(this.#year, this.#month);
        if (month >= 0) this.#extras?.trend?.month(this.#row, month, this.#searches);
      } else if (kind === NUMBER || kind === LONG) this.#set(code, value);
    }
  }

  text(context: number, code: number, bytes: Uint8Array, start: number, end: number): void {
    const isOne = readSeries(bytes, start, end, this.#one) === 1;
    const value = isOne ? this.#one[trendMonths - 1]! : Number.NaN;
    if (context === SERIES) this.#add(value);
    else this.#set(code, value);
  }

  #add(value: number): void {
    if (this.#end === this.#values.length) {
      this.#values.copyWithin(0, this.#end - trendMonths);
      this.#end = trendMonths;
    }
    this.#values[this.#end++] = value;
    this.#count++;
  }

  #set(member: number, value: number): void {
    if (member === monthMember.year) this.#year = value;
    else if (member === monthMember.month) this.#month = value;
    else if (member === monthMember.searches) this.#searches = value;
  }
}

/** The field of a member whose list may be a trend. */
export const fieldOfCode = (code: number) =>
  (code & KIND_MASK) === memberKind.extra ? code >>> rankShift : firstTrendField;
