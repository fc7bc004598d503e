import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyLoop, isSame, oracle, readCut } from '../../test/support/tokenizers.ts';

/** Inputs that RFC 8259 requires a parser to accept, by section. */
// biome-ignore format: a list
const required: Readonly<Record<string, readonly string[]>> = {
  '§2 values and blanks': [
    '{}', '[]', ' [ ] ', '\t\n\r {}\r\n', '[[]]', '{"a":{}}', '[{}]', '"a"', '0', 'null', 'true', 'false', ' null ',
    '[true,false,null]', '[ 1 , 2 ]', '{ "a" : 1 , "b" : 2 }', '[1\n]', '\n[]', '[]\n', '[null]\t', '""', '" "',
  ],
  '§4 objects': [
    '{"":0}', '{"a":0,"a":1}', '{"a":0,"a":0}', '{"a":[]}', '{"\\u0000":1}', '{"a\\u0000b":1}', '{"__proto__":1}',
    '{"constructor":{"prototype":{}}}', '{"a":{"b":{"c":{"d":[[[]]]}}}}', '{"\\ud83d\\ude00":"\\ud83d\\ude00"}',
    '{"a":"b"\n}', '{"min":-1.0e+28,"max":1.0e+28}',
    '{"x":[{"id":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}],"id":"x"}',
  ],
  '§5 arrays': ['[""]', '["a"]', '[1,null,"a",{},[]]', '[[[[[[[[]]]]]]]]', '[1,null,null,null,2]', '[2] '],
  '§6 numbers': [
    '-0', '[0]', '[-0]', '[0.0]', '[-0.0]', '[-1]', '[1]', '[10]', '[123]', '[1e1]', '[1E1]', '[1e+1]', '[1e-1]',
    '[1E+2]', '[1E-2]', '[0e1]', '[0e+1]', '[0E-1]', '[1.5]', '[1.5e10]', '[123.456789]', '[123e65]', '[123.456e78]',
    '[20e1]', '[1e00]', '[1e01]', '[-123]', '[-1.5E-3]', '[0.1e1]',
    '[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]', '[100000000000000000000000]',
    '[9007199254740991]', '[1.7976931348623157e308]', '[5e-324]', '[1e-500]', '[0.30000000000000004]', '-0.5', '4',
    '1e5', '[123456789]', '[1234567890]', '[12345678901]', '[0.12345678]', '[0.123456789]', '[0.1234567890]',
    '[1,2,3]', '[0,-1,2.5,0.25]', '[1,1234567890,2]', '[1,2e5,3]', '[1,2 ,3]', '[1,"2",3]', '{"a":[1,2],"b":3}', '[[1,2],3]',
  ],
  '§7 strings': [
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\u0060\\u012a\\u12AB"', '"\\u0000"', '"\\u001f"', '"\\u0022"', '"\\u005C"', '"/"',
    '"\\/"', '"\u007f"', '"\u0080"', '"é"', '"ệ"', '"€𝄞"', '"\u2028\u2029"', '"\ufeff"', '"\uffff"', '"\ufdd0"',
    '"\u{10ffff}"', '"\u{1fffe}"', '"\\uD834\\uDd1e"', '"\\ud801\\udc37"', '"\\uDBFF\\uDFFE"', '"\\u2064"', '"\\uFFFF"',
    '"\\uA66D"', '"\\\\u0000"', '"\\\\n"', '"\\"\\u005c"', '"asd "', '" a"', '"a/*b*/c"', '"\\\\a"', '"new\\u00A0line"',
    '"\\u0123\\u4567\\u89AB\\ucdef"', '"\ue000"', '"aクリスb"', '"[]{},:"',
  ],
  '§8.1 a byte order mark may be ignored': ['\ufeff{}', '\ufeff[1]', '\ufeff"\ufeff"', '\ufeff 1'],
};

