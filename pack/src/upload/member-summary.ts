import { JsonTokens } from '../json/json-tokens.ts';
import type { ExtraFields } from './extra-fields.ts';
import { type MappedMeaning, mappedMeanings } from './field-map.ts';
import { fieldOf, nestedFields } from './fields.ts';
import { intentOfCode, intentsOfCodes, intentsOfText } from './intent-texts.ts';
import { numberOfBytes } from './numbers.ts';
import { fold, isUnknown } from './spelling.ts';
import { firstTrendField, trendField } from './trend-columns.ts';
import { trendMonths } from './trend-text.ts';
import { isNumbering, isPlace } from './unrecognised.ts';
import { UploadEntries } from './upload-entries.ts';

/** A member of the entries of an upload. */
export type MemberSummary = {
  /** In the spelling of the file. */
  readonly name: string;
  /** The meaning of its name: a field that can be assigned; `named` for another recognised field; `keep` for an unknown name. */
  readonly meaning: MappedMeaning | 'named';
  /** The first known value, cut to 80 characters. */
  readonly sample: string | undefined;
  /** The number of entries with a known value, and of all entries: keywords, or nodes for a member that only nodes have. */
  readonly known: number;
  readonly entries: number;
  /** The number of entries whose known value is a number, or names search intents. Of a list, the first value counts. */
  readonly numbers: number;
  readonly intents: number;
  /** Of click rates and difficulties: the greatest of the numbers without a percent sign. */
  readonly greatest?: number;
  /** Of difficulties: a number between 0 and 1; absent if there is none. */
  readonly fraction?: number | undefined;
};

export type MemberSummaries = {
  /** The members of keywords, then those that only nodes have, in the order of the file. */
  readonly members: readonly MemberSummary[];
  /** The number of entries that were read. The last one may be incomplete. */
  readonly keywords: number;
  readonly nodes: number;
  readonly isWhole: boolean;
};

const maxMembers = 64;
const maxSample = 80;
const limits = { maxDepth: 100_000, maxNameBytes: 64 * 1024, maxNodes: 2 ** 22 };

/**
 * The members of the entries in the beginning of an upload. Reading ends at the first error.
 *
 * Names, types, lists of entries, numbering and the columns of single months are left out, because users cannot assign them another meaning.
 *
 * @param isWhole whether `head` is the whole file
 */
export function summariseMembers(head: Uint8Array, isWhole: boolean): MemberSummaries {
  const [ofKeywords, ofNodes] = [new Members(), new Members()];
  // A name that is no field makes the reader pass on every value as it is.
  const nameOf = (name: string) => (isListed(name) ? `${name}${suffix}` : isStructural(name) ? name : undefined);
  const entries = new UploadEntries(true, { ...limits, nameOf }, { nodes: ofNodes, keywords: ofKeywords });
  new JsonTokens(entries, { maxBytes: 2 ** 32 - 1, maxDepth: limits.maxDepth, maxText: limits.maxNameBytes }).push(
    head,
  );
  const members = ofKeywords.summaries(entries.keywords.rows);
  const names = new Set(members.map(({ name }) => fold(name)));
  const others = ofNodes.summaries(entries.nodes.rows).filter(({ name }) => !names.has(fold(name)));
  return {
    members: [...members, ...others].slice(0, maxMembers),
    keywords: entries.keywords.rows,
    nodes: entries.nodes.rows,
    isWhole,
  };
}

const suffix = ' as it is';
const isStructural = (name: string): boolean =>
  isPlace(name) || nestedFields.has(name) || fieldOf(name)?.name === 'keyword';
const isListed = (name: string): boolean =>
  !isStructural(name) && !isNumbering(name) && (trendField(name) < 0 || fieldOf(name)?.name === 'trend');

type Counted = {
  readonly name: string;
  known: number;
  numbers: number;
  intents: number;
  last: number;
  greatest: number;
  fraction: number | undefined;
  sample: string | undefined;
};

/** Counts the known values of each member. */
class Members implements ExtraFields {
  readonly #members: Counted[] = [];
  readonly #numbers = new Map<string, number>();

  readonly trend = {
    series: (field: number, row: number, values: Float64Array, end: number, count: number) => {
      const first = values.subarray(end - Math.min(count, trendMonths), end).find((value) => !Number.isNaN(value));
      if (first !== undefined) this.#count(field, row, String(first), true, false);
    },
    month: () => undefined,
  };

  /** The number of a member. The reader passes on lists of numbers only for members with the number of a trend. */
  field(read: string): number {
    const name = read.slice(0, -suffix.length);
    const first = fieldOf(name)?.name === 'trend' ? firstTrendField : 0;
    const known = this.#numbers.get(fold(name));
    if (known !== undefined) return first + known;
    if (this.#members.length === maxMembers) return -1;
    const number =
      this.#members.push({
        name,
        known: 0,
        numbers: 0,
        intents: 0,
        last: -1,
        greatest: 0,
        fraction: undefined,
        sample: undefined,
      }) - 1;
    this.#numbers.set(fold(name), number);
    return first + number;
  }

  number(field: number, row: number, value: number): boolean {
    if (!Number.isNaN(value)) this.#count(field, row, String(value), true, intentOfCode(value) !== 0);
    this.#measure(field, value);
    return true;
  }

  text(field: number, row: number, bytes: Uint8Array, start: number, end: number): boolean {
    const text = decoder.decode(bytes.subarray(start, Math.min(end, start + 4 * maxSample))).trim();
    if (isUnknown(text)) return true;
    const number = numberOfBytes(bytes, start, end);
    const isNumber = !Number.isNaN(number);
    if (!text.includes('%')) this.#measure(field, number);
    const isIntent = intentsOfText(text) !== 0 || intentsOfCodes(text) !== 0;
    this.#count(field, row, [...text].slice(0, maxSample).join(''), isNumber, isIntent);
    return true;
  }

  member(field: number, row: number, bytes: Uint8Array, start: number, end: number): number {
    this.text(field, row, bytes, start, end);
    return -1;
  }

  summaries(entries: number): MemberSummary[] {
    return this.#members.map(({ last: _, greatest, fraction, ...member }) => {
      const meaning = meaningOf(member.name);
      const scale = meaning === 'difficulty' ? { greatest, fraction } : meaning === 'ctr' ? { greatest } : {};
      return { ...member, meaning, entries, ...scale };
    });
  }

  #measure(field: number, value: number): void {
    const member = this.#members[field % firstTrendField]!;
    if (value > member.greatest) member.greatest = value;
    if (value > 0 && value < 1) member.fraction ??= value;
  }

  /** Counts a value. Of a list, which has several values in one row, only the first one counts. */
  #count(field: number, row: number, sample: string, isNumber: boolean, isIntent: boolean): void {
    const member = this.#members[field % firstTrendField]!;
    member.sample ??= sample;
    if (member.last === row) return;
    member.last = row;
    member.known++;
    if (isNumber) member.numbers++;
    if (isIntent) member.intents++;
  }
}

const decoder = new TextDecoder();

function meaningOf(name: string): MemberSummary['meaning'] {
  const field = fieldOf(name)?.name;
  if (field === undefined) return 'keep';
  return (mappedMeanings as readonly string[]).includes(field) ? (field as MappedMeaning) : 'named';
}
