import { ByteMap } from './byte-map.ts';
import type { ExtraFields, Extras } from './extra-fields.ts';
import type { JsonHandler, JsonRefusal } from './json-handler.ts';
import { intentOfCode, intentsOfText, saysYes } from './metric-values.ts';
import { GrowingTable } from './upload-columns.ts';
import {
  checkedMember,
  intentOfMember,
  keywordMember,
  MemberNames,
  memberKind,
  nodeMember,
  rankShift,
} from './upload-members.ts';
import { MetricWriter } from './upload-metrics.ts';
import { CountedTable, OutlineWriter, type UploadOutline } from './upload-outline.ts';
import type { UploadTables } from './upload-tables.ts';

// Which container the next token stands in.
const OUTSIDE = 0;
const ROOT = 1;
const KEYWORDS = 2;
const KEYWORD = 3;
const NODE = 4;
const CHILDREN = 5;
const INTENTS = 6;

// What the value of the current top-level member is.
const OTHER = 0;
const IS_KEYWORDS = 1;
const IS_HIERARCHY = 2;

const HAS_NAME = 1;
const HAS_CHILDREN = 2;
const KIND_MASK = (1 << rankShift) - 1;
const MAX_TYPES = 4096;
const MAX_TYPE_BYTES = 256;
const MAX_INTENT_BYTES = 128;
const REMEMBERED_INTENTS = 256;
const TRUE = new TextEncoder().encode('true');
const FALSE = new TextEncoder().encode('false');

export type EntryLimits = { readonly maxDepth: number; readonly maxNameBytes: number; readonly maxNodes: number };

/** Hears the tokens of an upload and files them into two tables; see `createUploadReader`. */
export class UploadEntries implements JsonHandler {
  readonly nodes = new GrowingTable(true);
  readonly keywords: GrowingTable;
  refusal: JsonRefusal | undefined;

  readonly #keep: boolean;
  /** Where no columns are kept: what is known of them all the same. */
  readonly #outline = new OutlineWriter();
  readonly #counted = new CountedTable(false);
  readonly #limits: EntryLimits;
  readonly #extras: Extras;
  readonly #metrics: MetricWriter;
  readonly #nodeMembers: MemberNames;
  readonly #keywordMembers: MemberNames;
  /** In the order of their numbers. */
  readonly #types = new Map<string, number>([['', 0]]);
  readonly #typeNumbers = new ByteMap((type) => this.#numberOfType(type), MAX_TYPES);
  readonly #intentTexts = new ByteMap(intentsOfText, REMEMBERED_INTENTS);

  #base = 0;
  #context = OUTSIDE;
  /** Open objects inside a keyword entry whose members count as its own. */
  #nested = 0;
  #member = OTHER;
  #seen = 0;
  /** What the next value is: a member's code. */
  #code = 0;
  /** Row and level of the current entry: a keyword's level is 0, the root's 1. */
  #row = 0;
  #level = 0;
  /** By level, for the open nodes. */
  readonly #rows: Uint32Array;
  readonly #flags: Uint8Array;

