import { ByteMap } from '../json/byte-map.ts';
import { AddressValues } from './address-values.ts';
import { signedPercent } from './click-rate.ts';
import { CustomMembers } from './custom-members.ts';
import { BlockColumn, type Blocks, blockRows, rowMask, type Table } from './field-blocks.ts';
import type { CanonicalField } from './fields.ts';
import { figureOf, greatestFigure, isBeyond, isFigure } from './figure-limit.ts';
import { numberOfBytes } from './numbers.ts';
import { isUnknown, maxValueBytes } from './spelling.ts';
import type { UploadField, WithheldField } from './upload-tables.ts';

/** The maximum number of different values of a category: what fits in a byte next to "unknown". */
const maxValues = 255;
/**
 * The share of the known values that must be numbers for a field to be numeric, or addresses for one of addresses. The
 * other values then become unknown.
 */
const numberShare = 0.95;
/** Fields whose numbers are labels and not quantities, such as location codes and times. */
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
const PERCENT = 0x25;
const shareWords = /%|\b(rate|ratio|share|avg|average|mean|per|change)\b/iu;
/**
 * One field while it is read. Keeps its numbers, its values as a category and the members of its lists at the same
 * time, because the kind of the column is known only at the end.
 */
export class CustomField {
  /** In the first spelling found in the file. */
  readonly name: string;
  readonly canonical: CanonicalField | undefined;
  readonly #isNamed: boolean;
  readonly #isFigure: boolean;
  /** Whether the field is a click rate. Its blocks then use the scale of `click-rate.ts`. */
  readonly #isRate: boolean;
  readonly #numbers = new BlockColumn(() => new Float64Array(blockRows).fill(Number.NaN));
  /** The codes of the category values. */
  readonly #texts = new BlockColumn(() => new Uint8Array(blockRows));
  /** Codes by value, in order of appearance; `undefined` once there are too many values or one is too long. */
  #values: Map<string, number> | undefined = new Map([['', 0]]);
  readonly #codes = new ByteMap((text) => this.#codeOf(text), 256);
  /** Why the field cannot be a category, if `#values` is undefined. */
  #givenUp: 'values' | 'long' = 'values';
  /** Whether the texts of this field are lists. */
  readonly #isList: boolean;
  readonly #members: CustomMembers;
  /** Present if the field may hold addresses. */
  readonly #addresses: AddressValues | undefined;
  #numbersKnown = 0;
  #textsKnown = 0;

  constructor(name: string, canonical: CanonicalField | undefined) {
    this.name = name;
    this.canonical = canonical;
    this.#isNamed = canonical !== undefined && named.has(canonical);
    this.#isFigure = isFigure(canonical);
    this.#isRate = canonical === 'ctr';
    this.#isList = canonical === 'serpFeatures';
    this.#members = new CustomMembers(this.#isList);
    if (canonical === 'url' || canonical === 'page') this.#addresses = new AddressValues(canonical === 'page');
  }

  /** Whether keyword tools are known to export this field. */
  get hasName(): boolean {
    return this.canonical !== undefined;
  }

  /** The numbers of a table until `finish`. */
  numbers(table: Table): Blocks<Float64Array> {
    return this.#numbers.blocks(table);
  }

  get known(): number {
    return this.#numbersKnown + this.#textsKnown + this.#members.known;
  }

  get bytes(): number {
    return this.#numbers.bytes + this.#texts.bytes + this.#members.bytes + (this.#addresses?.bytes ?? 0);
  }

  /**
   * Takes a number. A number that a double cannot distinguish from its neighbours is unknown, because sums would be
   * wrong.
   *
   * @returns false if the field is a figure and the file must be refused because of it
   */
  number(table: Table, row: number, value: number): boolean {
    if (!(Math.abs(value) <= greatestFigure)) return !this.#isFigure || !isBeyond(figureOf(value));
    if (this.#isNamed) {
      const text = new TextEncoder().encode(String(value));
      this.#category(table, row, text, 0, text.length);
      return true;
    }
    if (!this.#isRate || value >= 0) this.#setNumber(table, row, value);
    return true;
  }

  #setNumber(table: Table, row: number, value: number): void {
    this.#numbers.at(table, row)[row & rowMask] = value;
    this.#numbersKnown++;
  }

  /** @returns same as `number` */
  text(table: Table, row: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#isList) {
      this.#members.addAll(table, row, bytes, start, end);
      return true;
    }
    this.#addresses?.add(table, row, bytes, start, end);
    const value = this.#isNamed ? Number.NaN : this.#figure(bytes, start, end);
    if (Number.isNaN(value)) this.#category(table, row, bytes, start, end);
    else if (!this.#isRate || bytes[end - 1] !== PERCENT || isBeyond(value)) return this.number(table, row, value);
    else if (value >= 0) this.#setNumber(table, row, signedPercent(value));
    return true;
  }

  /** Takes a text in a list. */
  member(table: Table, row: number, bytes: Uint8Array, start: number, end: number): number {
    return this.#members.add(table, row, bytes, start, end);
  }

