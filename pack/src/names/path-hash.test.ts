import { expect, test } from 'vitest';
import { randomFrom } from '../../test/support/documents.ts';
import { createPathHash, formatAddress, parseAddress } from './path-hash.ts';

const hash = createPathHash();

function addressOf(name: string, ordinal = 0, [high, low] = [0, 0]): string {
  const bytes = new TextEncoder().encode(name);
  const [first, second] = hash(high!, low!, ordinal, bytes, 0, bytes.length);
  return formatAddress(second!, first!);
}

// Links contain node IDs: a change here would break every existing link. The value comes from another implementation of
// HalfSipHash, over eight zeros and the name.
test('node IDs never change', () => {
  expect(addressOf('shoes')).toBe('a3b91bf62b670a3c');
});

test('name, ordinal and parent all affect the ID', () => {
  const all = [
    addressOf('shoes'),
    addressOf('Shoes'),
    addressOf('shoes', 1),
    addressOf('shoes', 0, [0, 1]),
    addressOf('shoes', 0, [1, 0]),
    addressOf(''),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('composed and decomposed letters are the same name', () => {
  expect(addressOf('caf\u00e9')).toBe(addressOf('cafe\u0301'));
});

test('a name and its composed form have the same node ID, whatever its characters', () => {
  const random = randomFrom(3);
  const marks = ['\u0301', '\u0327', '\u3099', '\u11a8', '\u0e38', '\u0e48', '\u0651', '\u0654'];
  const different = [];
  for (let point = 0x80; point < 0x30000; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const mark = random() < 0.5 ? marks[Math.floor(random() * marks.length)]! : '';
    const text = `a${String.fromCodePoint(point)}${mark}${random() < 0.5 ? ' b' : '鞋'}`;
    if (addressOf(text) !== addressOf(text.normalize('NFC'))) different.push(text);
  }
  expect(different).toEqual([]);
});

test('a node ID is written as 16 hex digits and parsed back', () => {
  expect(formatAddress(0x1, 0xabcdef01)).toBe('00000001abcdef01');
  expect(parseAddress('00000001ABCDEF01')).toEqual({ high: 1, low: 0xabcdef01 });
  for (const text of ['', '1', 'g000000000000000', '00000001abcdef012', ' 0000001abcdef01']) {
    expect(parseAddress(text)).toBeUndefined();
  }
});
