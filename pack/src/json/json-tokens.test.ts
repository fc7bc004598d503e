import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { everyLoop, everything } from '../../test/support/tokenizers.ts';
import {
  CLOSE,
  EMIT_NAME,
  type JsonLoop,
  type JsonMemory,
  LITERAL,
  LONG,
  NAME,
  NUMBER,
  OPEN,
  STRING,
  TAPE,
  TEXT,
} from './json-memory.ts';
import { decimalOf } from './json-number.ts';
import type { JsonLimits, JsonMember, JsonReader } from './json-plan.ts';
import { JsonTokens, type UploadProblem } from './json-tokens.ts';

type Token = readonly [kind: string, value: unknown, at: number];

const inObject = 1;
const inArray = 2;

/**
 * A reader that asks for everything and records it with its position in the file. Names of odd length are emitted as
 * separate records.
 */
class Recorder implements JsonReader {
  readonly refusal = undefined;
  readonly document = everything;
  readonly elements = [0, 0, everything];
  readonly tokens: Token[] = [];
  readonly #names: string[] = [];

  member(_context: number, name: string): JsonMember {
    const code = this.#names.push(name) - 1;
    return { code, action: name.length % 2 === 1 ? everything | EMIT_NAME : everything };
  }

  read({ registers, bytes, tape, values }: JsonMemory, texts: Uint8Array, base: number): void {
    const textOf = (from: Uint8Array, start: number, end: number) => Buffer.from(from.subarray(start, end)).toString();
    for (let i = 0; i < registers[TAPE]!; i += 4) {
      const [tag, code, at, end] = tape.subarray(i, i + 4) as unknown as [number, number, number, number];
      const kind = tag & 15;
      const add = (name: string, value: unknown, place = at) => this.tokens.push([name, value, base + place]);
      const name = this.#names[code]!;
      if (kind === NAME) {
        add('name', name);
        continue;
      }
      if (kind !== CLOSE && tag >> 4 === inObject) add('key', name, 0 - base);
      if (kind === OPEN) add(end === inArray ? '[' : '{', undefined);
      else if (kind === CLOSE) add(tag >> 4 === inArray ? ']' : '}', undefined, end);
      else if (kind === STRING || kind === TEXT) {
        const isText = kind === TEXT;
        add('string', isText ? textOf(texts, tape[i + 6]!, tape[i + 7]!) : textOf(bytes, at + 1, end - 1));
        add('string end', undefined, end);
        if (isText) i += 4;
      } else if (kind === NUMBER) add('number', values[i >> 2]);
      else if (kind === LONG) add('number', decimalOf(bytes, at, end));
      else if (kind === LITERAL) add('literal', Number.isNaN(values[i >> 2]) ? null : values[i >> 2] === 1);
      else throw new Error(`A record of kind ${kind}`);
    }
  }
}

type Reading = { readonly tokens: readonly Token[]; readonly problem: UploadProblem | undefined };

const loops = everyLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)));

type Read = (bytes: Uint8Array, cuts?: readonly number[], limits?: Partial<JsonLimits>) => Reading;

const readWith =
  (loop: JsonLoop): Read =>
  (bytes, cuts = [], { maxBytes = 2 ** 32, maxDepth = 100_000, maxText = 65_536 } = {}) => {
    const recorder = new Recorder();
    const tokens = new JsonTokens(recorder, { maxBytes, maxDepth, maxText }, loop);
    const edges = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
    // Overwrites each block after use, as a socket does with its buffer.
    for (let i = 1; i < edges.length; i++) {
      const block = Uint8Array.from(bytes.subarray(edges[i - 1], edges[i]));
      tokens.push(block);
      block.fill(0x21);
    }
    return { tokens: recorder.tokens, problem: tokens.finish() };
  };

const everyByte = (bytes: Uint8Array) => Array.from(bytes, (_, i) => i);

/** The value that the recorded tokens describe. */
function assembled(tokens: readonly Token[]): unknown {
  const open: { key: string; value: unknown }[] = [{ key: '', value: [] }];
  for (const [kind, value] of tokens) {
    if (kind === 'name') continue;
    const top = open.at(-1)!;
    if (kind === 'key') top.key = value as string;
    else if (kind === '{') open.push({ key: '', value: Object.create(null) });
    else if (kind === '[') open.push({ key: '', value: [] });
    else if (kind !== 'string end') {
      const isEnd = kind === '}' || kind === ']';
      if (isEnd) open.pop();
      const parent = open.at(-1)!;
      if (Array.isArray(parent.value)) parent.value.push(isEnd ? top.value : value);
      else (parent.value as Record<string, unknown>)[parent.key] = isEnd ? top.value : value;
    }
  }
  return (open[0]!.value as unknown[])[0];
}

/** The document with every escaped lone surrogate replaced by `\ufffd`. */
const wellFormed = (text: string) =>
  text.replace(/\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\./gs, (written) =>
    /^\\u[dD][89a-fA-F]..$/s.test(written) ? '\\ufffd' : written,
  );

