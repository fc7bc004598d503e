import {
  CLOSE,
  type JsonMemory,
  LITERAL,
  LONG,
  NUMBER,
  OPEN,
  SKIPPED,
  STRING,
  TAPE,
  TEXT,
} from '../json/json-memory.ts';
import { decimalOf } from '../json/json-number.ts';
import type { JsonMember, JsonReader, JsonRefusal } from '../json/json-plan.ts';
import { settleRates } from './click-rate.ts';
import type { ExtraFields, Extras } from './extra-fields.ts';
import type { NameOf } from './field-map.ts';
import { beyondFigures, checkedFigures, figureOf, isBeyond } from './figure-limit.ts';
import { saysYes, settleDifficulties } from './metric-values.ts';
import { OpenNodes } from './open-nodes.ts';
import { SimilarNodesReader, similarMember } from './similar-nodes.ts';
import { TopMembers } from './top-members.ts';
import { GrowingTable } from './upload-columns.ts';
import { UploadIntents } from './upload-intents.ts';
import { checkedMember, intentOfMember, keywordMember, memberKind, nodeMember, rankShift } from './upload-members.ts';
import { MetricWriter } from './upload-metrics.ts';
import { CountedTable, OutlineWriter, type UploadOutline } from './upload-outline.ts';
import {
  CHILDREN,
  documentAction,
  elementActions,
  entryMember,
  FLAGS,
  flagMember,
  INTENTS,
  ignoredMember,
  KEYWORD,
  KEYWORDS,
  KIND_MASK,
  MEMBERS,
  MONTH,
  NESTED,
  NODE,
  ROOT,
  SERIES,
  SIMILAR,
  wrongShape,
} from './upload-plan.ts';
import type { UploadRows } from './upload-rows.ts';
import type { UploadTables } from './upload-tables.ts';
import { fieldOfCode, memberOfMonth, TrendReader } from './upload-trend.ts';
import { maxTypeBytes, maxTypes, UploadTypes } from './upload-types.ts';

/**
 * Turns the records of an upload into two tables, nodes and keywords; see `createUploadReader`.
 *
 * In all methods, `code` is a member code (see `rankShift`), `start` and `end` are the range of a text without quotes in
 * `bytes`, and `at` to `atEnd` is that of the token in the block, for errors; without a text, `at` to `end`.
 */
export class UploadEntries implements JsonReader {
  readonly document = documentAction;
  readonly elements = elementActions;
  readonly nodes: GrowingTable;
  readonly keywords: GrowingTable;
  readonly types: UploadTypes;
  /** The first error. */
  refusal: JsonRefusal | undefined;
  unreadAt = 0;

  readonly #keepsColumns: boolean;
  /** The summary for a check, which keeps no columns. */
  readonly #outline = new OutlineWriter();
  readonly #counted = new CountedTable(false);
  readonly #limits: EntryLimits;
  readonly #extras: Extras;
  readonly #metrics: MetricWriter;
  readonly #intents: UploadIntents;
  readonly #plain: UploadRows | undefined;
  readonly #trend = new TrendReader();

  /** The position of the block in the file, in bytes. */
  #base = 0;
  readonly #top = new TopMembers();
  readonly #similar = new SimilarNodesReader();
  /** The code of the member whose list is being read. */
  #listCode = 0;
  /** Row and level of the innermost open entry. Keywords have level 0, the root has level 1. */
  #row = 0;
  #level = 0;
  readonly #opened: OpenNodes;

