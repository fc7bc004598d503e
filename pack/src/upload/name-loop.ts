import type { JsonLoop } from '../json/json-memory.ts';
import type { HashKey } from '../names/hash-key.ts';
import { foldForSearch } from '../names/search-fold.ts';
import { keyOf } from '../names/text-key.ts';
import { listsEnd, rowsEnd, type UploadRows } from './upload-rows.ts';
import type { NameColumns } from './upload-tables.ts';

// The part of the memory behind that of the rows; pack/assembly/memory.ts has the same numbers.

/** A loop that brings what files rows from its tape, and what works on their names when all of them are there. */
export type UploadLoop = JsonLoop & { readonly rows?: UploadRows; readonly names?: NameLoop };

const KEY_FOLDS_AT = rowsEnd;
const letters = 0x480;
/** A length and the bytes. */
const foldStride = 8;
/** One entry more, because an entry is read a byte beyond its end. */
const foldsBytes = (letters + 1) * foldStride;
const SEARCH_FOLDS_AT = KEY_FOLDS_AT + foldsBytes;
const FOLDED_AT = listsEnd;
/** The bytes of names that are here at a time, which folds may make three times as many, and room to read beyond. */
const roomBytes = 65_536;
const memoryBytes = FOLDED_AT + 3 * roomBytes + 4096;
/** Of the tokenizer's memory, the rows' and this one, in pages of 64 KiB. */
export const memoryPagesWithNames = Math.ceil(memoryBytes / 65_536);
/** Below are ASCII's, which need no table. */
const firstLetter = 0x80;

/** What pack/assembly/names.ts does with the names in the memory. */
export type NameKernels = {
  readonly hashKeys: (count: number, base: number, bytes: number, key0: number, key1: number) => void;
  readonly address: (count: number, base: number, bytes: number, low: number, high: number) => void;
  readonly foldNames: (count: number, base: number, bytes: number) => number;
};

/**
 * Hashes and folds thousands of names at a time in WebAssembly, four beside each other. It works in the memory of the
 * loop that read them, which is free by then.
 *
 * Whoever asks has the same in TypeScript, for where this cannot run and for names that it leaves: those longer than 1 KiB,
 * those that are to be folded or normalized as a whole, and those that do not stand near the ones before them.
 */
export class NameLoop {
  /** Of the names asked about last: two words each, low one first. */
  readonly hashes: Uint32Array<ArrayBuffer>;
  /** 1 for a name that is left. */
  readonly isLeft: Uint8Array<ArrayBuffer>;
  /** Bytes of each fold; 2^32 - 1 where it is the name itself. */
  readonly foldLengths: Uint32Array<ArrayBuffer>;
  /** The folds that are not the name itself, back to back. */
  readonly folds: Uint8Array<ArrayBuffer>;
  readonly #kernels: NameKernels;
  readonly #rows: UploadRows;
  readonly #memory: ArrayBuffer;
  #hasKeyFolds = false;
  #hasSearchFolds = false;
  /** The names that {@link add} took last, and where it puts them. */
  #viewed: Uint8Array | undefined;
  #view: DataView;
  readonly #room: DataView;
  #count = 0;
  #base = 0;
  #bytes = 0;

  constructor(memory: ArrayBuffer, rows: UploadRows, kernels: NameKernels) {
    const { volume, intent, competition } = rows.metrics;
    this.#kernels = kernels;
    this.#rows = rows;
    this.#memory = memory;
    this.hashes = new Uint32Array(memory, volume.byteOffset, 2 * volume.length);
    this.isLeft = new Uint8Array(memory, intent.byteOffset, intent.length);
    this.foldLengths = new Uint32Array(memory, competition.byteOffset, competition.length);
    this.#room = new DataView(memory, rows.names.byteOffset, rows.names.byteLength);
    this.#view = this.#room;
    this.folds = new Uint8Array(memory, FOLDED_AT, 3 * roomBytes);
  }

  /** Brings the names of a table from a row on into the memory, as many as go in, and says how many those are. */
  bring({ names, nameStart, nameLength }: NameColumns, from: number, to: number): number {
    const base = nameStart[from]!;
    const endOf = (count: number) => nameStart[from + count - 1]! + nameLength[from + count - 1]! - base;
    let count = Math.min(to - from, this.isLeft.length);
    // Names stand in the order of their rows, but for a few. Those that are not in the memory then are left.
    while (count > 1 && endOf(count) > roomBytes) count >>>= 1;
    const wanted = endOf(count) < 0 ? roomBytes : endOf(count);
    const bytes = names.subarray(base, base + Math.min(wanted, roomBytes));
    this.#rows.names.set(bytes);
    this.#bytes = bytes.length;
    this.#rows.nameStart.set(nameStart.subarray(from, from + count));
    this.#rows.nameLength.set(nameLength.subarray(from, from + count));
    this.#count = count;
    this.#base = base;
    return count;
  }

  /** Before the names that {@link add} takes. */
  clear(): void {
    this.#count = 0;
    this.#base = 0;
    this.#bytes = roomBytes;
  }

  /** Brings one more name, from anywhere; `false` where there is no room for it. */
  add(names: Uint8Array, start: number, length: number): boolean {
    const { nameStart, nameLength, names: room } = this.#rows;
    const at = this.#count;
    const to = at === 0 ? 0 : nameStart[at - 1]! + nameLength[at - 1]!;
    if (at === this.isLeft.length || to + length > roomBytes) return false;
    nameStart[at] = to;
    nameLength[at] = length;
    if (names !== this.#viewed) this.#view = new DataView(names.buffer, names.byteOffset, names.byteLength);
    this.#viewed = names;
    let index = 0;
    for (; index + 4 <= length; index += 4) this.#room.setInt32(to + index, this.#view.getInt32(start + index));
    for (; index < length; index++) room[to + index] = names[start + index]!;
    this.#count = at + 1;
    return true;
  }

  /** Hashes the text keys of the names that were brought: what `NameTable` says of each. */
  hashKeys([key0, key1]: HashKey): void {
    if (!this.#hasKeyFolds) this.#writeFolds(KEY_FOLDS_AT, keyOf);
    this.#hasKeyFolds = true;
    this.#kernels.hashKeys(this.#count, this.#base, this.#bytes, key0, key1);
  }

  /** Hashes the names that were brought as children of a node: what `createPathHash` says of the first of each name. */
  address(parentHigh: number, parentLow: number): void {
    this.#kernels.address(this.#count, this.#base, this.#bytes, parentLow, parentHigh);
  }

  /** Folds the names that were brought, as `SearchKey` does each, and answers the bytes of all `folds`. */
  fold(): number {
    if (!this.#hasSearchFolds) this.#writeFolds(SEARCH_FOLDS_AT, foldForSearch);
    this.#hasSearchFolds = true;
    return this.#kernels.foldNames(this.#count, this.#base, this.#bytes);
  }

  /** The fold of each letter; without one for those that have none of their own, so that their names are left. */
  #writeFolds(at: number, foldText: (text: string) => string): void {
    const table = new Uint8Array(this.#memory, at, foldsBytes);
    for (let letter = firstLetter; letter < letters; letter++) {
      const fold = new TextEncoder().encode(foldText(String.fromCharCode(letter)));
      table[letter * foldStride] = fold.length;
      table.set(fold, letter * foldStride + 1);
    }
  }
}
