import { ByteMap } from '../json/byte-map.ts';
import { signedPercent } from './click-rate.ts';
import { BlockColumn, type Blocks, blockRows, rowMask, type Table } from './field-blocks.ts';
import type { CanonicalField } from './fields.ts';
import { figureOf, greatestFigure, isBeyond, isFigure } from './figure-limit.ts';
import { addMember, hasMembers, maxMembers } from './member-sets.ts';
import { numberOfBytes } from './numbers.ts';
import { fold, isUnknown, maxValueBytes } from './spelling.ts';
import type { CategoryField, UploadField, WithheldField } from './upload-tables.ts';

/** The maximum number of different values of a category, or of each part of addresses: what fits in a byte next to "unknown". */
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

/** Separators between the members in a text. The first of these that occurs in the text is used. */
const separators = [0x7c, 0x3b, 0x2c] as const; // | ; ,
const blank = 0x20;
/** Quotes and brackets that a list written as a text puts around itself and its members. */
const around: ReadonlySet<number> = new Set([0x22, 0x27, 0x5b, 0x5d]);
/** Ignored among SERP features, because it stands for the ordinary results. */
const ordinary = 'organic';

/**
 * The lists of a field while it is read, as sets of at most 64 different members. If there are more, or one is longer
 * than a value may be, nothing is kept.
 *
 * Memory: 8 bytes per row, in blocks of rows that have members.
 */
class CustomMembers {
  /** The number of rows that have members. */
  known = 0;
  /** Why the sets were given up; undefined while they are kept. */
  givenUp: 'members' | 'long' | undefined;
  readonly #isSpelledFreely: boolean;
  readonly #sets = new BlockColumn(() => new Uint32Array(2 * blockRows));
  /** Members in their first spelling, and their numbers by normalized spelling. The empty member comes first. */
  readonly #spelled = [''];
  readonly #numbers = new Map([['', 0]]);
  readonly #cache = new ByteMap((text) => this.#numberOf(text), 256);

  /** @param isSpelledFreely whether to compare members like field spellings and to leave out ordinary results */
  constructor(isSpelledFreely: boolean) {
    this.#isSpelledFreely = isSpelledFreely;
  }

  get bytes(): number {
    return this.#sets.bytes;
  }

  /**
   * Adds one member of a row's list. @returns its bit in the low half of a set, 0 if it means nothing, −1 if it has no
   * such bit
   */
  add(table: Table, row: number, bytes: Uint8Array, start: number, end: number): number {
    if (this.givenUp) return -1;
    if (end - start > maxValueBytes) {
      this.#giveUp('long');
      return -1;
    }
    const member = this.#cache.get(bytes, start, end);
    this.#set(table, row, member);
    if (this.givenUp || member > 32) return -1;
    return member === 0 ? 0 : 1 << (member - 1);
  }

  /** Adds members of a row's list by the bits that `add` returned. */
  addBits(table: Table, row: number, bits: number): void {
    if (bits === 0 || this.givenUp) return;
    const block = this.#block(table, row);
    block[2 * (row & rowMask)]! |= bits;
  }

  /** Adds a member given as a string. */
  addText(table: Table, row: number, text: string): void {
    if (!this.givenUp) this.#set(table, row, this.#numberOf(text));
  }

  /** Adds a whole list written as one text: `Video, Images`, `Video|Images`, `["Video", "Images"]`. */
  addAll(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const text = bytes.subarray(start, end);
    const separator = separators.find((sign) => text.includes(sign));
    for (let from = 0; from < text.length; ) {
      const next = separator === undefined ? -1 : text.indexOf(separator, from);
      const to = next < 0 ? text.length : next;
      this.#addTrimmed(table, row, text, from, to);
      from = to + 1;
    }
  }

  /** The values; the empty one comes first. */
  values(): readonly string[] {
    return this.#spelled;
  }

  /** The sets of a table's rows, or undefined if all are empty. Must be the last call. */
  finish(table: Table, rows: number): Uint32Array | undefined {
    return this.#sets.join(table, () => new Uint32Array(2 * rows), 2);
  }

  release(): void {
    this.#sets.release();
  }

  #giveUp(why: 'members' | 'long'): void {
    this.givenUp = why;
    this.release();
  }

  #addTrimmed(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    const isAround = (byte: number) => byte <= blank || around.has(byte);
    let from = start;
    let to = end;
    while (from < to && isAround(bytes[from]!)) from++;
    while (from < to && isAround(bytes[to - 1]!)) to--;
    if (from < to) this.add(table, row, bytes, from, to);
  }

  #set(table: Table, row: number, member: number): void {
    if (member === 0 || this.givenUp) return;
    addMember(this.#block(table, row), row & rowMask, member);
  }

  /** The block of a row that is about to get members. */
  #block(table: Table, row: number): Uint32Array {
    const block = this.#sets.at(table, row);
    if (!hasMembers(block, row & rowMask)) this.known++;
    return block;
  }

  /** Returns 0 for a text that means nothing. */
  #numberOf(text: string): number {
    const spelling = text.trim();
    const key = this.#isSpelledFreely ? fold(spelling) : spelling;
    if (isUnknown(spelling) || (this.#isSpelledFreely && key === ordinary)) return 0;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number > maxMembers) {
      this.#giveUp('members');
      return 0;
    }
    this.#numbers.set(key, number);
    this.#spelled.push(spelling);
    return number;
  }
}

