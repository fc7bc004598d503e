import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entryColumns } from '../testing-columns.ts';
import { NameTable } from './name-table.ts';
import { findSameNames } from './same-names.ts';

const tableOf = (of: readonly string[]) =>
  entryColumns(
    of.map((name) => ({ name, volume: 0 })),
    0,
  );
const keyOf = (name: string) => name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** For each name the first one with its text, -1 for none; all of them may begin a text unless said otherwise. */
function firsts(first: readonly string[], second: readonly string[], mayBegin: (name: number) => boolean = () => true) {
  const count = first.length + second.length;
  const found = new Array<number>(count);
  const names = { count, at: (index: number) => index };
  findSameNames(new NameTable(tableOf(first), tableOf(second)), names, [1, 2], mayBegin, true, (name, same) => {
    found[name] = same;
  });
  return found;
}

const names = fc.array(fc.constantFrom('', 'a', 'A', ' a  B', 'a b', 'B', 'é', 'É', 'e\u0301', 'c', 'd'), {
  maxLength: 20,
});

test('each name of both tables finds the first one with its text', () => {
  fc.assert(
    fc.property(names, names, (first, second) => {
      const texts = [...first, ...second].map(keyOf);
      expect(firsts(first, second)).toEqual(texts.map((text) => texts.indexOf(text)));
    }),
  );
});

test('a name that may not begin a text finds one before it, or none', () => {
  expect(firsts(['a'], ['b', 'A', 'b', 'B'], (name) => name !== 1)).toEqual([0, -1, 0, 3, 3]);
});

test('so many names that they are dealt into parts are joined as few are', () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `name ${(index * 7919) % 9001}`);
  const first = new Map<string, number>();
  for (const [name, text] of texts.entries()) if (!first.has(text)) first.set(text, name);
  expect(firsts(texts.slice(0, 5000), texts.slice(5000))).toEqual(texts.map((text) => first.get(text)));
});
