import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileEnd } from './moves-at-end.ts';

const address = fc.stringMatching(/^[0-9a-f]{16}$/);
const read = (text: string, piece = text.length) => {
  const end = new FileEnd();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += piece) end.push(bytes.subarray(at, at + piece));
  return end.moves();
};

test('moves at the end of a map are read, in any pieces and layout', () => {
  const moves = fc.array(fc.tuple(address, address), { maxLength: 5 });
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 50 }), fc.nat({ max: 2 }), (pairs, piece, indent) => {
      const map = { keywords: ['"moves"'], hierarchy: { name: 'x' }, clustering: { format: 1, moves: pairs } };
      expect(read(`${JSON.stringify(map, undefined, indent)}\n`, piece)).toEqual(pairs);
    }),
  );
});

test.each([
  ['{"keywords":[],"hierarchy":{"name":"x"}}'],
  ['{"clustering":{"moves":[["0123456789abcdef","0123456789abcdef"]],"counts":{}},"hierarchy":{"name":"x"}}'],
  ['{"hierarchy":{"name":"x"},"clustering":{"moves":[["0123456789abcdef"]]}}'],
  ['{"hierarchy":{"name":"x"},"clustering":{"moves":[["0123456789abcdef","no address"]]}}'],
  ['{"hierarchy":{"name":"x"},"clustering":{"moves":7}}'],
  [''],
])('%s moves nothing', (text) => {
  expect(read(text)).toEqual([]);
});

test('of a long file, its end is enough', () => {
  const pairs = Array.from({ length: 1000 }, (_, at) => [
    String(at).padStart(16, '0'),
    String(at + 1).padStart(16, '0'),
  ]);
  const map = { keywords: ['x'.repeat(5 * 2 ** 20)], hierarchy: { name: 'x' }, clustering: { moves: pairs } };
  expect(read(JSON.stringify(map), 2 ** 20)).toEqual(pairs);
});
