// The memory that the tokenizer shares with its reader. pack/assembly/memory.ts has the same numbers and addresses.

/** Bytes of the file read at a time. */
export const blockBytes = 131_072;
/** Bytes behind a block: quotes, which end every text, then room for 16-byte loads. */
const slackBytes = 4096;
/** Records on a tape. Each has four 32-bit words, see OPEN to NAME below. */
const tapeRecords = 8192;
/** A tape with this many words is full: a loop may write eight more, and a step after it another eight. */
export const fullTape = tapeRecords * 4 - 32;
/** The maximum number of contexts in a plan. Context 0 is for containers that are not inspected. */
export const contexts = 16;
/** The maximum number of cached member names, including the first entry of each context. */
export const memberEntries = 1024;
/** Slots of the hash table of cached names: a power of two, at least half of it empty. */
export const memberSlots = 2048;
/** Bytes reserved for a cached name with its closing quote, including room for a 16-byte load behind it. */
export const memberStride = 144;
/** Cached names are shorter than this, in bytes. */
export const maxMemberBytes = 128;
/** The maximum number of open containers. */
export const maxDepth = 100_000;

// Byte addresses in the buffer.
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
/** The address of the stack, which is the last part. */
export const stackAt = NAMES_AT + memberEntries * memberStride;
/** WebAssembly sizes memory in 64 KiB pages. */
const memoryPages = Math.ceil((stackAt + maxDepth) / 65_536);

// Indexes of registers. Positions are bytes from the start of the block.
/** What may come next: VALUE to DONE below. */
export const STATE = 0;
/** The number of open containers. */
export const DEPTH = 1;
/** The innermost container: the lowest bit says whether it is an array, the other bits are its context. */
export const CONTAINER = 2;
/** Code and action of the next value, see `JsonMember`. */
export const CODE = 3;
export const ACTION = 4;
/** The entry of the last member name, or the context if the object has had none yet. */
export const MEMBER = 5;
/** Where to continue reading, and where the block ends. */
export const AT = 6;
export const END = 7;
/** The number of words on the tape. */
export const TAPE = 8;
/** Limits in bytes and in open containers, see `JsonLimits`. */
export const MAX_TEXT = 9;
export const MAX_DEPTH = 10;
/** The number of line feeds between tokens so far, and the start of the current line. */
export const LINES = 11;
export const LINE_START = 12;
/** The number of cached member names. */
export const MEMBERS = 13;

// Values of the register STATE: what may come next.
export const VALUE = 0;
export const FIRST_ELEMENT = 1;
export const FIRST_KEY = 2;
export const KEY = 3;
export const COLON = 4;
/** A comma or the closing bracket. */
export const AFTER = 5;
/** Nothing but white space. */
export const DONE = 6;

// The kinds of records. The words of a record are: kind | context of the enclosing container << 4, code of the member,
// start, end. Start and end are positions in the block, including the quotes of a string; the end is exclusive.
/** A container whose contents are read; the last word is the inner context. */
export const OPEN = 0;
/** Its context is that of the closing container. */
export const CLOSE = 1;
/** A string without escapes inside one block. */
export const STRING = 2;
/**
 * Any other string. It takes two records; the last two words of the second are its range in the texts beside the tape.
 */
export const TEXT = 3;
/** A number. Its value is in `values`, at the index of the record; NaN if it is too large for a double. */
export const NUMBER = 4;
/** A number with an exponent or with too many digits for the loop. The reader parses it from the block. */
export const LONG = 5;
/** Its entry in `values` is 1 for true, 0 for false, NaN for null. */
export const LITERAL = 6;
/** A container that is emitted without reading its contents. */
export const SKIPPED = 7;
/** A member's name. */
export const NAME = 8;