  /**
   * @param keepsColumns whether to fill the tables; otherwise only validates and counts
   * @param plain reads runs of plain entries, if WebAssembly can run
   * @param fileBytes the size of the whole file, 0 if unknown
   */
  constructor(keepsColumns: boolean, limits: EntryLimits, extras: Extras, plain?: UploadRows, fileBytes = 0) {
    // Each node opens two containers, its object and the list of its children.
    const levels = (limits.maxDepth >>> 1) + 2;
    this.#keepsColumns = keepsColumns;
    this.nodes = new GrowingTable(true, fileBytes);
    this.keywords = keepsColumns ? new GrowingTable(false, fileBytes) : this.#counted;
    this.#limits = limits;
    this.#metrics = new MetricWriter(levels);
    this.#opened = new OpenNodes(levels);
    this.#extras = keepsColumns ? extras : { nodes: checkedFigures, keywords: checkedFigures };
    this.#plain = keepsColumns ? plain : undefined;
    this.types = new UploadTypes(this.#plain);
    this.#intents = new UploadIntents(this.#plain);
    this.#plain?.begin();
  }

  /** The results of a check so far. */
  outline(): UploadOutline {
    return this.#outline.outline(this.types.names, this.#counted);
  }

  /** The tables that were read; without rows if no columns are kept. */
  tables(bytes: number): UploadTables {
    const nodes = this.#keepsColumns ? this.nodes : new GrowingTable(true);
    const keywords = this.#keepsColumns ? this.keywords : new GrowingTable(false);
    const similar = this.#similar.finish(nodes.rows);
    const columns = { nodes: nodes.finish(), keywords: keywords.finish(), types: this.types.names, bytes };
    const metrics = [columns.nodes.metrics, columns.keywords.metrics];
    settleRates(metrics.map(({ competition }) => ({ rates: [competition] })));
    if (!this.#metrics.hasPercentSigns) settleDifficulties(metrics.map(({ difficulty }) => difficulty));
    return { ...columns, ...(similar && { similar }) };
  }

  member(context: number, name: string): JsonMember {
    if (context === ROOT && name === similarMember && !this.#keepsColumns) return ignoredMember;
    if (context === ROOT) return this.#top.member(name);
    const isOfEntry = context !== MONTH && context !== FLAGS;
    if (!this.#keepsColumns && isOfEntry && name.length <= maxMemberLength) this.#outline.member(name);
    const { nameOf } = this.#limits;
    if (!isOfEntry || !nameOf || name.length > maxMemberLength)
      return memberOf(context, name, this.#extras, this.#keepsColumns);
    const readAs = nameOf(name);
    return readAs === undefined ? ignoredMember : memberOf(context, readAs, this.#extras, this.#keepsColumns);
  }

  read(memory: JsonMemory, texts: Uint8Array, base: number, rereadFrom: number): void {
    const { bytes, tape, values } = memory;
    const words = memory.registers[TAPE]!;
    this.#base = base;
    this.unreadAt = 0;
    const plain = this.#plain;
    plain?.beginTape();
    for (let from = 0; from < words && this.refusal === undefined; from += 4) {
      const next = plain?.mayBegin(tape[from]!) ? this.#addPlain(plain, memory, from, words, rereadFrom) : from;
      if (this.unreadAt > 0) return;
      if (next > from) {
        from = next - 4;
        continue;
      }
      const at = tape[from + 2]!;
      const end = tape[from + 3]!;
      switch (tape[from]!) {
        case OPEN | (KEYWORDS << 4):
          this.#openKeyword(at);
          break;
        case OPEN | (CHILDREN << 4):
          this.#openNode(at);
          break;
        case CLOSE | (KEYWORD << 4):
          if (this.#keepsColumns) this.keywords.close(this.#row, base + end);
          break;
        case CLOSE | (NODE << 4):
          this.#closeNode(end);
          break;
        case STRING | (KEYWORD << 4):
          this.#keywordText(tape[from + 1]!, bytes, at + 1, end - 1, at, end);
          break;
        case STRING | (NODE << 4):
          this.#nodeText(tape[from + 1]!, bytes, at + 1, end - 1, at, end);
          break;
        case NUMBER | (KEYWORD << 4):
          this.#number(tape[from + 1]!, values[from >> 2]!, at, end);
          break;
        default:
          if ((tape[from]! & 15) === TEXT) {
            this.#string(tape[from]! >> 4, tape[from + 1]!, texts, tape[from + 6]!, tape[from + 7]!, at, end);
            from += 4;
          } else this.#other(tape[from]!, tape[from + 1]!, memory, from);
      }
    }
  }

  /**
   * Adds a run of plain entries of one table. Returns the index of the tape where it ends; `from` if the entry there is
   * not plain.
   */
  #addPlain(plain: UploadRows, memory: JsonMemory, from: number, words: number, rereadFrom: number): number {
    const table = memory.tape[from]! >> 4 === CHILDREN ? this.nodes : this.keywords;
    const next = plain.fill(from, words, this.#base, table.nameBytes, this.#limits.maxNodes - table.rows);
    if (next > from) table.append(plain, this.#row);
    if (table === this.keywords)
      forwardLists(plain, memory, from, next, table.rows - plain.rows, this.#extras.keywords);
    if (plain.isCut && next > 0 && memory.tape[next + 2]! >= rereadFrom) this.unreadAt = next;
    return next;
  }

  /** Handles records that are rarer than the members of keywords and nodes. @param tag the first word of the record */
  #other(tag: number, code: number, { bytes, tape, values }: JsonMemory, from: number): void {
    const context = tag >> 4;
    const at = tape[from + 2]!;
    const end = tape[from + 3]!;
    const kind = tag & 15;
    if ((context === SERIES || context === MONTH) && kind !== STRING) {
      this.#trend.token(kind, context, code, kind === LONG ? decimalOf(bytes, at, end) : values[from >> 2]!);
      return;
    }
    switch (kind) {
      case OPEN:
        this.#open(context, code, at, end);
        return;
      case CLOSE:
        if (context === ROOT) this.#refuseIf(this.#top.end(), at, end);
        return;
      case STRING:
        this.#string(context, code, bytes, at + 1, end - 1, at, end);
        return;
      case NUMBER:
      case LONG: {
        const value = kind === LONG ? decimalOf(bytes, at, end) : values[from >> 2]!;
        if (context === KEYWORD || context === NESTED || context === NODE) this.#number(code, value, at, end);
        else if (context === INTENTS) this.#addIntents(this.#intents.ofNumber(this.#listCode, value));
        else if (context === FLAGS) this.#addIntents(value === 1 ? code : 0);
        else if (context === SIMILAR) this.#similar.number(value, this.nodes.rows);
        else this.#refuseShape(context, code, at, end);
        return;
      }
      case LITERAL:
        this.#literal(context, code, values[from >> 2]!, at, end);
        return;
      case SKIPPED:
        this.#refuseShape(context, code, at, at + 1);
        return;
      default:
        this.#refuseIf(this.#top.begin(code), at, end);
    }
  }

  #open(context: number, code: number, at: number, inner: number): void {
    if (inner === INTENTS || inner === MEMBERS) this.#listCode = code;
    else if (inner === SIMILAR) this.#similar.begin();
    else if (inner === SERIES) this.#trend.begin(this.#extra(), code, this.#row);
    else if (context === ROOT && inner === NODE) this.#openNode(at);
    else if (inner === CHILDREN) {
      const repeated = this.#opened.repeatedList(this.#level, code);
      if (repeated) this.#refuse(`"${repeated}" twice in one node`, at, at + 1);
    }
  }

  #string(context: number, code: number, bytes: Uint8Array, start: number, end: number, at: number, atEnd: number) {
    switch (context) {
      case KEYWORD:
      case NESTED:
        this.#keywordText(code, bytes, start, end, at, atEnd);
        return;
      case NODE:
        this.#nodeText(code, bytes, start, end, at, atEnd);
        return;
      case KEYWORDS:
        this.#openKeyword(at);
        this.#name(this.keywords, bytes, start, end, at, atEnd);
        if (this.#keepsColumns) this.keywords.close(this.#row, this.#base + atEnd);
        return;
      case CHILDREN:
        this.#openNode(at);
        this.#name(this.nodes, bytes, start, end, at, atEnd);
        this.#opened.setName(this.#level);
        this.#closeNode(atEnd);
        return;
      case INTENTS:
        this.#addIntents(this.#intents.ofText(this.#listCode, bytes, start, end));
        return;
      case SERIES:
      case MONTH:
        this.#trend.text(context, code, bytes, start, end);
        return;
      case FLAGS:
        if (saysYes(new TextDecoder().decode(bytes.subarray(start, end)))) this.#addIntents(code);
        return;
      default:
        if (context === SIMILAR) this.#similar.fail();
        else if (context === MEMBERS)
          this.#extra().member?.(this.#listCode >>> rankShift, this.#row, bytes, start, end);
        else this.#refuseShape(context, code, at, atEnd);
    }
  }

  /** Handles a number in a keyword or a node. */
  #number(code: number, value: number, at: number, end: number): void {
    const kind = code & KIND_MASK;
    if (kind >= memberKind.volume) this.#metricNumber(code, value, at, end);
    else if (kind === memberKind.extra) {
      if (!this.#extra().number(code >>> rankShift, this.#row, value)) this.#refuse(beyondFigures, at, end);
    } else if (kind === memberKind.name && (this.#level === 0 || code !== memberKind.name)) {
      if (Number.isNaN(value)) return;
      const text = new TextEncoder().encode(String(value));
      if (this.#level === 0) this.#keywordText(code, text, 0, text.length, at, end);
      else this.#nodeName(code, text, 0, text.length, at, end);
    } else this.#refuseShape(this.#level > 0 ? NODE : KEYWORD, code, at, end);
  }

  #literal(context: number, code: number, value: number, at: number, end: number): void {
    const isEntry = context === KEYWORD || context === NESTED || context === NODE;
    const kind = code & KIND_MASK;
    if (isEntry && value === 1) this.#addIntents(intentOfMember(kind));
    if (context === FLAGS && value === 1) this.#addIntents(code);
    if (context === SIMILAR) this.#similar.fail();
    if (isEntry && kind === memberKind.extra && !Number.isNaN(value)) {
      const word = literalTexts[value]!;
      this.#extra().text(code >>> rankShift, this.#row, word, 0, word.length);
    }
    const isNoChildren = context === NODE && kind === memberKind.children && Number.isNaN(value);
    if (!isNoChildren) this.#refuseShape(context, code, at, end);
  }

  #openNode(at: number): void {
    if (this.nodes.rows === this.#limits.maxNodes) {
      this.#refuse(`more than ${this.#limits.maxNodes} nodes`, at, at + 1);
      return;
    }
    const parent = this.#level === 0 ? 0 : this.#row;
    const row = this.nodes.rows;
    this.#level++;
    this.#row = row;
    this.#opened.open(this.#level, row);
    if (!this.#keepsColumns) {
      this.nodes.rows++;
      this.#outline.open(this.#level, row, parent);
      return;
    }
    this.nodes.open(this.#base + at);
    this.nodes.parent[row] = parent;
    this.#metrics.begin(this.#level);
  }

  #closeNode(end: number): void {
    if (!this.#opened.hasName(this.#level)) this.#refuse('a node without a name', end - 1, end);
    if (this.#keepsColumns) this.nodes.close(this.#row, this.#base + end);
    else this.#outline.close(this.#level, this.#row, this.nodes.rows - 1);
    this.#level--;
    this.#row = this.#opened.row(this.#level);
  }

  #openKeyword(at: number): void {
    if (this.keywords.rows === this.#limits.maxNodes) {
      this.#refuse(`more than ${this.#limits.maxNodes} keywords`, at, at + 1);
      return;
    }
    this.#row = this.keywords.rows;
    this.#metrics.begin(0);
    if (this.#keepsColumns) this.keywords.open(this.#base + at);
    else this.keywords.rows++;
  }

  #nodeText(code: number, bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    const kind = code & KIND_MASK;
    if (kind === memberKind.name) this.#nodeName(code, bytes, start, end, at, atEnd);
    else if (kind === memberKind.type) this.#type(bytes, start, end, at, atEnd);
    else if (kind >= memberKind.extra) this.#figureText(code, bytes, start, end, at, atEnd);
    else this.#refuseShape(NODE, code, at, atEnd);
  }

  #nodeName(code: number, bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    const isEmpty = start === end;
    if (isEmpty && this.#level === 1 && code === memberKind.name) {
      this.#refuse('a "hierarchy" with an empty name', at, atEnd);
    }
    if (this.#opened.takesName(this.#level, code, isEmpty)) this.#name(this.nodes, bytes, start, end, at, atEnd);
  }

  #keywordText(code: number, bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    const kind = code & KIND_MASK;
    if (kind === memberKind.name) {
      if (start < end && this.#metrics.prefersName(0, code)) this.#name(this.keywords, bytes, start, end, at, atEnd);
    } else if (kind >= memberKind.extra) this.#figureText(code, bytes, start, end, at, atEnd);
  }

  #name(table: GrowingTable, bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    if (end - start > this.#limits.maxNameBytes) {
      const near = bytes.slice(start, end);
      this.refusal ??= { what: `a name longer than ${this.#limits.maxNameBytes} bytes`, at, end: atEnd, near };
    } else if (this.#keepsColumns) table.setName(this.#row, bytes, start, end);
    else if (this.#level > 0) this.#outline.name(this.#level, bytes, start, end);
  }

  #type(bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    if (end - start > maxTypeBytes) this.#refuse(`a type longer than ${maxTypeBytes} bytes`, at, atEnd);
    else if (start < end) {
      const type = this.types.numberOf(bytes, start, end);
      if (type > maxTypes) this.#refuse(`more than ${maxTypes} types`, at, atEnd);
      else if (this.#keepsColumns) this.nodes.type[this.#row] = type;
      else this.#outline.type(type);
    }
  }

  /** Handles a text in a member that has no text column: a metric, intents, or an extra field. */
  #figureText(code: number, bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void {
    const kind = code & KIND_MASK;
    if (kind === memberKind.intent) this.#addIntents(this.#intents.ofText(code, bytes, start, end));
    else if (kind >= memberKind.informational) {
      if (saysYes(new TextDecoder().decode(bytes.subarray(start, end)))) this.#addIntents(intentOfMember(kind));
    } else {
      const isTaken =
        kind === memberKind.extra
          ? this.#extra().text(code >>> rankShift, this.#row, bytes, start, end)
          : this.#metrics.text(this.#table(), this.#row, this.#level, code, bytes, start, end);
      if (!isTaken) this.#refuse(beyondFigures, at, atEnd);
    }
  }

  #metricNumber(code: number, value: number, at: number, end: number): void {
    const kind = code & KIND_MASK;
    if (kind < memberKind.intent) {
      const figure = figureOf(value);
      // A check counts only the volumes of keywords.
      const isCounted = this.#keepsColumns || kind === memberKind.volume || kind === memberKind.volumeBound;
      if (isCounted) this.#metrics.number(this.#table(), this.#row, this.#level, code, figure);
      if (isBeyond(figure)) this.#refuse(beyondFigures, at, end);
    } else if (kind === memberKind.intent) this.#addIntents(this.#intents.ofNumber(code, value));
    else this.#addIntents(value === 1 ? intentOfMember(kind) : 0);
  }

  #addIntents(bits: number): void {
    if (bits === 0 || !this.#keepsColumns) return;
    this.#table().addIntents(this.#row, bits);
  }

  /** The receiver of extra fields of the current table. Always exists, because only a receiver assigns their codes. */
  #extra(): ExtraFields {
    return (this.#level > 0 ? this.#extras.nodes : this.#extras.keywords)!;
  }

  /** The table of the current entry. */
  #table(): GrowingTable {
    return this.#level > 0 ? this.nodes : this.keywords;
  }

  /** Refuses a value of the wrong kind if the kind matters; otherwise ignores the member. */
  #refuseShape(context: number, code: number, at: number, end: number): void {
    this.#refuseIf(wrongShape(context, code), at, end);
  }

  #refuseIf(what: string | undefined, at: number, end: number): void {
    if (what !== undefined) this.#refuse(what, at, end);
  }

  #refuse(what: string, at: number, end: number): void {
    this.refusal ??= { what, at, end };
  }
}

/**
 * `maxDepth`: open containers in the file; `maxNodes`: rows in each of the two tables; `nameOf`: the names that members
 * are read under, if not their own.
 */
type EntryLimits = {
  readonly maxDepth: number;
  readonly maxNameBytes: number;
  readonly maxNodes: number;
  readonly nameOf?: NameOf | undefined;
};

/** In UTF-16 code units. Longer than any known spelling; members with longer names are ignored. */
const maxMemberLength = 128;

/**
 * How the reader handles a member of a keyword, of a node, or of an object inside one.
 *
 * @param context KEYWORD, NESTED, NODE, MONTH or FLAGS
 * @param keepsColumns false for a check, which ignores what cannot cause a refusal
 */
function memberOf(context: number, name: string, extras: Extras, keepsColumns: boolean): JsonMember {
  if (context === MONTH) return memberOfMonth(name);
  if (context === FLAGS) return flagMember(name);
  if (name.length > maxMemberLength) return ignoredMember;
  const code = context === NODE ? nodeMember(name, extras.nodes) : keywordMember(name, extras.keywords);
  return entryMember(context, keepsColumns ? code : checkedMember(code));
}

/** The texts of false and true, by the value of their LITERAL record. */
const literalTexts = ['false', 'true'].map((word) => new TextEncoder().encode(word));

/**
 * Forwards the lists of the keywords in a run of plain rows: trends from beside the tape, texts from the tape.
 *
 * @param from the first tape word of the run; `to` is its end
 * @param row the first row of the run
 */
function forwardLists(
  run: UploadRows,
  memory: JsonMemory,
  from: number,
  to: number,
  row: number,
  extras: ExtraFields | undefined,
): void {
  if (run.seriesCode !== 0) forwardSeries(run, memory.values, row, extras);
  if (run.hasMembers) forwardMembers(run, memory, from, to, row, extras);
  else if (run.membersCode !== 0) forwardBits(run, row, extras);
}

function forwardSeries(run: UploadRows, values: Float64Array, first: number, extras: ExtraFields | undefined): void {
  const field = fieldOfCode(run.seriesCode);
  const { rows, series } = run;
  for (let row = 0; row < rows; row++) {
    const count = series[row]! >>> 16;
    if (count > 0) extras?.trend?.series(field, first + row, values, series[row]! & 0xffff, count);
  }
}

function forwardBits(run: UploadRows, first: number, extras: ExtraFields | undefined): void {
  const field = run.membersCode >>> rankShift;
  const { rows, members } = run;
  for (let row = 0; row < rows; row++) if (members[row] !== 0) extras?.bits?.(field, first + row, members[row]!);
}

function forwardMembers(
  run: UploadRows,
  { bytes, tape }: JsonMemory,
  from: number,
  to: number,
  first: number,
  extras: ExtraFields | undefined,
): void {
  let row = first - 1;
  let code = 0;
  for (let at = from; at < to; at += 4) {
    const tag = tape[at]!;
    if (tag === (STRING | (MEMBERS << 4))) {
      const start = tape[at + 2]! + 1;
      const end = tape[at + 3]! - 1;
      const bits = extras?.member?.(code >>> rankShift, row, bytes, start, end) ?? -1;
      if (run.mayLearn(code)) run.learn(code, bytes.subarray(start, end), bits);
    } else if (tag === (OPEN | (KEYWORD << 4)) && tape[at + 3] === MEMBERS) code = tape[at + 1]!;
    else if (tag === (OPEN | (KEYWORDS << 4)) || tag === (STRING | (KEYWORDS << 4))) row++;
  }
}