/**
 * The result of JSON.parse in the terms of the tokenizer: no prototypes, U+FFFD for lone surrogates, NaN for
 * infinities. Surrogates are replaced before parsing: two names that differ only in them become equal, and the last one
 * counts.
 */
function expected(text: string): unknown {
  return JSON.parse(wellFormed(text), (_, value) => {
    if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    const plain = Object.create(null);
    for (const [key, member] of Object.entries(value)) plain[key] = member;
    return plain;
  });
}

/** JSON with kinds of white space, escapes and numbers that serialisers do not write. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,3})?$/),
    tie('string'),
    fc.array(tie('value')).map((items) => `[${items.join(' ,\n')}]`),
    fc
      .array(fc.tuple(tie('string'), tie('value')))
      .map((items) => `{\t${items.map((m) => m.join('\r: ')).join(',')} }`),
  ),
  string: fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text).slice(1, -1)),
        fc.constantFrom(
          '\\/',
          '\\u0041',
          '\\ud83d\\ude00',
          '\\ud83d',
          '\\ude00',
          '\\uD83dx',
          'ệ',
          '😀',
          '\\b\\f',
          '\\ud83d\\n',
        ),
      ),
      { maxLength: 4 },
    )
    .map((parts) => `"${parts.join('')}"`),
}));
const document = json.value as fc.Arbitrary<string>;

function accepts(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** In milliseconds. Thousands of documents take this long if several suites share a processor. */
const propertyMs = 60_000;

