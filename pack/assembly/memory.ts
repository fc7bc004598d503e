// The memory layout, which must agree with pack/src/json/json-memory.ts and pack/src/upload/upload-rows.ts.

export const REGISTERS: usize = 1024;
export const ELEMENTS: usize = 1152;
export const POWERS: usize = 1280;
export const BYTES: usize = 4096;
export const TAPE: usize = BYTES + 131072 + 4096;
export const TAPE_RECORDS: usize = 8192;
export const VALUES: usize = TAPE + TAPE_RECORDS * 16;
export const SLOTS: usize = VALUES + TAPE_RECORDS * 8;
export const MEMBER_SLOTS: i32 = 2048;
export const MEMBER_ENTRIES: usize = 1024;
export const LENGTHS: usize = SLOTS + 2048 * 4;
export const MEMBER_CONTEXTS: usize = LENGTHS + MEMBER_ENTRIES * 4;
export const CODES: usize = MEMBER_CONTEXTS + MEMBER_ENTRIES * 4;
export const ACTIONS: usize = CODES + MEMBER_ENTRIES * 4;
export const SUCCESSORS: usize = ACTIONS + MEMBER_ENTRIES * 4;
export const NAMES: usize = SUCCESSORS + MEMBER_ENTRIES * 4;
export const MEMBER_STRIDE: usize = 144;
/** The stack of open containers. The loader compares this address. */
export const STACK: usize = NAMES + MEMBER_ENTRIES * MEMBER_STRIDE;

// Registers.
export const STATE: usize = REGISTERS;
export const DEPTH: usize = REGISTERS + 4;
export const CONTAINER: usize = REGISTERS + 8;
export const CODE: usize = REGISTERS + 12;
export const ACTION: usize = REGISTERS + 16;
export const MEMBER: usize = REGISTERS + 20;
export const AT: usize = REGISTERS + 24;
export const END: usize = REGISTERS + 28;
export const TAPE_WORDS: usize = REGISTERS + 32;
export const MAX_TEXT: usize = REGISTERS + 36;
export const MAX_DEPTH: usize = REGISTERS + 40;
export const LINES: usize = REGISTERS + 44;
export const LINE_START: usize = REGISTERS + 48;

// What may come next.
export const VALUE: i32 = 0;
export const FIRST_ELEMENT: i32 = 1;
export const FIRST_KEY: i32 = 2;
export const KEY: i32 = 3;
export const COLON: i32 = 4;
export const AFTER: i32 = 5;
export const DONE: i32 = 6;

// Records.
export const OPEN: i32 = 0;
export const CLOSE: i32 = 1;
export const STRING: i32 = 2;
export const NUMBER: i32 = 4;
export const LONG: i32 = 5;
export const LITERAL: i32 = 6;
export const SKIPPED: i32 = 7;

// Actions.
export const EMIT_SCALARS: i32 = 1 << 16;
export const EMIT_CONTAINERS: i32 = 1 << 17;

