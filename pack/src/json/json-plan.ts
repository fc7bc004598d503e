import type { JsonMemory } from './json-memory.ts';

/** How the reader handles a member: its code (≥ 0), chosen by the reader, and an action, see `json-memory.ts`. */
export type JsonMember = { readonly code: number; readonly action: number };

/**
 * Reads the tape, and decides which values are written to it. All other values are only validated.
 *
 * Contexts are numbers from 1 to 15, chosen by the reader. An action says in which context an object or an array is
 * read.
 */
export interface JsonReader {
  /** Set by the reader to stop. Checked after every call. */
  readonly refusal: JsonRefusal | undefined;
  /** The action for the value of the document. The context around that value is 0. */
  readonly document: number;
  /** The action for array elements, by context. */
  readonly elements: readonly number[];
  /**
   * Called for every name that is not cached. The same name must always give the same answer. Names with more bytes
   * than a text may have are cut.
   */
  member(context: number, name: string): JsonMember;
  /**
   * Reads the tape. Positions are bytes relative to `base`, a position in the file, so they stay small integers; a
   * token that started in an earlier block has a negative position. The reader must not keep references into the
   * memory.
   *
   * @param texts the buffer for the ranges of TEXT records
   * @param rereadFrom the reader may leave an array element that starts at or after this position, see `unreadAt`
   */
  read(memory: JsonMemory, texts: Uint8Array, base: number, rereadFrom: number): void;
  /**
   * Set by `read`: the tape index of an array element that the reader did not read, because the tape ends inside it; 0
   * if there is none. The next tape contains the element again, complete if possible.
   */
  readonly unreadAt?: number;
}

/**
 * An error found by the reader, about the token from `at` to `end`. `near` is the text to show if it is located
 * elsewhere.
 */
export type JsonRefusal = {
  readonly what: string;
  readonly at: number;
  readonly end: number;
  readonly near?: Uint8Array;
};

export type JsonLimits = {
  /** The maximum size of the file. */
  readonly maxBytes: number;
  /** The maximum number of open containers, up to 100,000. */
  readonly maxDepth: number;
  /**
   * The maximum number of bytes of an emitted text; one more byte marks it as too long. Also limits the length of
   * numbers.
   */
  readonly maxText: number;
};
