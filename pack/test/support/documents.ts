/** Random numbers from 0 up to 1, determined by the seed. Source: Mulberry32 by Tommy Ettinger, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const encoder = new TextEncoder();
const blanks = ['', '', '', '', ' ', '\n', '\t', '\r\n', '  '];
// biome-ignore format: a list
const texts = [
  '', 'a', 'name', 'keywords', 'trail shoes', '__proto__', 'constructor', 'é', 'ệ', '😀', '\u2028', '\ufeff', '\u007f',
  '\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0041', '\\u0000', '\\u00e9', '\\uFFFF', '\\ud83d\\ude00',
  '\\uD83D\\uDE00', '\\ud83d', '\\ude00', '\\ud83dx', '\\ud83d\\n', '\\ud83d\\ud83d\\ude00', '\\ude00\\ud83d',
  'x'.repeat(40),
];
// biome-ignore format: a list
const numbers = [
  '0', '-0', '1', '-1', '12', '0.1', '-0.0', '1e0', '1E5', '1e+5', '1e-5', '123456789', '1234567890', '0.123456789',
  '123456789012345678', '9007199254740993', '1e23', '1.7976931348623157e308', '1e999', '-1e999', '5e-324',
  '2.2250738585072011e-308', '1.5e-400', '4.35',
];
const literals = ['true', 'false', 'null'];
/** Bytes that matter in the grammar and that bit flips rarely produce. */
const grammarBytes = encoder.encode('{}[]",:\\-+.eE0u1tfn \n\t\0');

/**
 * A random file: a JSON document with white space, escapes and numbers that serialisers do not write. Three in five are
 * damaged: bytes are flipped, replaced, removed, duplicated or cut off.
 */
export function randomFile(random: () => number): Uint8Array {
  const mark = random() < 0.02 ? '\ufeff' : '';
  const bytes = encoder.encode(mark + blank(random) + value(random, 5) + blank(random));
  if (random() < 0.4) return bytes;
  let damaged: Uint8Array = bytes;
  for (let wounds = 1 + below(3, random); wounds > 0; wounds--) damaged = damage(damaged, random);
  return damaged;
}

/** Positions at which to cut a file, in ascending order: none, a few, or after every byte. */
export function randomCuts(length: number, random: () => number): number[] {
  const kind = random();
  if (kind < 0.2) return [];
  if (kind < 0.3) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: 1 + below(4, random) }, () => below(length + 1, random)).sort((a, b) => a - b);
}

function damage(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = below(bytes.length + 1, random);
  switch (below(6, random)) {
    case 0: {
      const flipped = bytes.slice();
      if (at < bytes.length) flipped[at]! ^= 1 << below(8, random);
      return flipped;
    }
    case 1:
      return joined(bytes.subarray(0, at), [pick(grammarBytes, random)], bytes.subarray(at + 1));
    case 2:
      return joined(bytes.subarray(0, at), [pick(grammarBytes, random)], bytes.subarray(at));
    case 3:
      return joined(bytes.subarray(0, at), [], bytes.subarray(at + 1 + below(4, random)));
    case 4:
      return joined(bytes.subarray(0, at), bytes.subarray(below(at + 1, random), at), bytes.subarray(at));
    default:
      return random() < 0.5
        ? bytes.slice(0, at)
        : joined(bytes.subarray(0, at), [below(256, random)], bytes.subarray(at));
  }
}

function value(random: () => number, depth: number): string {
  const kind = random();
  if (depth === 0 || kind < 0.2) return text(random);
  if (kind < 0.4) return random() < 0.7 ? pick(numbers, random) : decimal(random);
  if (kind < 0.5) return pick(literals, random);
  const members = Array.from({ length: below(5, random) }, () =>
    kind < 0.75
      ? value(random, depth - 1)
      : `${text(random)}${blank(random)}:${blank(random)}${value(random, depth - 1)}`,
  );
  const inner = blank(random) + members.join(`${blank(random)},${blank(random)}`) + blank(random);
  return kind < 0.75 ? `[${inner}]` : `{${inner}}`;
}

function text(random: () => number): string {
  let content = '';
  for (let parts = below(4, random); parts > 0; parts--) content += pick(texts, random);
  return `"${content}"`;
}

function decimal(random: () => number): string {
  const digits = String(Math.floor(random() * 10 ** below(18, random)));
  return `${random() < 0.3 ? '-' : ''}${digits}${random() < 0.5 ? `.${below(1e6, random)}` : ''}${random() < 0.2 ? `e${below(40, random) - 20}` : ''}`;
}

const blank = (random: () => number): string => pick(blanks, random);
const below = (limit: number, random: () => number): number => Math.floor(random() * limit);

function pick(list: Uint8Array, random: () => number): number;
function pick(list: readonly string[], random: () => number): string;
function pick(list: ArrayLike<number | string>, random: () => number): number | string {
  return list[below(list.length, random)]!;
}

function joined(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
