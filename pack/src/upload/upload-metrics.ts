import { signedPercent } from './click-rate.ts';
import { isBeyond } from './figure-limit.ts';
import { competitionOfLevel } from './metric-values.ts';
import { countOfBytes, numberOfBytes } from './numbers.ts';
import type { GrowingTable } from './upload-columns.ts';
import { memberKind, rankShift } from './upload-members.ts';

/** The number of values per open entry that can have several spellings: volume to position, then the name. */
const SLOTS = 6;
const NO_RANK = 255;
const KIND_MASK = (1 << rankShift) - 1;
/** Any figure for competition takes precedence over a word. */
const LEVEL_CODE = memberKind.competitionIndex | (128 << rankShift);
const MAX_COMPETITION_BYTES = 64;
const PERCENT = 0x25;
const decoder = new TextDecoder();

/** The code of a competition that is written with a percent sign. */
const asPercent = (code: number) => code - memberKind.competition + memberKind.competitionIndex;

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

/**
 * Writes metrics into rows, using the preferred spelling of each. Writes only known values in range, so the others stay
 * unknown. Competition is on the scale of `click-rate.ts` until the whole file is read: a plain 1 may mean 100 % or 1 %.
 *
 * `level` identifies an open entry, because a node's own metrics may come after its children's.
 */
export class MetricWriter {
  /** Whether some difficulty has a percent sign, so that their scale is known. */
  hasPercentSigns = false;
  readonly #ranks: Uint8Array;
  /** By level, whether nothing has been written since `begin`. */
  readonly #isFresh: Uint8Array;
  /** The first of two bounds, NaN before it. For volume and cost per click, by level. */
  readonly #bounds: Float64Array;

  constructor(levels: number) {
    this.#ranks = new Uint8Array(levels * SLOTS);
    this.#isFresh = new Uint8Array(levels);
    this.#bounds = new Float64Array(levels * 2);
  }

  begin(level: number): void {
    this.#isFresh[level] = 1;
  }

  /** Resets a level lazily, because most entries of most files have no metrics. */
  #forget(level: number): void {
    const at = level * SLOTS;
    for (let i = at; i < at + SLOTS; i++) this.#ranks[i] = NO_RANK;
    this.#bounds[level * 2] = Number.NaN;
    this.#bounds[level * 2 + 1] = Number.NaN;
    this.#isFresh[level] = 0;
  }

  /** Whether to use this spelling of the name. If so, records it. */
  prefersName(level: number, code: number): boolean {
    return this.#prefers(level, SLOTS - 1, code >>> rankShift);
  }

  /** @returns false if the figure causes the file to be refused */
  text(
    table: GrowingTable,
    row: number,
    level: number,
    code: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    const kind = code & KIND_MASK;
    if (kind === memberKind.volume || kind === memberKind.volumeBound) {
      return this.number(table, row, level, code, countOfBytes(bytes, start, end));
    }
    if (kind === memberKind.difficulty && bytes[end - 1] === PERCENT) this.hasPercentSigns = true;
    if (kind !== memberKind.competition) return this.number(table, row, level, code, numberOfBytes(bytes, start, end));
    if (isDigit(bytes[start]!) && (isDigit(bytes[end - 1]!) || bytes[end - 1] === PERCENT)) {
      // No string is needed, unless the text is a word or contains white space.
      const value = numberOfBytes(bytes, start, end);
      return this.number(table, row, level, bytes[end - 1] === PERCENT ? asPercent(code) : code, value);
    }
    if (end - start > MAX_COMPETITION_BYTES) return true;
    const text = decoder.decode(bytes.subarray(start, end));
    const ofLevel = competitionOfLevel(text);
    if (ofLevel >= 0) return this.number(table, row, level, LEVEL_CODE, 100 * ofLevel);
    const value = numberOfBytes(bytes, start, end);
    return this.number(table, row, level, text.trim().endsWith('%') ? asPercent(code) : code, value);
  }

  /** @returns same as `text` */
  number(table: GrowingTable, row: number, level: number, code: number, value: number): boolean {
    if (isBeyond(value)) return false;
    this.#write(table, row, level, code, value);
    return true;
  }

  #write(table: GrowingTable, row: number, level: number, code: number, value: number): void {
    const rank = code >>> rankShift;
    switch (code & KIND_MASK) {
      case memberKind.volume:
        if (value >= 0 && this.#prefers(level, 0, rank)) table.setMetric(row, 'volume', value);
        return;
      case memberKind.difficulty:
        if (value >= 0 && value <= 100 && this.#prefers(level, 1, rank)) table.setMetric(row, 'difficulty', value);
        return;
      case memberKind.cpc:
        if (value >= 0 && this.#prefers(level, 2, rank)) table.setMetric(row, 'cpc', value);
        return;
      case memberKind.competition:
        if (value >= 0 && value <= 100 && this.#prefers(level, 3, rank)) table.setMetric(row, 'competition', value);
        return;
      case memberKind.competitionIndex:
        if (value >= 0 && value <= 100 && this.#prefers(level, 3, rank))
          table.setMetric(row, 'competition', signedPercent(value));
        return;
      case memberKind.position:
        if (value >= 1 && this.#prefers(level, 4, rank)) table.setMetric(row, 'position', value);
        return;
      case memberKind.volumeBound:
        if (value >= 0 && this.#prefers(level, 0, rank)) table.setMetric(row, 'volume', this.#middle(level * 2, value));
        return;
      case memberKind.cpcBound:
        if (value >= 0 && this.#prefers(level, 2, rank))
          table.setMetric(row, 'cpc', this.#middle(level * 2 + 1, value));
        return;
    }
  }

  #prefers(level: number, slot: number, rank: number): boolean {
    if (this.#isFresh[level] === 1) this.#forget(level);
    const at = level * SLOTS + slot;
    if (rank > this.#ranks[at]!) return false;
    this.#ranks[at] = rank;
    return true;
  }

  /** The mean of both bounds, or the first bound until the second one arrives. */
  #middle(at: number, value: number): number {
    const first = this.#bounds[at]!;
    this.#bounds[at] = value;
    return Number.isNaN(first) ? value : (first + value) / 2;
  }
}