/** Inputs that do not match the grammar, by their error. */
// biome-ignore format: a list
const forbidden: Readonly<Record<string, readonly (string | readonly number[])[]>> = {
  'nothing whole': [
    '', ' ', '\n', '\ufeff', '[', '{', '"', '-', '[1', '[1,', '["', '["a', '["a"', '{"', '{"a', '{"a"', '{"a":',
    '{"a":1', '{"a":1,', '[[', '[{', '[{}', 't', 'tru', 'nul', 'fals',
  ],
  'too much': [
    '[]]', '{}}', '[] []', '{} {}', '1 2', '""""', '"" ""', 'null null', '[]a', '{}#', '[],', '1,', '{}//', '{}/**/',
    '[]\0', '{"a":1}"b"', 'truetrue', '[][', '[1]x', '{}\ufeff',
  ],
  commas: [
    '[1,]', '[,1]', '[,]', '[1,,2]', '[""," ",]', '{,}', '{"a":1,}', '{"a":1,,"b":2}', '{,"a":1}', '[1 2]', '["a" "b"]',
    '{"a":1 "b":2}', '[1;2]', '[],[]', ',',
  ],
  brackets: [
    '[}', '{]', '[1}', '{"a":1]', '[{]}', '{[}]', ']', '}', '<>', '(1)', '[<null>]', '[1:2]', '[]}', '{"a":[}', '[[}]',
    '[{"a":1]',
  ],
  colons: [
    '{"a"}', '{"a":}', '{:1}', '{"a"::1}', '{"a",1}', '{"a" 1}', '{"a"=1}', '["a":1]', '{"a":1:2}', '{"a":"b":1}',
    '{"a" "b"}', ':',
  ],
  names: [
    '{a:1}', '{1:1}', '{null:1}', "{'a':1}", '{[]:1}', '{{}:1}', '{"a":1,b:2}', '{true:1}', '{"a":1,2}', '{-1:2}',
    '{\\u0061:1}', '{"a\n":1}', '{"\0":1}',
  ],
  literals: [
    'True', 'TRUE', 'nulL', 'NULL', 'nil', 'undefined', 'NaN', '-NaN', 'Infinity', '-Infinity', '+Infinity', 'inf',
    'nan', '[truE]', '[fals]', '[nullx]', '[tru e]', '[falsee]', 'tr\\u0075e', '[true1]', '*',
  ],
  numbers: [
    '+1', '[+1]', '.5', '[.5]', '-.5', '5.', '[5.]', '[-1.]', '[1.e1]', '[.e1]', '[0.e1]', '01', '[01]', '[-01]',
    '[00]', '[-00]', '[012]', '[1e]', '[1e+]', '[1e-]', '[1E+]', '[1ee2]', '[1e1.5]', '[1e+-1]', '[--1]', '[-]',
    '[- 1]', '[1 000]', '[1_000]', '[0x1]', '[0xFF]', '[1a]', '[1.5.5]', '[1,5.]', '[1e5e5]', '[0.3e]', '[0.3e+]',
    '[0e]', '[0e+]', '[2.e3]', '[2.e-3]', '[9.e+]', '[-foo]', '[1+2]', '[1-1]', '[++1]', '[1.2a-3]', '[-1x]', '[１]',
    '[1,01]', '[1,2.]', '[1,2e]', '[1,.5]', '[1,2x]', '[1,-]', '[1,2', '[1,2}', '[1,2.3.4]', '{"a":[1,2],3}', '{"a":1,2}',
    '[1e0x]', '[-Infinity]', '[1f]', '[1n]', '-a', '[0b1]', '[1.]', '[.]', '[e1]',
  ],
  strings: [
    "'a'", '`a`', 'a', '"a', '"\\"', '"\\', '"\\x00"', '"\\a"', '"\\ "', '"\\\n"', '"\\u"', '"\\u1"', '"\\u12"',
    '"\\u123"', '"\\u123g"', '"\\u 123"', '"\\U0041"', '"\\u00A"', '"\\uD834\\u"', '"\\uD834\\uD"', '"\\uD834\\"',
    '"\\\'"', '"\\0"', '"\\v"', '"\\é"', '"\\😀"', '"\0"', '"\u0001"', '"\b"', '"\t"', '"\n"', '"\r"', '"\u001f"',
    '"a\u0000a"', '["a\nb"]', '["\ta"]', 'é', '[a"]', '["a]', '["a"b]',
  ],
  'blanks of other kinds': [
    '\u00a0[]', '[\u00a0]', '[\f]', '[\v]', '\u2028[]', '\u3000{}', '[\u2060]', '\u0085[]', '\u000c{}', '{}\u00a0',
    '[\u0000]', '[1\u200b]',
  ],
  comments: ['//\n{}', '/**/{}', '{/**/}', '{"a":1/*b*/}', '#\n{}', '[1//\n]', '{} //', '<!-- -->{}', '{"a"/**/:1}'],
  'bytes that are no UTF-8': [
    [0x22, 0x80, 0x22], [0x22, 0xbf, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xc1, 0xbf, 0x22],
    [0x22, 0xe0, 0x80, 0xaf, 0x22], [0x22, 0xe2, 0x82, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xed, 0xbf, 0xbf, 0x22], [0x22, 0xf0, 0x80, 0x80, 0xaf, 0x22], [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
    [0x22, 0xf5, 0x80, 0x80, 0x80, 0x22], [0x22, 0xf8, 0x88, 0x80, 0x80, 0x80, 0x22], [0x22, 0xfe, 0x22],
    [0x22, 0xff, 0x22], [0x22, 0xf0, 0x9f, 0x98, 0x22], [0x22, 0xe9, 0x22], [0x5b, 0x80, 0x5d], [0x5b, 0xff, 0x5d],
    [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], [0x22, 0x5c, 0x75, 0x30, 0x30, 0xe5, 0x22], [0x22, 0x5c, 0xe5, 0x22],
    [0x31, 0xe5], [0x5b, 0x31, 0xe5, 0x5d], [0x22, 0xe0, 0xff, 0x22], [0x22, 0xc2],
  ],
  'marks and other encodings': [
    [0xef], [0xef, 0xbb], [0xef, 0xbb, 0x7b, 0x7d], [0xef, 0xbb, 0xbf], [0xff, 0xfe, 0x7b, 0, 0x7d, 0],
    [0xfe, 0xff, 0, 0x7b, 0, 0x7d], [0x7b, 0, 0x7d, 0], [0, 0x7b, 0, 0x7d], [0, 0, 0, 0x7b],
    [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], [0x1f, 0x8b, 8], '\ufeff\ufeff{}', '{\ufeff}', ' \ufeff{}',
  ],
};

/** Inputs that the RFC leaves to the parser, and how this one handles them. */
const free: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ['a high surrogate alone', '"\\ud800"', '\ufffd'],
  ['a low surrogate alone', '"\\udc00"', '\ufffd'],
  ['a high surrogate before a letter', '"\\ud800x"', '\ufffdx'],
  ['a high surrogate before another escape', '"\\ud800\\n"', '\ufffd\n'],
  ['a high surrogate before an escaped letter', '"\\ud800\\u0041"', '\ufffdA'],
  ['a high surrogate before a pair', '"\\ud800\\ud800\\udc00"', '\ufffd\u{10000}'],
  ['a pair the wrong way round', '"\\udc00\\ud800"', '\ufffd\ufffd'],
  ['names that become one', '{"\\ud800":1,"\\udc00":2}', { '\ufffd': 2 }],
  ['a number beyond any double', '[1e999]', [Number.NaN]],
  ['a number below any double', '[-1e999]', [Number.NaN]],
  ['a number too small for any double', '[1e-999]', [0]],
  ['an exponent beyond any double', '[123123e100000]', [Number.NaN]],
  ['zero with an exponent beyond any double', '[0e100000000000]', [0]],
  ['a whole number between two doubles', '[9007199254740993]', [9007199254740992]],
  ['a name twice', '{"a":1,"a":2}', { a: 2 }],
];

