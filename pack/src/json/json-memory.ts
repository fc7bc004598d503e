// The memory that the tokenizer and its reader share. pack/assembly/json-loop.ts has the same numbers.

/** Bytes of the file that are read at a time. */
export const blockBytes = 131_072;
/** Behind a block: quotes, at which every text ends, then room for loads of 16 bytes. */
const slackBytes = 4096;
/** A record is four words, see `recordKind`. */
export const tapeRecords = 8192;
/** A tape with so many words is full: a loop may write eight more, and a step after it as many. */
export const fullTape = tapeRecords * 4 - 32;
/** Contexts a plan may have; 0 is what nobody looks into. */
export const contexts = 16;
/** Names of members that are remembered, the first entry of each context included. */
export const memberEntries = 1024;
export const memberSlots = 2048;
/** Bytes of a remembered name, its closing quote included, with room for a load of 16 bytes behind it. */
export const memberStride = 144;
export const maxMemberBytes = 128;
export const maxDepth = 100_000;

const REGISTERS_AT = 1024;
const ELEMENTS_AT = 1152;
const POWERS_AT = 1280;
const BYTES_AT = 4096;
const TAPE_AT = BYTES_AT + blockBytes + slackBytes;
const VALUES_AT = TAPE_AT + tapeRecords * 16;
const SLOTS_AT = VALUES_AT + tapeRecords * 8;
const LENGTHS_AT = SLOTS_AT + memberSlots * 4;
const MEMBER_CONTEXTS_AT = LENGTHS_AT + memberEntries * 4;
const CODES_AT = MEMBER_CONTEXTS_AT + memberEntries * 4;
const ACTIONS_AT = CODES_AT + memberEntries * 4;
const SUCCESSORS_AT = ACTIONS_AT + memberEntries * 4;
const NAMES_AT = SUCCESSORS_AT + memberEntries * 4;
/** The last part. */
export const stackAt = NAMES_AT + memberEntries * memberStride;
/** WebAssembly counts memory in pages of 64 KiB. */
export const memoryPages = Math.ceil((stackAt + maxDepth) / 65_536);

// Registers. Places are relative to the block.
/** What may come next, see `state`. */
export const STATE = 0;
/** Open containers. */
export const DEPTH = 1;
/** The innermost container: its context in the bits above, in the lowest whether it is an array. */
export const CONTAINER = 2;
/** Code and action of the member or element that comes next. */
export const CODE = 3;
export const ACTION = 4;
/** Entry of the last member's name, or the context of an object that had none yet. */
export const MEMBER = 5;
/** Where to read on, and where the block ends. */
export const AT = 6;
export const END = 7;
/** Words written to the tape. */
export const TAPE = 8;
/** Limits, see `JsonLimits`. */
export const MAX_TEXT = 9;
export const MAX_DEPTH = 10;
/** Line feeds between tokens so far, and where the last line began. */
export const LINES = 11;
export const LINE_START = 12;
/** Names of members that are remembered. */
export const MEMBERS = 13;

/** What may come next. */
export const VALUE = 0;
export const FIRST_ELEMENT = 1;
export const FIRST_KEY = 2;
export const KEY = 3;
export const COLON = 4;
export const AFTER = 5;
export const DONE = 6;

// A record is kind | context of the container it stands in << 4, the member's code, where it begins, where it ends.
/** A container that is looked into; its last word is the inner context. */
export const OPEN = 0;
/** Its context is that of the container that closes. */
export const CLOSE = 1;
/** A text that lies in the block as it is, between its quotes. */
export const STRING = 2;
/** A text that does not: two records, the last two words of the second are its range in the texts beside the tape. */
export const TEXT = 3;
/** A number; its value stands in `values` by the record's number, NaN where it is too large for a double. */
export const NUMBER = 4;
/** A number whose value is still to be read from the block. */
export const LONG = 5;
/** Its value is 1 for true, 0 for false, NaN for null. */
export const LITERAL = 6;
/** A container that is told and not looked into. */
export const SKIPPED = 7;
/** A member's name. */
export const NAME = 8;

