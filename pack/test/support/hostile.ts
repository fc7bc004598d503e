/** A file that somebody sends maliciously or by mistake, and the expected verdict. */
export type HostileFile = {
  readonly name: string;
  /**
   * The file in blocks; about `size` bytes if the length is the problem. A block is valid until the next one is
   * requested.
   */
  bytes(size: number): Iterable<Uint8Array>;
  /** The beginning of the refusal reason. `undefined` if the file is accepted, with this many rows. */
  readonly what?: string;
  readonly rows?: { readonly nodes: number; readonly keywords: number };
  /** Whether the length is the problem. */
  readonly isLong: boolean;
};

const MiB = 2 ** 20;
const tail = '"hierarchy":{"name":"root"}}';
const oneNode = { nodes: 1, keywords: 0 };
const encoder = new TextEncoder();

/**
 * One file for each kind of hostile input. Long files are generated while they are read and are never in memory as a
 * whole.
 *
 * Source: RFC 8259; SECURITY.md, T42 and T44.
 */
export const hostileFiles: readonly HostileFile[] = [
  short('an empty file', '', 'the file is empty'),
  short('one space', ' ', 'the file ends too early'),
  long('only white space', (size) => repeated(' \n\t\r', size), 'the file ends too early'),
  long('white space before a valid file', (size) => framed('', ' ', size, `{${tail}`)),
  long(
    'white space and a brace after a valid file',
    (size) => framed(`{${tail}`, ' ', size, '}'),
    'something after the end',
  ),
  long(
    'white space and a NUL after a valid file',
    (size) => framed(`{${tail}`, '\n', size, '\0'),
    'something after the end',
  ),

  short('a hierarchy of 10,000 levels', chain(10_000), undefined, { nodes: 10_000, keywords: 0 }),
  short('a hierarchy of a million levels', chain(1_000_000), 'nesting deeper than 100000 levels'),
  short(
    'arrays nested 90,000 deep in an unused member',
    `{"x":${nested('[', ']', 90_000)},${tail}`,
    undefined,
    oneNode,
  ),
  short(
    'arrays nested a million deep',
    `{"x":${nested('[', ']', 1_000_000)},${tail}`,
    'nesting deeper than 100000 levels',
  ),
  short('objects nested a million deep', `{"x":${'{"a":'.repeat(1_000_000)}`, 'nesting deeper than 100000 levels'),
  short('arrays that are never closed', `{"x":${'['.repeat(90_000)}`, 'the file ends too early'),
  short('a million arrays that are never closed', `{"x":${'['.repeat(1_000_000)}`, 'nesting deeper than 100000 levels'),
  long('an array that is never closed', (size) => framed('{"x":[0', ',0', size, ''), 'the file ends too early'),
  long('empty arrays in an unused member', (size) => framed('{"x":[[]', ',[]', size, `],${tail}`)),

  long('one string in an unused member', (size) => framed('{"x":"', 'x', size, `",${tail}`)),
  long('one string of escapes', (size) => framed('{"x":"', '\\u00e9\\n', size / 4, `",${tail}`)),
  long('one string of four-byte characters', (size) => framed('{"x":"', '😀', size / 2, `",${tail}`)),
  long('one string that is never closed', (size) => framed('{"x":"', 'x', size, ''), 'the file ends too early'),
  long('one member name', (size) => framed('{"', 'x', size, `":0,${tail}`)),
  long('one keyword', (size) => framed('{"keywords":["', 'x', size, `"],${tail}`), 'a name longer than 65536 bytes'),
  long(
    'one type',
    (size) => framed('{"hierarchy":{"name":"r","type":"', 't', size, '"}}'),
    'a type longer than 256 bytes',
  ),
  long('one number', (size) => framed('{"x":', '1', size, `,${tail}`), 'a number longer than 65536 bytes'),
  long('one fraction', (size) => framed('{"x":0.', '0', size, `,${tail}`), 'a number longer than 65536 bytes'),

  long('short keys in an unused member', (size) => framed('{"x":{"":0', shortKeys(), size, `},${tail}`)),
  long('short keys in a node', (size) => framed('{"hierarchy":{"name":"r"', shortKeys(), size / 4, '}}')),
  long(
    'short keys in a keyword',
    (size) => framed('{"keywords":[{"":0', shortKeys(), size / 4, `}],${tail}`),
    undefined,
    {
      nodes: 1,
      keywords: 1,
    },
  ),
  long('short keys at the top', (size) => framed('{"":0', shortKeys(), size / 4, `,${tail}`)),
  long('one key repeated', (size) => framed('{"hierarchy":{"name":"r"', ',"kd":1', size / 4, '}}')),
  long('one name repeated', (size) => framed('{"hierarchy":{"name":"r"', ',"name":"r"', size / 64, '}}')),

  short('keywords twice', `{"keywords":[],"keywords":[],${tail}`, '"keywords" twice in the file'),
  short(
    'keywords twice, once with an escape',
    `{"keywords":[],"\\u006beywords":[],${tail}`,
    '"keywords" twice in the file',
  ),
  short('hierarchy twice', `{"hierarchy":{"name":"a"},${tail}`, '"hierarchy" twice in the file'),
  short('keywords that are an object', `{"keywords":{"a":1},${tail}`, '"keywords" that is not an array'),
  short('keywords that are text', `{"keywords":"a",${tail}`, '"keywords" that is not an array'),
  short('a hierarchy that is an array', '{"hierarchy":[]}', '"hierarchy" that is not an object'),
  short('no hierarchy', '{"keywords":[]}', 'no "hierarchy" in the file'),
  short(
    'names of prototype members',
    `{"__proto__":{"name":"x"},"constructor":{"prototype":{"x":1}},"keywords":[{"__proto__":{"keyword":"a"},"toString":1}],"hierarchy":{"__proto__":{"children":[]},"name":"__proto__","type":"constructor"}}`,
    undefined,
    { nodes: 1, keywords: 1 },
  ),
  short('lone surrogates', `{"keywords":["\\ud800","\\udc00x","\\ud83d\\ud83d\\ude00"],${tail}`, undefined, {
    nodes: 1,
    keywords: 3,
  }),
  short(
    'numbers too large for a double',
    `{"keywords":[{"keyword":"a","volume":1e999,"kd":-1e999}],${tail}`,
    'a figure beyond',
  ),
  short(
    'numbers too large for a double in fields that are not figures',
    `{"keywords":[{"keyword":"a","ref":1e999}],${tail}`,
    undefined,
    {
      nodes: 1,
      keywords: 1,
    },
  ),
  short('a byte order mark', `\ufeff{${tail}`, undefined, oneNode),
  short('two byte order marks', `\ufeff\ufeff{${tail}`, 'an unexpected byte 0xef'),
  short('UTF-16, little-endian', utf16(`{${tail}`, 0), 'UTF-16 text instead of UTF-8'),
  short('UTF-16, big-endian', utf16(`{${tail}`, 1), 'UTF-16 text instead of UTF-8'),
  short('UTF-16 with a byte order mark', utf16(`\ufeff{${tail}`, 0), 'UTF-16 text instead of UTF-8'),
  short('NUL bytes', new Uint8Array(4096), 'UTF-16 text instead of UTF-8'),
  short('a NUL in a name', `{"keywords":["a\0b"],${tail}`, 'a NUL byte'),
  short(
    'gzip',
    Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    'gzip-compressed data instead of JSON',
  ),
  short('zip', 'PK\u0003\u0004', 'unexpected "P" where a value should be'),
  short('an overlong slash', Uint8Array.of(0x7b, 0x22, 0xc0, 0xaf), 'a byte that is not UTF-8'),
  short('a surrogate in UTF-8', Uint8Array.of(0x7b, 0x22, 0xed, 0xa0, 0x80), 'a byte that is not UTF-8'),
  long(
    'an invalid byte at the very end',
    (size) => framed('{"x":"', 'x', size, Uint8Array.of(0xff, 0x22, 0x7d)),
    'a byte that is not UTF-8',
  ),
  short('a file that is a number', '0', 'a file that is not a JSON object'),
  short('a trailing comma', `{"keywords":["a",],${tail}`, 'unexpected "]" where a value should be'),
];

