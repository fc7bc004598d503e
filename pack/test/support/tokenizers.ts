import {
  CLOSE,
  EMIT_CONTAINERS,
  EMIT_SCALARS,
  type JsonLoop,
  type JsonMemory,
  LITERAL,
  LONG,
  NUMBER,
  noLoop,
  OPEN,
  STRING,
  TAPE,
  TEXT,
} from '../../src/json/json-memory.ts';
import { decimalOf } from '../../src/json/json-number.ts';
import type { JsonMember, JsonReader } from '../../src/json/json-plan.ts';
import { JsonTokens, type UploadProblem } from '../../src/json/json-tokens.ts';
import { simdLoop } from '../../src/upload/json-loop-simd.ts';

/** A loop and the name of its implementation. A loop can read only one file at a time. */
export type NamedLoop = { readonly name: string; readonly loop: JsonLoop };

/**
 * Every loop implementation. JSON tests run with all of them.
 *
 * @param binary the bytes of `pack/dist/json-loop.wasm`
 */
export function everyLoop(binary: Uint8Array<ArrayBuffer>): readonly NamedLoop[] {
  const simd = simdLoop(binary);
  if (!simd) throw new Error('No WebAssembly with SIMD here');
  return [
    { name: 'steps', loop: noLoop() },
    { name: 'WebAssembly', loop: simd },
  ];
}

const inObject = 1;
const inArray = 2;
/** The action of a reader that asks for every value: objects are read in context 1, arrays in 2. */
export const everything = EMIT_SCALARS | EMIT_CONTAINERS | inObject | (inArray << 8);

/** Builds the value that the tape describes. Objects have no prototype; the last of two equal names wins. */
export class ValueBuilder implements JsonReader {
  readonly refusal = undefined;
  readonly document = everything;
  readonly elements = [0, 0, everything];
  value: unknown;
  readonly #names: string[] = [];
  readonly #open: (unknown[] | Record<string, unknown>)[] = [];

  member(_context: number, name: string): JsonMember {
    return { code: this.#names.push(name) - 1, action: everything };
  }

  read({ registers, bytes, tape, values }: JsonMemory, texts: Uint8Array): void {
    for (let i = 0; i < registers[TAPE]!; i += 4) {
      const kind = tape[i]! & 15;
      const code = tape[i + 1]!;
      const at = tape[i + 2]!;
      const end = tape[i + 3]!;
      if (kind === OPEN) this.#enter(code, end === inArray ? [] : Object.create(null));
      else if (kind === CLOSE) this.#open.pop();
      else if (kind === STRING) this.#add(code, decode(bytes, at + 1, end - 1));
      else if (kind === NUMBER) this.#add(code, values[i >> 2]);
      else if (kind === LONG) this.#add(code, decimalOf(bytes, at, end));
      else if (kind === LITERAL) this.#add(code, Number.isNaN(values[i >> 2]) ? null : values[i >> 2] === 1);
      else if (kind === TEXT) {
        this.#add(code, decode(texts, tape[i + 6]!, tape[i + 7]!));
        i += 4;
      } else throw new Error(`A record of kind ${kind}`);
    }
  }

  #enter(code: number, container: unknown[] | Record<string, unknown>): void {
    this.#add(code, container);
    this.#open.push(container);
  }

  #add(code: number, value: unknown): void {
    const container = this.#open.at(-1);
    if (!container) this.value = value;
    else if (Array.isArray(container)) container.push(value);
    else container[this.#names[code]!] = value;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decode = (bytes: Uint8Array, start: number, end: number): string => decoder.decode(bytes.subarray(start, end));

/** Asks for nothing: every value is only validated. */
const indifferent: JsonReader = {
  refusal: undefined,
  document: 0,
  elements: [],
  member: () => ({ code: 0, action: 0 }),
  read: () => undefined,
};

export type Reading = { readonly value: unknown; readonly problem: UploadProblem | undefined };

/**
 * Pushes bytes in blocks that end at `cuts`, in order. Each block is overwritten after use, like the buffer of a
 * socket.
 */
export function readCut({ loop }: NamedLoop, bytes: Uint8Array, cuts: readonly number[] = []): Reading {
  const builder = new ValueBuilder();
  const problem = push(builder, loop, bytes, cuts);
  return { value: builder.value, problem };
}

/** The problem of a file, without reading its values. */
export function problemIn({ loop }: NamedLoop, bytes: Uint8Array, cuts: readonly number[]): UploadProblem | undefined {
  return push(indifferent, loop, bytes, cuts);
}

function push(reader: JsonReader, loop: JsonLoop, bytes: Uint8Array, cuts: readonly number[]) {
  const tokens = new JsonTokens(reader, { maxBytes: 2 ** 32 - 1, maxDepth: 1000, maxText: 65_536 }, loop);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    const block = bytes.slice(from, cut);
    tokens.push(block);
    block.fill(0x21);
    from = cut;
  }
  return tokens.finish();
}

const lenient = new TextDecoder();
const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * Whether JSON.parse must not see a file, because it would misread later ones: once V8 13.6 has seen a name that
 * contains a backslash after some members, it mistakes an escape after the same members for it. After
 * `JSON.parse('{"a":1,"\\\\":2}')`, `JSON.parse('{"a":1,"\\u00e9":2}')` returns the name "\\".
 */
export function misleadsTheOracle(bytes: Uint8Array): boolean {
  // Tries every quote, because in a damaged file any of them may start a string.
  const names = lenient.decode(bytes).matchAll(/(?="((?:[^"\\]|\\.)*)"[ \t\r\n]*:)/gs);
  return [...names].some(([, name = '']) => /\\\\|\\u005c/i.test(name));
}

/**
 * The result of JSON.parse over strict UTF-8, in the terms of the tokenizer: U+FFFD for lone surrogates, NaN for
 * numbers that are too large for a double. `undefined` if it refuses the file.
 *
 * Surrogates are replaced before parsing: two names that differ only in them become equal, and the last one counts.
 */
export function oracle(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    const text = strict.decode(bytes);
    const value: unknown = JSON.parse(text);
    return { value: text.includes('\\u') ? JSON.parse(withoutLoneSurrogates(text)) : value };
  } catch {
    return undefined;
  }
}

const withoutLoneSurrogates = (text: string): string =>
  text.replace(/\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\./gs, (written) =>
    /^\\u[dD][89a-fA-F]..$/s.test(written) ? '\\ufffd' : written,
  );

/** Whether a value equals that of the oracle. Ignores the order of members, because JSON objects are unordered. */
export function isSame(read: unknown, expected: unknown): boolean {
  if (typeof expected === 'number') return Object.is(read, Number.isFinite(expected) ? expected : Number.NaN);
  if (expected === null || typeof expected !== 'object') return read === expected;
  if (read === null || typeof read !== 'object' || Array.isArray(read) !== Array.isArray(expected)) return false;
  const names = Object.keys(expected);
  if (Object.keys(read).length !== names.length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(read, name) &&
      isSame((read as Record<string, unknown>)[name], (expected as Record<string, unknown>)[name]),
  );
}
