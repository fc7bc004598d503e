/**
 * Who hears the tokens. Positions are bytes relative to the block last announced, so they stay small integers; a token
 * that began in an earlier block has a negative one. `bytes` may be kept only until the call returns.
 */
export interface JsonHandler {
  /** Set to stop: the tokenizer looks after every call. */
  readonly refusal: JsonRefusal | undefined;
  /** The next block begins at this byte of the file. */
  beginBlock(base: number): void;
  /** Answers whether it wants to hear what is inside, the closing included. */
  openObject(at: number): boolean;
  closeObject(end: number): void;
  /** Answers as `openObject` does. */
  openArray(at: number): boolean;
  closeArray(end: number): void;
  /** A member's name: valid UTF-8, unescaped, lone surrogates as U+FFFD. Cut after `maxText` + 1 bytes, as `string` is. */
  key(bytes: Uint8Array, start: number, end: number, at: number): void;
  /** A text value between the quotes at `at` and before `atEnd`. */
  string(bytes: Uint8Array, start: number, end: number, at: number, atEnd: number): void;
  /** NaN where the number is too large for a double. */
  number(value: number, at: number): void;
  literal(value: boolean | null, at: number): void;
}

/** A reason of the handler's own; `at` is relative to the block, `near` the text to show when it lies elsewhere. */
export type JsonRefusal = { readonly what: string; readonly at: number; readonly near?: Uint8Array };

export type JsonLimits = {
  /** Of the whole file. */
  readonly maxBytes: number;
  /** Open containers at most. */
  readonly maxDepth: number;
  /** Bytes of a text that are handed on; one more tells that it was longer. Also the longest number. */
  readonly maxText: number;
};