  /** Takes texts in a list as the bits that `member` returned for them. */
  bits(table: Table, row: number, bits: number): void {
    this.#members.addBits(table, row, bits);
  }

  /**
   * The columns, or the reason why there is none; nothing if no value is known. Only addresses have several columns.
   * Must be the last call.
   */
  finish(nodes: number, keywords: number): readonly (UploadField | WithheldField)[] {
    const { name } = this;
    if (this.#addresses && this.#addresses.known > 0 && this.#addresses.known >= numberShare * this.known) {
      const { withheld } = this.#addresses;
      const parts = this.#addresses.finish(name, nodes, keywords);
      return withheld ? [{ name, why: withheld }, ...parts] : parts;
    }
    const found = this.#finishOne(nodes, keywords);
    return found ? [found] : [];
  }

  #finishOne(nodes: number, keywords: number): UploadField | WithheldField | undefined {
    const hasLists = this.#members.known > 0 || this.#members.givenUp !== undefined;
    if (this.known === 0 && !hasLists) return undefined;
    const name = this.name;
    if (this.known > 0 && this.#numbersKnown >= numberShare * this.known) return this.#asNumber(nodes, keywords);
    if (!this.#nameNumbers()) return { name, why: this.#givenUp };
    if (hasLists) return this.#asSet(nodes, keywords);
    return {
      name,
      kind: 'category',
      values: [...this.#values!.keys()],
      nodes: this.#texts.join(0, () => new Uint8Array(nodes)),
      keywords: this.#texts.join(1, () => new Uint8Array(keywords)),
    };
  }

  release(): void {
    this.#numbers.release();
    this.#texts.release();
    this.#members.release();
    this.#addresses?.release();
  }

  #asNumber(nodes: number, keywords: number): UploadField {
    return {
      name: this.name,
      kind: 'number',
      rollUp: this.#addsUp() ? 'sum' : 'mean',
      ...(this.canonical && { is: this.canonical }),
      nodes: this.#numbers.join(0, () => new Float64Array(nodes).fill(Number.NaN)),
      keywords: this.#numbers.join(1, () => new Float64Array(keywords).fill(Number.NaN)),
    };
  }

  /** Builds a set column. A plain text next to lists counts as a list of one. */
  #asSet(nodes: number, keywords: number): UploadField | WithheldField {
    const name = this.name;
    const members = this.#members;
    const texts = [...this.#values!.keys()];
    for (const table of [0, 1] as const) {
      for (const [index, block] of this.#texts.blocks(table).entries()) {
        block?.forEach((code, at) => {
          if (code > 0) members.addText(table, index * blockRows + at, texts[code]!);
        });
      }
    }
    if (members.givenUp) return { name, why: members.givenUp };
    const values = members.values();
    return { name, kind: 'set', values, nodes: members.finish(0, nodes), keywords: members.finish(1, keywords) };
  }

  #category(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const isLong = end - start > maxValueBytes;
    const code = isLong ? -1 : this.#codes.get(bytes, start, end);
    if (code === 0) return;
    this.#textsKnown++;
    if (code < 0 && this.#values) {
      this.#values = undefined;
      this.#givenUp = isLong ? 'long' : 'values';
    }
    if (this.#values) this.#setCode(table, row, code);
  }

  #setCode(table: Table, row: number, code: number): void {
    this.#texts.at(table, row)[row & rowMask] = code;
  }

  /** Returns 0 for a text that means "unknown", -1 if there are too many values. */
  #codeOf(text: string): number {
    const value = text.trim();
    if (isUnknown(value)) return 0;
    if (!this.#values) return -1;
    const code = this.#values.get(value) ?? this.#values.size;
    if (code > maxValues) return -1;
    this.#values.set(value, code);
    return code;
  }

  /** Turns numbers among texts into values of the category. @returns whether the field can still be a category */
  #nameNumbers(): boolean {
    for (const table of [0, 1] as const) {
      for (const [index, block] of this.#numbers.blocks(table).entries()) {
        for (let at = 0; block && at < blockRows && this.#values; at++) {
          if (Number.isNaN(block[at]!)) continue;
          const code = this.#codeOf(String(block[at]));
          if (code < 0) this.#values = undefined;
          else this.#setCode(table, index * blockRows + at, code);
        }
      }
    }
    return this.#values !== undefined;
  }

  /** The number that a text represents; NaN for a range, a date or words. */
  #figure(bytes: Uint8Array, start: number, end: number): number {
    const first = bytes[start]!;
    if (first > 0x39 && first < 0x80 && first !== 0x7e) return Number.NaN;
    for (let index = start + 1; index < end; index++) {
      if (bytes[index] === 0x2d || bytes[index] === 0xe2) return Number.NaN;
    }
    return numberOfBytes(bytes, start, end);
  }

  #addsUp(): boolean {
    const words = this.name.replaceAll(/[_-]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
    if (shareWords.test(words)) return false;
    return this.canonical ? additive.has(this.canonical) : additiveWords.test(words);
  }
}