// An action is the context of an object | the context of an array << 8 | what is told.
/** The member's texts, numbers and literals are told. */
export const TELL_SCALARS = 1 << 16;
/** Its containers are told. Those that have a context must be. */
export const TELL_CONTAINERS = 1 << 17;
/** Its name is told by a record of its own. */
export const TELL_NAME = 1 << 18;

/**
 * The tokenizer's state between tokens, the block it reads, the names it knows and the tape that it writes: typed arrays
 * over one buffer, so that a loop in WebAssembly and one in TypeScript, and what both leave to `JsonSteps`, are the
 * same to each other.
 */
export class JsonMemory {
  readonly registers: Int32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same as `bytes`. */
  readonly view: DataView<ArrayBuffer>;
  readonly tape: Int32Array<ArrayBuffer>;
  readonly values: Float64Array<ArrayBuffer>;
  /** The action for the elements of an array, by its context. */
  readonly elements: Int32Array<ArrayBuffer>;
  /** By depth, the containers around the innermost. */
  readonly stack: Uint8Array<ArrayBuffer>;
  /** A hash table: a member's entry, 0 where none is. */
  readonly slots: Int32Array<ArrayBuffer>;
  // By entry. The first entries stand for a context's objects before their first member.
  /** In bytes, the closing quote included. */
  readonly memberLengths: Int32Array<ArrayBuffer>;
  readonly memberContexts: Int32Array<ArrayBuffer>;
  readonly codes: Int32Array<ArrayBuffer>;
  readonly actions: Int32Array<ArrayBuffer>;
  /** The entry that came next last time. */
  readonly successors: Int32Array<ArrayBuffer>;
  /** Names with their closing quotes, `memberStride` bytes each. */
  readonly names: Uint8Array<ArrayBuffer>;
  readonly nameWords: Int32Array<ArrayBuffer>;

  constructor(buffer: ArrayBuffer = new ArrayBuffer(memoryPages * 65_536)) {
    this.registers = new Int32Array(buffer, REGISTERS_AT, 16);
    this.elements = new Int32Array(buffer, ELEMENTS_AT, contexts);
    this.bytes = new Uint8Array(buffer, BYTES_AT, blockBytes + slackBytes);
    this.view = new DataView(buffer, BYTES_AT, blockBytes + slackBytes);
    this.tape = new Int32Array(buffer, TAPE_AT, tapeRecords * 4);
    this.values = new Float64Array(buffer, VALUES_AT, tapeRecords);
    this.slots = new Int32Array(buffer, SLOTS_AT, memberSlots);
    this.memberLengths = new Int32Array(buffer, LENGTHS_AT, memberEntries);
    this.memberContexts = new Int32Array(buffer, MEMBER_CONTEXTS_AT, memberEntries);
    this.codes = new Int32Array(buffer, CODES_AT, memberEntries);
    this.actions = new Int32Array(buffer, ACTIONS_AT, memberEntries);
    this.successors = new Int32Array(buffer, SUCCESSORS_AT, memberEntries);
    this.names = new Uint8Array(buffer, NAMES_AT, memberEntries * memberStride);
    this.nameWords = new Int32Array(buffer, NAMES_AT, (memberEntries * memberStride) / 4);
    this.stack = new Uint8Array(buffer, stackAt, maxDepth);
    const powers = new Float64Array(buffer, POWERS_AT, 10);
    for (let exponent = 0; exponent < 10; exponent++) powers[exponent] = 10 ** exponent;
  }

  /** Before the first byte of a file. */
  begin(): void {
    this.registers.fill(0);
    this.registers[MEMBERS] = contexts;
    this.slots.fill(0);
    this.successors.fill(0);
    // Longer than any block: nothing in a file is like the first entries.
    this.memberLengths.fill(1 << 30, 0, contexts);
  }
}

/** Reads whole tokens that lie in the block as most do, from `AT` on; stops before any other, or when the tape is full. */
export type JsonLoop = { readonly memory: JsonMemory; read(): void };
