import type { JsonMemory } from './json-memory.ts';

/** What a member is to the reader: a code of its own, ≥ 0, and an action, see `json-memory.ts`. */
export type JsonMember = { readonly code: number; readonly action: number };

/**
 * Who reads the tape, and which values are written to it. Everything else is validated and passed over.
 *
 * Contexts are numbers from 1 to 15 of the reader's own: an action says which one an object or an array is read in.
 */
export interface JsonReader {
  /** Set to stop: looked at after every call. */
  readonly refusal: JsonRefusal | undefined;
  /** The action for the document's value; the container around it is context 0. */
  readonly document: number;
  /** The action for the elements of arrays, by context. */
  readonly elements: readonly number[];
  /**
   * Asked when a name is met first, and again where it is not remembered: the same name must have the same answer. A name
   * of more bytes than a text may have is cut.
   */
  member(context: number, name: string): JsonMember;
  /**
   * Reads the tape. Places are bytes relative to `base`, a place in the file, so they stay small integers; a token that
   * began in an earlier block has a negative one. Nothing of the memory may be kept.
   *
   * @param texts what the ranges of records of kind TEXT lie in
   * @param again an element of an array that begins here or later may be left, see `left`
   */
  read(memory: JsonMemory, texts: Uint8Array, base: number, again: number): void;
  /**
   * Set by `read`: the word of the tape with an element of an array that the reader did not read, because the tape ends in
   * it; 0 for none. It is told again, whole if it can be, on the next tape.
   */
  readonly left?: number;
}

/** A reason of the reader's own, about the token from `at` to `end`; `near` is the text to show when it lies elsewhere. */
export type JsonRefusal = {
  readonly what: string;
  readonly at: number;
  readonly end: number;
  readonly near?: Uint8Array;
};

export type JsonLimits = {
  /** Of the whole file. */
  readonly maxBytes: number;
  /** Open containers at most, up to 100,000. */
  readonly maxDepth: number;
  /** Bytes of a text that are handed on; one more tells that it was longer. Also the longest number. */
  readonly maxText: number;
};
