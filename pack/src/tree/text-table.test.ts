import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryColumns } from '../../test/support/columns.ts';
import { TextTable } from './keyword-join.ts';
import { NameTable } from './name-table.ts';

const tableOf = (of: readonly string[]) =>
  entryColumns(
    of.map((name) => ({ name, volume: 0 })),
    0,
  );
const keyOf = (name: string) => name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** For each name, the number of the first name with its text. Names are added in two parts. */
function firsts(texts: readonly string[], mayBegin: (name: number) => boolean = () => true): number[] {
  const half = texts.length >> 1;
  const names = new NameTable(tableOf(texts.slice(0, half)), tableOf(texts.slice(half)));
  const table = new TextTable([1, 2], 0);
  return [[0, half] as const, [half, texts.length] as const].flatMap(([from, to]) => {
    const asked = Uint32Array.from({ length: to - from }, (_, index) => from + index);
    const found = new Int32Array(asked.length);
    const may = Uint8Array.from(asked, (name) => Number(mayBegin(name)));
    table.find(names, asked, may, found);
    return [...found];
  });
}

const names = fc.array(fc.constantFrom('', 'a', 'A', ' a  B', 'a b', 'B', 'é', 'É', 'e\u0301', 'c', 'd'), {
  maxLength: 40,
});

test('each name of both tables finds the first one with its text', () => {
  fc.assert(
    fc.property(names, (all) => {
      const texts = all.map(keyOf);
      expect(firsts(all)).toEqual(texts.map((text) => texts.indexOf(text)));
    }),
  );
});

test('a name that may not be the first with its text finds an earlier one, or none', () => {
  expect(firsts(['a', 'b', 'A', 'b', 'B'], (name) => name !== 1)).toEqual([0, -1, 0, 3, 3]);
});

test('more texts than expected fit', () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `name ${(index * 7919) % 9001}`);
  const first = new Map<string, number>();
  for (const [name, text] of texts.entries()) if (!first.has(text)) first.set(text, name);
  expect(firsts(texts)).toEqual(texts.map((text) => first.get(text)));
});
