import type { JsonHandler, JsonLimits } from './json-handler.ts';
import { JsonTokens } from './json-tokens.ts';
import type { UploadProblem } from './upload-tables.ts';

/** What every tokenizer is to its user, whatever it is made of. */
export type Tokenizer = {
  push(block: Uint8Array): UploadProblem | undefined;
  finish(): UploadProblem | undefined;
};

/** Every tokenizer there is: tests of what JSON is run over all of them. */
export const tokenizers: readonly {
  readonly name: string;
  create(handler: JsonHandler, limits: JsonLimits): Tokenizer;
}[] = [{ name: 'TypeScript', create: (handler, limits) => new JsonTokens(handler, limits) }];

/** Builds the value that the tokens describe: objects without prototypes, as the last of two equal names wins. */
export class ValueBuilder implements JsonHandler {
  readonly refusal = undefined;
  value: unknown;
  readonly #open: { readonly container: unknown[] | Record<string, unknown>; key: string }[] = [];

  beginBlock(): void {
    // Places are another test's.
  }
  openObject(): boolean {
    return this.#enter(Object.create(null));
  }
  openArray(): boolean {
    return this.#enter([]);
  }
  closeObject(): void {
    this.#open.pop();
  }
  closeArray(): void {
    this.#open.pop();
  }
  key(bytes: Uint8Array, start: number, end: number): void {
    this.#open.at(-1)!.key = decode(bytes, start, end);
  }
  string(bytes: Uint8Array, start: number, end: number): void {
    this.#add(decode(bytes, start, end));
  }
  number(value: number): void {
    this.#add(value);
  }
  literal(value: boolean | null): void {
    this.#add(value);
  }

  #enter(container: unknown[] | Record<string, unknown>): boolean {
    this.#add(container);
    this.#open.push({ container, key: '' });
    return true;
  }

  #add(value: unknown): void {
    const top = this.#open.at(-1);
    if (!top) this.value = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else top.container[top.key] = value;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decode = (bytes: Uint8Array, start: number, end: number): string => decoder.decode(bytes.subarray(start, end));

export type Reading = { readonly value: unknown; readonly problem: UploadProblem | undefined };

/** Pushes bytes in blocks that end at `cuts`, in order; each block is overwritten after use, as a socket's buffer is. */
export function readCut(
  tokenizer: (typeof tokenizers)[number],
  bytes: Uint8Array,
  cuts: readonly number[] = [],
): Reading {
  const builder = new ValueBuilder();
  const tokens = tokenizer.create(builder, { maxBytes: 2 ** 32 - 1, maxDepth: 1000, maxText: 65_536 });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    const block = bytes.slice(from, cut);
    tokens.push(block);
    block.fill(0x21);
    from = cut;
  }
  const problem = tokens.finish();
  return { value: builder.value, problem };
}

const lenient = new TextDecoder();
const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * Whether a file must be kept from JSON.parse, because a later one would be misread: once V8 13.6 has seen a name with a
 * backslash in it after some members, it takes an escape after those members for it. `JSON.parse('{"a":1,"\\\\":2}')`,
 * and `JSON.parse('{"a":1,"\\u00e9":2}')` has the name "\\" from then on.
 */
export function misleadsTheOracle(bytes: Uint8Array): boolean {
  // From every quote, as it is not known of a damaged file which of them begin a string.
  const names = lenient.decode(bytes).matchAll(/(?="((?:[^"\\]|\\.)*)"[ \t\r\n]*:)/gs);
  return [...names].some(([, name = '']) => /\\\\|\\u005c/i.test(name));
}

/**
 * What JSON.parse over strict UTF-8 makes of a file, in the tokenizer's terms: U+FFFD for lone surrogates, NaN for
 * numbers beyond any double. `undefined`: it refuses the file.
 *
 * Surrogates are replaced before parsing, because two names that differ only in them are then one, and the last counts.
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

/** Whether what was read is what the oracle says. No order of members, as JSON has none. */
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