  constructor(keep: boolean, limits: EntryLimits, extras: Extras) {
    const levels = (limits.maxDepth >>> 1) + 2;
    this.#keep = keep;
    this.keywords = keep ? new GrowingTable(false) : this.#counted;
    this.#limits = limits;
    this.#metrics = new MetricWriter(levels);
    this.#rows = new Uint32Array(levels);
    this.#flags = new Uint8Array(levels);
    this.#extras = extras;
    this.#nodeMembers = new MemberNames((name) => nodeMember(name, keep, extras.nodes));
    this.#keywordMembers = new MemberNames((name) =>
      keep ? keywordMember(name, extras.keywords) : checkedMember(name),
    );
  }

  /** What the check of a file has found so far. */
  outline(): UploadOutline {
    return this.#outline.outline([...this.#types.keys()], this.#counted);
  }

  /** What was read, without a row where no columns are kept. */
  tables(bytes: number): UploadTables {
    const nodes = this.#keep ? this.nodes : new GrowingTable(true);
    const keywords = this.#keep ? this.keywords : new GrowingTable(false);
    return { nodes: nodes.flatten(), keywords: keywords.flatten(), types: [...this.#types.keys()], bytes };
  }

  beginBlock(base: number): void {
    this.#base = base;
  }

  openObject(at: number): boolean {
    switch (this.#context) {
      case CHILDREN:
        this.#openNode(at);
        return true;
      case KEYWORDS:
        this.#openKeyword(at);
        return true;
      case KEYWORD:
        if ((this.#code & KIND_MASK) !== memberKind.nested) return false;
        this.#nested++;
        return true;
      case OUTSIDE:
        this.#context = ROOT;
        return true;
      default:
        if (this.#context !== ROOT || this.#member !== IS_HIERARCHY) return this.#passOver(at);
        this.#openNode(at);
        return true;
    }
  }

  closeObject(end: number): void {
    switch (this.#context) {
      case NODE:
        this.#closeNode(end);
        return;
      case KEYWORD:
        if (this.#nested > 0) {
          this.#nested--;
          return;
        }
        if (this.#keep) this.keywords.close(this.#row, this.#base + end);
        this.#context = KEYWORDS;
        return;
      default:
        if ((this.#seen & IS_HIERARCHY) === 0) this.#refuse('no "hierarchy" in the file', end - 1);
        this.#context = OUTSIDE;
    }
  }

  openArray(at: number): boolean {
    const kind = this.#code & KIND_MASK;
    const isEntry = this.#context === NODE || this.#context === KEYWORD;
    if (this.#context === NODE && kind === memberKind.children) {
      if ((this.#flags[this.#level]! & HAS_CHILDREN) !== 0) this.#refuse('"children" twice in one node', at);
      this.#flags[this.#level]! |= HAS_CHILDREN;
      this.#context = CHILDREN;
    } else if (isEntry && kind === memberKind.intent) this.#context = INTENTS;
    else if (this.#context === ROOT && this.#member === IS_KEYWORDS) this.#context = KEYWORDS;
    else return this.#passOver(at);
    return true;
  }

  closeArray(_end: number): void {
    if (this.#context === CHILDREN) this.#context = NODE;
    else if (this.#context === INTENTS) this.#context = this.#level > 0 ? NODE : KEYWORD;
    else this.#context = ROOT;
  }

  key(bytes: Uint8Array, start: number, end: number, at: number): void {
    if (this.#context === KEYWORD) this.#code = this.#keywordMembers.code(bytes, start, end);
    else if (this.#context === NODE) this.#code = this.#nodeMembers.code(bytes, start, end);
    else this.#topMember(bytes, start, end, at);
  }

  string(bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    switch (this.#context) {
      case KEYWORD:
        this.#keywordText(bytes, start, end, at);
        return;
      case NODE:
        this.#nodeText(bytes, start, end, at);
        return;
      case KEYWORDS:
        this.#openKeyword(at);
        this.#context = KEYWORDS;
        this.#name(this.keywords, bytes, start, end, at);
        if (this.#keep) this.keywords.close(this.#row, this.#base + atEnd);
        return;
      case CHILDREN:
        this.#openNode(at);
        this.#name(this.nodes, bytes, start, end, at);
        this.#flags[this.#level]! |= HAS_NAME;
        this.#closeNode(atEnd);
        return;
      case INTENTS:
        this.#addIntents(this.#intents(bytes, start, end));
        return;
      default:
        this.#refuseShape(at);
    }
  }

  number(value: number, at: number): void {
    if (this.#context === KEYWORD || this.#context === NODE) {
      const kind = this.#code & KIND_MASK;
      if (kind >= memberKind.volume) this.#metricNumber(kind, value);
      else if (kind === memberKind.extra) this.#extra().number(this.#code >>> rankShift, this.#row, value);
      else if (kind === memberKind.name && this.#context === KEYWORD) {
        if (Number.isNaN(value)) return;
        const text = new TextEncoder().encode(String(value));
        this.#keywordText(text, 0, text.length, at);
      } else this.#refuseShape(at);
    } else if (this.#context === INTENTS) this.#addIntents(this.#intentOfNumber(value));
    else this.#refuseShape(at);
  }

  literal(value: boolean | null, at: number): void {
    const isEntry = this.#context === KEYWORD || this.#context === NODE;
    if (isEntry && value === true) this.#addIntents(intentOfMember(this.#code & KIND_MASK));
    if (isEntry && value !== null && (this.#code & KIND_MASK) === memberKind.extra) {
      const word = value ? TRUE : FALSE;
      this.#extra().text(this.#code >>> rankShift, this.#row, word, 0, word.length);
    }
    const isNoChildren = this.#context === NODE && this.#code === memberKind.children && value === null;
    if (!isNoChildren) this.#refuseShape(at);
  }

  #topMember(bytes: Uint8Array, start: number, end: number, at: number): void {
    const name = end - start > 16 ? '' : decode(bytes, start, end);
    this.#member = name === 'keywords' ? IS_KEYWORDS : name === 'hierarchy' ? IS_HIERARCHY : OTHER;
    if (this.#member === OTHER) return;
    if ((this.#seen & this.#member) !== 0) this.#refuse(`"${name}" twice in the file`, at);
    this.#seen |= this.#member;
  }

  #openNode(at: number): void {
    if (this.nodes.rows === this.#limits.maxNodes) {
      this.#refuse(`more than ${this.#limits.maxNodes} nodes`, at);
      return;
    }
    const parent = this.#level === 0 ? 0 : this.#row;
    const row = this.nodes.rows;
    this.#level++;
    this.#row = row;
    this.#rows[this.#level] = row;
    this.#flags[this.#level] = 0;
    this.#context = NODE;
    if (!this.#keep) {
      this.nodes.rows++;
      this.#outline.open(this.#level, row, parent);
      return;
    }
    this.nodes.open(this.#base + at);
    this.nodes.block(row).parent[this.nodes.at(row)] = parent;
    this.#metrics.begin(this.#level);
  }

  #closeNode(end: number): void {
    if ((this.#flags[this.#level]! & HAS_NAME) === 0) this.#refuse('a node without a name', end - 1);
    if (this.#keep) this.nodes.close(this.#row, this.#base + end);
    else this.#outline.close(this.#level, this.#row, this.nodes.rows - 1);
    this.#level--;
    this.#row = this.#rows[this.#level]!;
    this.#context = this.#level === 0 ? ROOT : CHILDREN;
  }

  #openKeyword(at: number): void {
    if (this.keywords.rows === this.#limits.maxNodes) {
      this.#refuse(`more than ${this.#limits.maxNodes} keywords`, at);
      return;
    }
    this.#context = KEYWORD;
    this.#row = this.keywords.rows;
    this.#metrics.begin(0);
    if (this.#keep) this.keywords.open(this.#base + at);
    else this.keywords.rows++;
  }

  #nodeText(bytes: Uint8Array, start: number, end: number, at: number): void {
    const kind = this.#code & KIND_MASK;
    if (kind === memberKind.name) {
      if (start === end && this.#level === 1) this.#refuse('a "hierarchy" with an empty name', at);
      this.#flags[this.#level]! |= HAS_NAME;
      this.#name(this.nodes, bytes, start, end, at);
    } else if (kind === memberKind.type) this.#type(bytes, start, end, at);
    else if (kind >= memberKind.volume) this.#metricText(this.nodes, kind, bytes, start, end);
    else if (kind === memberKind.extra) this.#extra().text(this.#code >>> rankShift, this.#row, bytes, start, end);
    else this.#refuseShape(at);
  }

  #keywordText(bytes: Uint8Array, start: number, end: number, at: number): void {
    const kind = this.#code & KIND_MASK;
    if (kind === memberKind.name) {
      if (start < end && this.#metrics.prefersName(0, this.#code)) this.#name(this.keywords, bytes, start, end, at);
    } else if (kind >= memberKind.volume) this.#metricText(this.keywords, kind, bytes, start, end);
    else if (kind === memberKind.extra) this.#extra().text(this.#code >>> rankShift, this.#row, bytes, start, end);
  }

  #name(table: GrowingTable, bytes: Uint8Array, start: number, end: number, at: number): void {
    if (end - start > this.#limits.maxNameBytes) {
      const near = bytes.slice(start, end);
      this.refusal ??= { what: `a name longer than ${this.#limits.maxNameBytes} bytes`, at, near };
    } else if (this.#keep) table.setName(this.#row, bytes, start, end);
    else if (this.#level > 0) this.#outline.name(this.#level, bytes, start, end);
  }

  #type(bytes: Uint8Array, start: number, end: number, at: number): void {
    if (end - start > MAX_TYPE_BYTES) this.#refuse(`a type longer than ${MAX_TYPE_BYTES} bytes`, at);
    else if (start < end) {
      const type = this.#typeNumbers.get(bytes, start, end);
      if (type > MAX_TYPES) this.#refuse(`more than ${MAX_TYPES} types`, at);
      else if (this.#keep) this.nodes.block(this.#row).type[this.nodes.at(this.#row)] = type;
      else this.#outline.type(type);
    }
  }

  #numberOfType(type: string): number {
    const number = this.#types.get(type) ?? this.#types.size;
    this.#types.set(type, number);
    return number;
  }

  #metricText(table: GrowingTable, kind: number, bytes: Uint8Array, start: number, end: number): void {
    if (kind === memberKind.intent) this.#addIntents(this.#intents(bytes, start, end));
    else if (kind >= memberKind.informational) {
      if (saysYes(decode(bytes, start, end))) this.#addIntents(intentOfMember(kind));
    } else this.#metrics.text(table, this.#row, this.#level, this.#code, bytes, start, end);
  }

  #metricNumber(kind: number, value: number): void {
    if (kind === memberKind.intent) this.#addIntents(this.#intentOfNumber(value));
    else if (kind >= memberKind.informational) this.#addIntents(value === 1 ? intentOfMember(kind) : 0);
    else this.#metrics.number(this.#table(), this.#row, this.#level, this.#code, value);
  }

  #intents(bytes: Uint8Array, start: number, end: number): number {
    return end - start > MAX_INTENT_BYTES ? 0 : this.#intentTexts.get(bytes, start, end);
  }

  /** Codes are known for Semrush's `Intent`; what other tools' numbers mean is not. */
  #intentOfNumber(value: number): number {
    return this.#code >>> rankShift === 0 ? intentOfCode(value) : 0;
  }

  #addIntents(bits: number): void {
    if (bits === 0 || !this.#keep) return;
    this.#table().addIntents(this.#row, bits);
  }

  /** A member has the code of an extra field only where its table's extras gave it a number. */
  #extra(): ExtraFields {
    return (this.#level > 0 ? this.#extras.nodes : this.#extras.keywords)!;
  }

  #table(): GrowingTable {
    return this.#level > 0 ? this.nodes : this.keywords;
  }

  /** Refuses a value of the wrong kind where the kind matters; elsewhere it is a member we pass over. */
  #refuseShape(at: number): void {
    if (this.#context === OUTSIDE) this.#refuse('a file that is not a JSON object', at);
    else if (this.#context === KEYWORDS) this.#refuse('a keyword that is neither text nor an object', at);
    else if (this.#context === CHILDREN) this.#refuse('a child that is neither text nor an object', at);
    else if (this.#context === ROOT && this.#member === IS_KEYWORDS) {
      this.#refuse('"keywords" that is not an array', at);
    } else if (this.#context === ROOT && this.#member === IS_HIERARCHY) {
      this.#refuse('"hierarchy" that is not an object', at);
    } else if (this.#context === NODE && this.#code === memberKind.name) {
      this.#refuse('a name that is not text', at);
    } else if (this.#context === NODE && this.#code === memberKind.children) {
      this.#refuse('"children" that is not an array', at);
    }
  }

  /** A container that is not looked into, unless it stands where another kind of value must. */
  #passOver(at: number): boolean {
    this.#refuseShape(at);
    return false;
  }

  #refuse(what: string, at: number): void {
    this.refusal ??= { what, at };
  }
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}