// An action is: context for an object | context for an array << 8 | the following flags. To emit is to write a record.
/** Emit the texts, numbers and literals of the member. */
export const EMIT_SCALARS = 1 << 16;
/** Emit its containers. Required for containers that have a context. */
export const EMIT_CONTAINERS = 1 << 17;
/** Emit its name as a separate record. */
export const EMIT_NAME = 1 << 18;

/**
 * The state of the tokenizer between tokens, the current block, the cached names and the tape. All are typed arrays
 * over one buffer, so the WebAssembly loop and `JsonSteps` work on the same state.
 */
export class JsonMemory {
  readonly registers: Int32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The records, four words each. */
  readonly tape: Int32Array<ArrayBuffer>;
  /** The values of numbers and literals, by record. */
  readonly values: Float64Array<ArrayBuffer>;
  /** The action for array elements, by context. */
  readonly elements: Int32Array<ArrayBuffer>;
  /** The containers around the innermost one, by depth, in the form of CONTAINER. */
  readonly stack: Uint8Array<ArrayBuffer>;
  /** A hash table from names to entries; 0 marks an empty slot. */
  readonly slots: Int32Array<ArrayBuffer>;
  // The cached names, by entry. The first 16 entries represent an object of each context before its first member.
  /** In bytes, including the closing quote. */
  readonly memberLengths: Int32Array<ArrayBuffer>;
  readonly memberContexts: Int32Array<ArrayBuffer>;
  readonly codes: Int32Array<ArrayBuffer>;
  readonly actions: Int32Array<ArrayBuffer>;
  /** The entry that followed last time, which the loop tries first. */
  readonly successors: Int32Array<ArrayBuffer>;
  /** Names with their closing quotes, at intervals of `memberStride` bytes. */
  readonly names: Uint8Array<ArrayBuffer>;

  constructor(buffer: ArrayBuffer = new ArrayBuffer(memoryPages * 65_536)) {
    this.registers = new Int32Array(buffer, REGISTERS_AT, 16);
    this.elements = new Int32Array(buffer, ELEMENTS_AT, contexts);
    this.bytes = new Uint8Array(buffer, BYTES_AT, blockBytes + slackBytes);
    this.tape = new Int32Array(buffer, TAPE_AT, tapeRecords * 4);
    this.values = new Float64Array(buffer, VALUES_AT, tapeRecords);
    this.slots = new Int32Array(buffer, SLOTS_AT, memberSlots);
    this.memberLengths = new Int32Array(buffer, LENGTHS_AT, memberEntries);
    this.memberContexts = new Int32Array(buffer, MEMBER_CONTEXTS_AT, memberEntries);
    this.codes = new Int32Array(buffer, CODES_AT, memberEntries);
    this.actions = new Int32Array(buffer, ACTIONS_AT, memberEntries);
    this.successors = new Int32Array(buffer, SUCCESSORS_AT, memberEntries);
    this.names = new Uint8Array(buffer, NAMES_AT, memberEntries * memberStride);
    this.stack = new Uint8Array(buffer, stackAt, maxDepth);
    // The divisors for decimals, which only the WebAssembly loop reads.
    const powers = new Float64Array(buffer, POWERS_AT, 10);
    for (let exponent = 0; exponent < 10; exponent++) powers[exponent] = 10 ** exponent;
  }

  /** Resets the state for a new file. */
  begin(): void {
    this.registers.fill(0);
    this.registers[MEMBERS] = contexts;
    this.slots.fill(0);
    this.successors.fill(0);
    // Longer than any block, so nothing in a file can match the first entries.
    this.memberLengths.fill(1 << 30, 0, contexts);
  }
}

/** `read` reads whole, ordinary tokens from `AT` on. It stops before any other token, or when the tape is full. */
export type JsonLoop = { readonly memory: JsonMemory; read(): void };

/**
 * A loop that reads nothing, so `JsonSteps` reads every token: for platforms without WebAssembly, and for small inputs.
 * About as fast as JSON.parse.
 */
export const noLoop = (): JsonLoop => ({ memory: new JsonMemory(), read: () => undefined });