describe.each(loops)('json-tokens by $name', ({ loop }) => {
  const read = readWith(loop);
  const readText = (text: string, cuts?: readonly number[]) => read(Buffer.from(text), cuts);

  it(
    'reads the same values as JSON.parse',
    () => {
      fc.assert(
        fc.property(document, (text) => {
          const { tokens, problem } = readText(text);
          expect(problem).toBeUndefined();
          expect(assembled(tokens)).toEqual(expected(text));
        }),
        { numRuns: sampled(2000) },
      );
    },
    propertyMs,
  );

  it('two names that are equal once lone surrogates are replaced are duplicates, and the last counts', () => {
    const text = '{"\\ude00": 1, "\\ud83d": 2, "\\ude00": 3}';
    expect(assembled(readText(text).tokens)).toEqual({ '\ufffd': 3 });
    expect(expected(text)).toEqual({ '\ufffd': 3 });
  });

  it(
    'accepts and rejects the same broken documents as JSON.parse over strict UTF-8',
    () => {
      const damage = fc.record({
        at: fc.nat(),
        cut: fc.integer({ min: 0, max: 2 }),
        bytes: fc.array(
          fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:\\-+.eE0u1 \n')), fc.integer({ min: 0, max: 255 })),
          {
            maxLength: 2,
          },
        ),
      });
      fc.assert(
        fc.property(document, damage, (text, { at, cut, bytes }) => {
          const whole = [...Buffer.from(text)];
          whole.splice(at % (whole.length + 1), cut, ...bytes);
          const broken = Uint8Array.from(whole);
          expect(read(broken).problem === undefined).toBe(accepts(broken));
        }),
        { numRuns: sampled(4000) },
      );
    },
    propertyMs,
  );

  it(
    'gives the same tokens, positions and errors however the bytes are split',
    () => {
      const bytes = fc.oneof(
        document.map((text) => Uint8Array.from(Buffer.from(text))),
        fc.tuple(document, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([text, at, byte]) => {
          const damaged = Uint8Array.from(Buffer.from(text));
          damaged[at % damaged.length] = byte;
          return damaged;
        }),
      );
      fc.assert(
        fc.property(bytes, fc.array(fc.nat(200)), (whole, cuts) => {
          const inOne = read(whole);
          expect(read(whole, cuts)).toEqual(inOne);
          expect(read(whole, everyByte(whole))).toEqual(inOne);
        }),
        { numRuns: sampled(1000) },
      );
    },
    propertyMs,
  );

  it(
    'accepts every UTF-8 sequence that a strict decoder accepts, and no other',
    () => {
      const decodes = (bytes: readonly number[]) => {
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
          return true;
        } catch {
          return false;
        }
      };
      const tails = [0x00, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
      const differing: string[] = [];
      for (let lead = 0x80; lead <= 0xff; lead++) {
        for (const a of tails) {
          for (const b of tails) {
            for (const sequence of [
              [lead, a],
              [lead, a, b],
              [lead, a, b, 0x80],
              [lead, a, b, 0xc2],
            ]) {
              if (sequence.some((byte) => byte < 0x80)) continue;
              const { problem } = read(Uint8Array.of(0x22, ...sequence, 0x22), [], { maxDepth: 1 });
              if ((problem === undefined) !== decodes(sequence)) differing.push(sequence.join());
            }
          }
        }
      }
      expect(differing).toEqual([]);
    },
    propertyMs,
  );

  it('reads numbers exactly, to the last bit', () => {
    for (const text of [
      '0',
      '-0',
      '0.1',
      '123456789012345',
      '1234567890123456',
      '9007199254740993',
      '0.000001',
      '1e23',
      '2.2250738585072011e-308',
      '5e-324',
      '17.5e-3',
      '1.7976931348623157e308',
      '99999999999999.9',
      '0.3',
      '-12.75E+2',
    ]) {
      expect(readText(`[${text}]`).tokens[1], text).toEqual(['number', Number(text), 1]);
    }
    expect(readText('[1e999]').tokens[1]).toEqual(['number', Number.NaN, 1]);
    expect(readText('12').tokens).toEqual([['number', 12, 0]]);
  });

  it('accepts 100,000 levels of nesting and no more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readText(nested(100_000)).problem).toBeUndefined();
    expect(readText(nested(100_001)).problem).toMatchObject({
      what: 'nesting deeper than 100000 levels',
      byte: 100_000,
    });
    expect(readText('['.repeat(50_000)).problem).toMatchObject({ what: 'the file ends too early', byte: 50_000 });
  });

  it('rejects the block in which the file becomes too long, and no earlier one', () => {
    const text = Buffer.from('[1,2,3]');
    expect(read(text, [4], { maxBytes: 7 }).problem).toBeUndefined();
    expect(read(text, [4], { maxBytes: 6 }).problem).toMatchObject({ what: 'more than 6 bytes', byte: 4 });
  });

  it('emits one byte more than the maximum of a text, and no more', () => {
    const { tokens, problem } = read(Buffer.from('["abcdefgh\\n12345678"]'), [4, 9, 15], { maxDepth: 10, maxText: 8 });
    expect(problem).toBeUndefined();
    expect(tokens[1]).toEqual(['string', 'abcdefgh\n', 1]);
  });

  it('skips one byte order mark and rejects a second', () => {
    expect(readText('\ufeff{}').problem).toBeUndefined();
    expect(readText('\ufeff{}', [1, 2]).tokens).toEqual([
      ['{', undefined, 3],
      ['}', undefined, 5],
    ]);
    expect(readText('\ufeff\ufeff{}').problem).toMatchObject({ byte: 3 });
    expect(readText('{}\ufeff').problem).toMatchObject({ what: 'something after the end of the JSON value', byte: 2 });
  });

  it('explains why a file is not UTF-8 JSON', () => {
    const what = (bytes: Uint8Array) => read(bytes).problem?.what;
    expect(what(Buffer.from('\ufeff{}', 'utf16le'))).toBe('UTF-16 text instead of UTF-8 (save it as UTF-8)');
    expect(what(Buffer.from('{}', 'utf16le'))).toBe('UTF-16 text instead of UTF-8 (save it as UTF-8)');
    expect(what(Buffer.from('{}', 'utf16le').swap16())).toBe('UTF-16 text instead of UTF-8 (save it as UTF-8)');
    expect(what(Uint8Array.of(0x1f, 0x8b, 8))).toBe('gzip-compressed data instead of JSON (unpack it first)');
    expect(what(Buffer.alloc(0))).toBe('the file is empty');
    expect(what(Buffer.from(' \n'))).toBe('the file ends too early');
    expect(what(Buffer.from('{"a":1}\0'))).toBe('something after the end of the JSON value');
    expect(what(Buffer.from('{"a":\0}'))).toBe('a NUL byte');
    expect(what(Buffer.from('{"a\0":1}'))).toBe('a NUL byte');
    expect(what(Buffer.from('{"a\n":1}'))).toBe('an unescaped control character 0x0a');
    expect(what(Buffer.from('{a:1}'))).toBe('unexpected "a" where a name in quotes or } should be');
    expect(what(Buffer.from('[1,]'))).toBe('unexpected "]" where a value should be');
    expect(what(Buffer.from('[1}'))).toBe('unexpected "}" where a comma or the closing bracket should be');
    expect(what(Buffer.from('[-]'))).toBe('a number that is not whole');
    expect(what(Buffer.from('[01]'))).toBe('unexpected "1" where a comma or the closing bracket should be');
    expect(what(Buffer.from('["\\x"]'))).toBe('a backslash before a character that needs none');
    expect(what(Buffer.from('["\\u12g4"]'))).toBe('a \\u escape without four hexadecimal digits');
    expect(what(Buffer.from('[NaN]'))).toBe('unexpected "N" where a value or ] should be');
  });

  it('reports byte, line, column and the preceding text', () => {
    const text = '{\n  "café": [1, 2,\n\t"x" "y"]\n}';
    const byte = Buffer.from(text).indexOf('"y"');
    const problem = {
      what: `unexpected '"' where a comma or the closing bracket should be`,
      byte,
      line: 3,
      column: 6,
      excerpt: '{ "café": [1, 2, "x" "',
    };
    expect(readText(text).problem).toEqual(problem);
    expect(readText(text, everyByte(Buffer.from(text))).problem).toEqual(problem);
  });

  it('shows at most 40 complete characters', () => {
    const { problem } = readText(`["${'ệ'.repeat(100)}" x`);
    expect(problem?.excerpt).toBe(`${'ệ'.repeat(37)}" x`);
  });
});