function short(name: string, content: string | Uint8Array, what?: string, rows?: HostileFile['rows']): HostileFile {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  return {
    name,
    bytes: () => blocksOf(bytes),
    isLong: false,
    ...(what === undefined ? {} : { what }),
    ...(rows ? { rows } : {}),
  };
}

function long(
  name: string,
  bytes: HostileFile['bytes'],
  what?: string,
  rows: HostileFile['rows'] = oneNode,
): HostileFile {
  return { name, bytes, isLong: true, ...(what === undefined ? { rows } : { what }) };
}

function* blocksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MiB) yield bytes.subarray(at, at + MiB);
}

/** Yields `unit` up to about `size` bytes, reusing one block. */
function* repeated(unit: string, size: number): Generator<Uint8Array> {
  const bytes = encoder.encode(unit.repeat(Math.ceil(MiB / unit.length)));
  for (let at = 0; at < size; at += bytes.length) yield bytes;
}

/** A head, about `size` bytes of padding, and a tail. */
function* framed(
  head: string,
  filling: string | ((index: number) => Uint8Array),
  size: number,
  end: string | Uint8Array,
): Generator<Uint8Array> {
  yield encoder.encode(head);
  if (typeof filling === 'string') yield* repeated(filling, size);
  else
    for (let at = 0, block = 0; at < size; block++) {
      const bytes = filling(block);
      at += bytes.length;
      yield bytes;
    }
  yield typeof end === 'string' ? encoder.encode(end) : end;
}

/**
 * Members with unique names, several thousand per block. Creates no strings, so that only the reader's memory is
 * measured.
 */
function shortKeys(): (index: number) => Uint8Array {
  const perBlock = 65_536;
  const member = encoder.encode(',"_00000000":0');
  const lastDigit = member.length - 4;
  const block = new Uint8Array(perBlock * member.length);
  for (let key = 0; key < perBlock; key++) block.set(member, key * member.length);
  return (index) => {
    for (let key = 0; key < perBlock; key++) {
      let rest = index * perBlock + key;
      for (let at = key * member.length + lastDigit; rest > 0; rest = Math.trunc(rest / 10))
        block[at--] = 0x30 + (rest % 10);
    }
    return block;
  };
}

function chain(levels: number): string {
  return `{"hierarchy":${'{"name":"n","children":['.repeat(levels - 1)}{"name":"leaf"}${']}'.repeat(levels - 1)}}`;
}

function nested(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

/** Every code unit as two bytes, high byte first if `big` is 1. */
function utf16(text: string, big: 0 | 1): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i + big] = text.charCodeAt(i) & 0xff;
    bytes[2 * i + 1 - big] = text.charCodeAt(i) >>> 8;
  }
  return bytes;
}
