import type { JsonLoop } from '../json/json-memory.ts';
import {
  type CharacterFolds,
  keyFolds,
  pageBytes,
  pages,
  searchFolds,
  unchangedPage,
} from '../names/character-folds.ts';
import type { HashKey } from '../names/half-sip-hash.ts';
import { listsEnd, type UploadRows } from './upload-rows.ts';
import type { NameColumns } from './upload-tables.ts';

// The part of the memory behind the rows. pack/assembly/memory.ts uses the same numbers.

/**
 * A loop with optional extensions: one fills rows from its tape, the other processes their names once all are loaded.
 */
export type UploadLoop = JsonLoop & { readonly rows?: UploadRows; readonly names?: NameLoop };

const KEY_PAGES_AT = listsEnd;
const SEARCH_PAGES_AT = KEY_PAGES_AT + pages;
const maxBlocks = 128;
const KEY_BLOCKS_AT = SEARCH_PAGES_AT + pages;
const SEARCH_BLOCKS_AT = KEY_BLOCKS_AT + maxBlocks * pageBytes;
const WANTED_AT = SEARCH_BLOCKS_AT + maxBlocks * pageBytes;
const maxWanted = 511;
/**
 * The entry of a page is 0 while the page is missing, this number if it changes nothing, otherwise the number of its block. When the loop asks
 * for a missing page, it sets the entry to 2, an empty block, until {@link FoldTable.addWanted}.
 */
const unchangedBlock = 1;
/** The first number of a block with content. Block 2 has no characters that can be folded alone. */
const firstBlock = 3;
const FOLDED_AT = WANTED_AT + 2 * (maxWanted + 1);
/**
 * The number of name bytes in memory at a time, with room for folds of up to three times the size and for reads beyond
 * the end.
 */
const roomBytes = 65_536;
/** How many rows at the end of a batch are tried to find one with a name; open nodes may have none yet. */
const lastOpen = 8;
const memoryBytes = FOLDED_AT + 3 * roomBytes + 4096;
/** The memory of the tokenizer, the rows and the names, in 64 KiB pages. */
export const memoryPagesWithNames = Math.ceil(memoryBytes / 65_536);

/** The functions of pack/assembly/names.ts, which work on the names in the memory. */
export type NameKernels = {
  readonly hashKeys: (count: number, base: number, bytes: number, key0: number, key1: number) => void;
  readonly address: (count: number, base: number, bytes: number, low: number, high: number) => void;
  readonly foldNames: (count: number, base: number, bytes: number) => number;
};

/**
 * Hashes and folds thousands of names at a time in WebAssembly, four in parallel. Uses the memory of the loop that read
 * them, which is free by then.
 *
 * Callers have the same functions in TypeScript, for platforms where this cannot run and for names it leaves out: names
 * longer than 1 KiB, names that must be folded or normalized as a whole, and names stored far from the preceding ones.
 */