// Rows: the columns that a run of plain entries is written to.
export const MAX_ROWS: usize = 8192;
export const ROWS_FILLED: usize = REGISTERS + 56;
export const ROW_NAME_BYTES: usize = REGISTERS + 60;
export const ROW_METRICS: usize = REGISTERS + 64;
export const REMEMBERED_TYPES: usize = REGISTERS + 68;
export const REMEMBERED_INTENTS: usize = REGISTERS + 72;
export const REMEMBERED_MEMBERS: usize = REGISTERS + 76;
/** The code of the member whose lists of numbers are in the rows, 0 for none. */
export const ROW_SERIES_CODE: usize = REGISTERS + 80;
/** The code of the member whose texts are cached, 0 before the first one, -1 if there are too many. */
export const MEMBERS_CODE: usize = REGISTERS + 84;
/** Whether the run stopped at an entry that continues behind the tape and was plain so far. */
export const ROWS_CUT: usize = REGISTERS + 88;
export const ROWS: usize = 655360;
export const ROW_VOLUMES: usize = ROWS;
export const ROW_STARTS: usize = ROW_VOLUMES + MAX_ROWS * 8;
export const ROW_ENDS: usize = ROW_STARTS + MAX_ROWS * 4;
export const ROW_NAME_STARTS: usize = ROW_ENDS + MAX_ROWS * 4;
export const ROW_NAME_LENGTHS: usize = ROW_NAME_STARTS + MAX_ROWS * 4;
export const ROW_DIFFICULTIES: usize = ROW_NAME_LENGTHS + MAX_ROWS * 4;
export const ROW_CPCS: usize = ROW_DIFFICULTIES + MAX_ROWS * 4;
export const ROW_COMPETITIONS: usize = ROW_CPCS + MAX_ROWS * 4;
export const ROW_POSITIONS: usize = ROW_COMPETITIONS + MAX_ROWS * 4;
export const ROW_TYPES: usize = ROW_POSITIONS + MAX_ROWS * 4;
export const ROW_INTENTS: usize = ROW_TYPES + MAX_ROWS * 2;
/** Cached texts: a length, a number and up to 32 bytes each. */
export const TEXT_STRIDE: usize = 40;
export const MAX_TEXTS: usize = 16;
export const TYPE_TEXTS: usize = ROW_INTENTS + MAX_ROWS;
export const INTENT_TEXTS: usize = TYPE_TEXTS + MAX_TEXTS * TEXT_STRIDE;
export const MEMBER_TEXTS: usize = INTENT_TEXTS + MAX_TEXTS * TEXT_STRIDE;
/** 132 KiB. */
export const ROW_NAMES: usize = MEMBER_TEXTS + MAX_TEXTS * TEXT_STRIDE;

// Names: results for thousands of names at a time, after all rows have been filled. They reuse the memory of the row
// columns.
export const NAME_HASHES: usize = ROW_VOLUMES;
export const NAME_FLAGS: usize = ROW_INTENTS;
/** The start and end of each text that is hashed. */
export const TEXTS: usize = ROW_DIFFICULTIES;
export const TEXT_ENDS: usize = ROW_CPCS;
export const FOLD_LENGTHS: usize = ROW_COMPETITIONS;
/**
 * For a keyword, the end of its list of numbers on the tape, as a record index, with the list length in the bits above;
 * 0 for none.
 */
export const ROW_SERIES: usize = ROW_NAMES + 131072 + 4096;
/** For a keyword, the cached texts of its list, as bits. */
export const ROW_MEMBERS: usize = ROW_SERIES + MAX_ROWS * 4;

/**
 * Folds of characters, as in pack/src/names/character-folds.ts. For each page of 64 characters, the number of its block:
 * 0 if it is missing, 1 if no character changes, 2 for a block of zeros.
 */
export const KEY_PAGES: usize = ROW_MEMBERS + MAX_ROWS * 4;
export const UNICODE_PAGES: usize = 0x110000 / 64;
export const SEARCH_PAGES: usize = KEY_PAGES + UNICODE_PAGES;
export const MISSING: u32 = 0;
export const UNCHANGED: u32 = 1;
export const NONE_ALONE: u32 = 2;
/** Blocks of 64 entries of eight bytes. */
export const MAX_BLOCKS: usize = 128;
export const KEY_BLOCKS: usize = SEARCH_PAGES + UNICODE_PAGES;
export const SEARCH_BLOCKS: usize = KEY_BLOCKS + MAX_BLOCKS * 512;
/** The count of pages that were needed but missing, then their numbers. */
export const WANTED_PAGES: usize = SEARCH_BLOCKS + MAX_BLOCKS * 512;
export const MAX_WANTED: usize = 511;
/** A folded character has at most three times as many bytes. */
export const FOLDED: usize = WANTED_PAGES + 1024;