/** Of longer addresses, only directory and host are kept. */
const maxAddressBytes = 512;
/** Longer texts do not count as addresses. */
const maxTextBytes = 4096;
const shifts = { whole: 0, directory: 8, host: 16 } as const;
type Part = keyof typeof shifts;
/** Marks a text that is an address. */
const ADDRESS = 1 << 24;

/**
 * The addresses (URLs) of a field while it is read, as three categories: the address, its directory and its host. A
 * site with a million pages has too many addresses for a category, but few directories.
 *
 * Memory: 4 bytes per row, in blocks of rows that have addresses, and at most 255 values of each part.
 */
class AddressValues {
  /** The number of rows with an address. */
  known = 0;
  /** Why the addresses themselves do not become a category. */
  withheld: 'values' | 'long' | undefined;
  readonly #isStrict: boolean;
  readonly #codesOfParts = new BlockColumn(() => new Uint32Array(blockRows));
  /** Codes by value; `undefined` once there are too many values. */
  readonly #codes: Record<Part, Map<string, number> | undefined> = {
    whole: new Map([['', 0]]),
    directory: new Map([['', 0]]),
    host: new Map([['', 0]]),
  };
  readonly #cache = new ByteMap((text) => this.#learn(text), 256);

  /** @param isStrict whether only texts that begin with `http` are addresses, because the field may also hold names */
  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  get bytes(): number {
    return this.#codesOfParts.bytes;
  }

  add(table: Table, row: number, bytes: Uint8Array, start: number, end: number): void {
    if (end - start > maxTextBytes) return;
    const parts = this.#cache.get(bytes, start, end);
    if (parts === 0) return;
    if (end - start > maxAddressBytes) this.#giveUp('long');
    const block = this.#codesOfParts.at(table, row);
    if (block[row & rowMask] === 0) this.known++;
    block[row & rowMask] = parts;
  }

  /** The columns, finest part first. A part is left out if it has too many values, or adds nothing to the others. */
  finish(name: string, nodes: number, keywords: number): CategoryField[] {
    const { whole, directory, host } = this.#codes;
    const hosts = host ? host.size - 1 : maxValues + 1;
    const directories = directory ? directory.size - 1 : maxValues + 1;
    const wholes = whole && this.withheld === undefined ? whole.size - 1 : maxValues + 1;
    const wanted: [Part, string, boolean][] = [
      ['whole', name, wholes <= maxValues],
      ['directory', `${name} (directory)`, directories <= maxValues && directories > hosts && directories < wholes],
      ['host', `${name} (host)`, hosts <= maxValues && hosts > 1 && hosts < wholes],
    ];
    const ofNodes = this.#codesOfParts.join(0, () => new Uint32Array(nodes));
    const ofKeywords = this.#codesOfParts.join(1, () => new Uint32Array(keywords));
    return wanted.flatMap(([part, title, isWanted]): CategoryField[] => {
      if (!isWanted) return [];
      const values = [...this.#codes[part]!.keys()];
      return [
        {
          name: title,
          kind: 'category',
          is: 'url',
          values: part === 'directory' && hosts === 1 ? values.map(withoutHost) : values,
          nodes: ofNodes && codesOf(ofNodes, part),
          keywords: ofKeywords && codesOf(ofKeywords, part),
        },
      ];
    });
  }

  release(): void {
    this.#codesOfParts.release();
  }

  #giveUp(why: 'values' | 'long'): void {
    this.withheld ??= why;
    this.#codes.whole = undefined;
  }

  /** The codes of the parts of an address, 0 for any other text. */
  #learn(text: string): number {
    const address = text.trim();
    const parts = isUnknown(address) ? undefined : partsOf(address, this.#isStrict);
    if (!parts) return 0;
    let codes = ADDRESS;
    for (const part of Object.keys(shifts) as Part[]) codes |= this.#codeOf(part, parts[part]) << shifts[part];
    return codes;
  }

  #codeOf(part: Part, value: string): number {
    const codes = this.#codes[part];
    if (!codes) return 0;
    const code = codes.get(value) ?? codes.size;
    if (code > maxValues) {
      if (part === 'whole') this.#giveUp('values');
      this.#codes[part] = undefined;
      return 0;
    }
    codes.set(value, code);
    return code;
  }
}

/** The codes of one part, by row. */
function codesOf(rows: Uint32Array, part: Part): Uint8Array {
  const codes = new Uint8Array(rows.length);
  for (let row = 0; row < rows.length; row++) codes[row] = (rows[row]! >>> shifts[part]) & 0xff;
  return codes;
}

const address = /^(?:https?:)?\/\/([^/?#\s]+)([^?#]*)/iu;
/** "example.com/shoes" or "/shoes". */
const looseAddress = /^((?:[^\s/?#.:]+\.)+\p{L}{2,}(?::\d+)?)?(\/[^?#]*|(?=[?#])|$)/u;

/**
 * The parts of an address: `https://shop.example/trail/mud?x=1` is on the host `shop.example`, in the directory
 * `shop.example/trail/`. A page directly below the host is in the directory `/`. Undefined for any other text.
 */
function partsOf(text: string, isStrict: boolean): Record<Part, string> | undefined {
  const strict = address.exec(text);
  const [, host = '', path = ''] = strict ?? (isStrict ? [] : (looseAddress.exec(text) ?? []));
  if (host === '' && path === '') return undefined;
  const [, first] = /^\/([^/]+)\//u.exec(path) ?? [];
  const lower = host.toLowerCase();
  return { whole: text, directory: first === undefined ? `${lower}/` : `${lower}/${first}/`, host: lower };
}

const withoutHost = (directory: string): string => directory.slice(Math.max(0, directory.indexOf('/')));