const encode = (content: string | readonly number[]): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);

/** Every way to cut a short file once, and one that cuts it at every byte. */
function everyCut(bytes: Uint8Array): number[][] {
  const places = Array.from(bytes, (_, place) => place);
  return [[], places, ...places.map((place) => [place])];
}

const named = (content: string | readonly number[]): string => JSON.stringify(content);

const loops = everyLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)));

describe.each(loops)('RFC 8259 and the tokenizer by $name:', (tokenizer) => {
  test.each(Object.entries(required))('what %s requires is accepted, however it is split', (_, contents) => {
    for (const content of contents) {
      const bytes = encode(content);
      const expected = oracle(bytes);
      for (const cuts of everyCut(bytes)) {
        const { value, problem } = readCut(tokenizer, bytes, cuts);
        expect(problem, named(content)).toBeUndefined();
        expect(expected && isSame(value, expected.value), `${named(content)} cut at ${cuts}`).toBe(true);
      }
    }
  });

  // Shows P10.2.
  test.each(Object.entries(forbidden))('%s: rejected at one position, however it is split', (_, contents) => {
    for (const content of contents) {
      const bytes = encode(content);
      const whole = readCut(tokenizer, bytes).problem;
      expect(whole, named(content)).toBeDefined();
      for (const cuts of everyCut(bytes)) {
        expect(readCut(tokenizer, bytes, cuts).problem, `${named(content)} cut at ${cuts}`).toEqual(whole);
      }
    }
  });

  test.each(free)('%s has a defined meaning', (_, text, value) => {
    const bytes = encode(text);
    for (const cuts of everyCut(bytes)) {
      const read = readCut(tokenizer, bytes, cuts);
      expect(read.problem).toBeUndefined();
      expect(isSame(read.value, value), `cut at ${cuts}`).toBe(true);
    }
  });
});

test('JSON.parse over strict UTF-8 agrees with every verdict that the RFC fixes', () => {
  const all = (lists: Readonly<Record<string, readonly (string | readonly number[])[]>>) => Object.values(lists).flat();
  expect(all(required).filter((content) => !oracle(encode(content)))).toEqual([]);
  expect(all(forbidden).filter((content) => oracle(encode(content)))).toEqual([]);
});