export class NameLoop {
  /** Hashes of the last names: two words each, low word first. */
  readonly hashes: Uint32Array<ArrayBuffer>;
  /** 1 for a name that was left out. */
  readonly isLeft: Uint8Array<ArrayBuffer>;
  /** The length of each fold in bytes; 2^32 - 1 if it equals the name. */
  readonly foldLengths: Uint32Array<ArrayBuffer>;
  /** The folds that differ from their names, back to back. */
  readonly folds: Uint8Array<ArrayBuffer>;
  readonly #kernels: NameKernels;
  readonly #rows: UploadRows;
  readonly #keyFolds: FoldTable;
  readonly #searchFolds: FoldTable;
  /** The buffer of the names last passed to {@link add}, and the write position. */
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
    this.#keyFolds = new FoldTable(memory, keyFolds, KEY_PAGES_AT, KEY_BLOCKS_AT);
    this.#searchFolds = new FoldTable(memory, searchFolds, SEARCH_PAGES_AT, SEARCH_BLOCKS_AT);
    this.hashes = new Uint32Array(memory, volume.byteOffset, 2 * volume.length);
    this.isLeft = new Uint8Array(memory, intent.byteOffset, intent.length);
    this.foldLengths = new Uint32Array(memory, competition.byteOffset, competition.length);
    this.#room = new DataView(memory, rows.names.byteOffset, rows.names.byteLength);
    this.#view = this.#room;
    this.folds = new Uint8Array(memory, FOLDED_AT, 3 * roomBytes);
  }

  /** Copies names of a table into the memory, from a row on, as many as fit. Returns their count. */
  bring({ names, nameStart, nameLength }: NameColumns, from: number, to: number): number {
    const base = nameStart[from]!;
    let count = Math.min(to - from, this.isLeft.length);
    let size = bytesOf(nameStart, nameLength, from, count);
    // Nearly all names are stored in row order. Names outside the copied range are left out.
    while (count > 1 && size > roomBytes) {
      count >>>= 1;
      size = bytesOf(nameStart, nameLength, from, count);
    }
    const bytes = names.subarray(base, base + Math.min(size, roomBytes));
    this.#rows.names.set(bytes);
    this.#bytes = bytes.length;
    this.#rows.nameStart.set(nameStart.subarray(from, from + count));
    this.#rows.nameLength.set(nameLength.subarray(from, from + count));
    this.#count = count;
    this.#base = base;
    return count;
  }

  /** Call before the first {@link add}. */
  clear(): void {
    this.#count = 0;
    this.#base = 0;
    this.#bytes = roomBytes;
  }

  /** Adds one more name from any buffer; returns `false` if there is no room. */
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

  /** Hashes the text keys of the loaded names, with the same result as `NameTable`. */
  hashKeys([key0, key1]: HashKey): void {
    do this.#kernels.hashKeys(this.#count, this.#base, this.#bytes, key0, key1);
    while (this.#keyFolds.addWanted());
  }

  /**
   * Computes the node IDs of the loaded names as children of a node, with the same result as `createPathHash` for the
   * first node of each name.
   */
  address(parentHigh: number, parentLow: number): void {
    do this.#kernels.address(this.#count, this.#base, this.#bytes, parentLow, parentHigh);
    while (this.#keyFolds.addWanted());
  }

  /** Folds the loaded names with the same result as `SearchKey`, and returns the size of all `folds` in bytes. */
  fold(): number {
    let bytes: number;
    do bytes = this.#kernels.foldNames(this.#count, this.#base, this.#bytes);
    while (this.#searchFolds.addWanted());
    return bytes;
  }
}

/**
 * The size of consecutive names in bytes. The last rows may be open nodes that have no name yet or an earlier one; they
 * say nothing about the others.
 */
function bytesOf(nameStart: Uint32Array, nameLength: Uint32Array, from: number, count: number): number {
  for (let last = count - 1; last > Math.max(0, count - lastOpen); last--) {
    const size = nameStart[from + last]! + nameLength[from + last]! - nameStart[from]!;
    if (size >= 0 && nameLength[from + last]! > 0) return size;
  }
  return count === 1 ? nameLength[from]! : roomBytes;
}

/** The pages of {@link CharacterFolds} that names have needed so far, in the memory of the loop. */
class FoldTable {
  readonly #folds: CharacterFolds;
  /** The number of the block of each page. */
  readonly #pages: Uint8Array<ArrayBuffer>;
  readonly #blocks: Uint8Array<ArrayBuffer>;
  readonly #wanted: Uint16Array<ArrayBuffer>;
  #nextBlock = firstBlock;

  constructor(memory: ArrayBuffer, folds: CharacterFolds, pagesAt: number, blocksAt: number) {
    this.#folds = folds;
    this.#pages = new Uint8Array(memory, pagesAt, pages);
    this.#blocks = new Uint8Array(memory, blocksAt, maxBlocks * pageBytes);
    this.#wanted = new Uint16Array(memory, WANTED_AT, maxWanted + 1);
  }

  /**
   * Adds the pages that the last call of a function lacked; `true` if it must be called again. When there is no room,
   * names with characters of further pages are folded as a whole.
   */
  addWanted(): boolean {
    const count = this.#wanted[0]!;
    for (const number of this.#wanted.subarray(1, 1 + count)) {
      const page = this.#folds.pageAt(number);
      if (page === unchangedPage) this.#pages[number] = unchangedBlock;
      else if (this.#nextBlock < maxBlocks) {
        this.#blocks.set(page, this.#nextBlock * pageBytes);
        this.#pages[number] = this.#nextBlock++;
      }
    }
    return count > 0;
  }
}
