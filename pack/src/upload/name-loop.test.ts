import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { randomFrom } from '../../test/support/documents.ts';
import { arraySink } from '../../test/support/trees.ts';
import { noRow } from '../format/pack-format.ts';
import { SearchKey } from '../names/text-key.ts';
import { Addresses } from '../tree/addresses.ts';
import { FoldMeasure } from '../tree/fold-lengths.ts';
import { NameTable } from '../tree/name-table.ts';
import { buildTree } from '../tree/tree-builder.ts';
import { writePack } from '../write/pack-writer.ts';
import { simdLoop } from './json-loop-simd.ts';
import type { NameLoop } from './name-loop.ts';
import type { EntryColumns } from './upload-tables.ts';

const binary = readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url));
const loop = simdLoop(binary)!.names!;

/**
 * Parts of names: plain letters, capitals, white space, characters that fold one by one, and others that fold with the
 * whole name.
 */
const parts = [
  'shoe',
  'red lamp ',
  ' ',
  '  ',
  '\t',
  'A',
  'ZEBRA',
  '@[`{~',
  '\u007f',
  'é',
  'ÉLAN',
  'ß',
  'İ',
  '\u00a0',
  '´',
  'Обувь',
  'ѿ',
  'giày',
  'giầy Ế',
  'خارجي أحمر',
  'ＴＥＮＴ　テント が',
  '한국어',
  'ขายดี',
  '❤\ufe0f',
  'Ω',
  'ς',
  'ﬁ',
  'e\u0301',
  '鞋',
  '👟',
  'a'.repeat(17),
  'é'.repeat(600),
  'x'.repeat(1024),
];

function randomNames(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => {
    const pieces = random() < 0.02 ? parts : parts.slice(0, -2);
    return Array.from({ length: Math.floor(random() * 5) }, () => pieces[Math.floor(random() * pieces.length)]!).join(
      '',
    );
  });
}

/**
 * @param isScattered whether the bytes of a few names come after all others, as for nodes whose children precede the
 *   name
 */
function tableOf(texts: readonly string[], isScattered = false): EntryColumns {
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const isLate = (row: number) => isScattered && row % 50 === 7;
  const rows = [...bytes.keys()];
  const nameStart = new Uint32Array(rows.length);
  const names = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const row of [...rows.filter((row) => !isLate(row)), ...rows.filter(isLate)]) {
    nameStart[row] = end;
    names.set(bytes[row]!, end);
    end += bytes[row]!.length;
  }
  return {
    rows: rows.length,
    names,
    nameStart,
    nameLength: Uint32Array.from(bytes, ({ length }) => length),
    byteStart: new Uint32Array(rows.length),
    byteEnd: new Uint32Array(rows.length),
    metrics: {},
  };
}

const none = tableOf([]);

const everyCharacter = Array.from({ length: 0x110000 - 0x80 }, (_, index) => index + 0x80)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character) => /\p{Assigned}/u.test(character));

test('hashes of many names equal those of single names, wherever their bytes are', () => {
  for (const isShuffled of [false, true]) {
    const table = tableOf(randomNames(3000, 1), isShuffled);
    const names = { count: table.rows, at: (index: number) => index };
    const key = [0x12345678, 0x9abcdef0] as const;
    expect(new NameTable(table, none, loop).hashAll(names, key)).toEqual(
      new NameTable(table, none).hashAll(names, key),
    );
  }
});

test('hashes of names from two tables equal those of single names, near each other and far apart', () => {
  const table = tableOf(randomNames(5000, 2));
  const other = tableOf(randomNames(5000, 3));
  const asked = Array.from({ length: 10_000 }, (_, name) => name).filter(
    (name) => name % 1000 < 700 || name % 97 === 0,
  );
  const names = { count: asked.length, at: (index: number) => asked[index]! };
  const hashes = new NameTable(table, other, loop).hashAll(names, [1, 2]);
  expect(hashes).toEqual(new NameTable(table, other).hashAll(names, [1, 2]));
});

test('node IDs of siblings equal those computed one by one, including repeated names', () => {
  const table = tableOf(['root', 'one', 'two', ...randomNames(6000, 4)], true);
  const parent = Uint32Array.from({ length: table.rows }, (_, row) =>
    row === 0 || row === 5000 ? 0 : row < 5000 ? 1 : 5000,
  );
  parent[1] = 0;
  const nodes = { ...table, parent, type: new Uint16Array(table.rows) };
  expect(new Addresses(loop).finish(nodes)).toEqual(new Addresses().finish(nodes));
});

test('many names are folded like single ones', () => {
  const texts = randomNames(2000, 5);
  const table = tableOf(texts);
  const fold = new SearchKey();
  let left = 0;
  for (let from = 0; from < texts.length; ) {
    const brought = loop.bring(table, from, texts.length);
    const bytes = loop.fold();
    let at = 0;
    for (let index = 0; index < brought; index++) {
      if (loop.isLeft[index] === 1) {
        left++;
        continue;
      }
      const start = table.nameStart[from + index]!;
      const name = table.names.subarray(start, start + table.nameLength[from + index]!);
      const folded = fold.buffer.bytes.slice(0, fold.write(table.names, start, start + name.length));
      const isSame = folded.length === name.length && folded.every((byte, place) => byte === name[place]);
      expect(loop.foldLengths[index]).toBe(isSame ? noRow : folded.length);
      if (isSame) continue;
      expect(loop.folds.slice(at, at + folded.length)).toEqual(folded);
      at += folded.length;
    }
    expect(at).toBe(bytes);
    from += brought;
  }
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(texts.length * 0.8);
});

test('no name is skipped because an open node after it has no name yet', () => {
  const table = tableOf(Array.from({ length: 8000 }, (_, row) => `a name of twenty bytes ${row}`));
  table.nameStart[7999] = 0;
  table.nameLength[7999] = 0;
  for (let from = 0; from < 7000; ) {
    const brought = loop.bring(table, from, table.rows);
    loop.hashKeys([1, 2]);
    expect(loop.isLeft.subarray(0, Math.min(brought, 7999 - from)).includes(1)).toBe(false);
    from += brought;
  }
});

test('every Unicode character is hashed and folded as if alone, even with more characters than the tables hold', () => {
  const fresh = simdLoop(binary)!.names!;
  const random = randomFrom(8);
  const texts = everyCharacter.map((character) =>
    random() < 0.5 ? `a${character}` : `${character}${everyCharacter[Math.floor(random() * everyCharacter.length)]!}B`,
  );
  const table = tableOf(texts);
  const names = { count: table.rows, at: (index: number) => index };
  const hashes = new NameTable(table, none, fresh).hashAll(names, [5, 6]);
  expect(
    Buffer.compare(Buffer.from(hashes.buffer), Buffer.from(new NameTable(table, none).hashAll(names, [5, 6]).buffer)),
  ).toBe(0);
  const one = new FoldMeasure();
  const wrong = [];
  let left = 0;
  for (let from = 0; from < texts.length; ) {
    const brought = fresh.bring(table, from, texts.length);
    fresh.fold();
    for (let index = 0; index < brought; index++) {
      if (fresh.isLeft[index] === 1) left++;
      else if (fresh.foldLengths[index] !== (one.lengthOf(table, from + index) ?? noRow))
        wrong.push(texts[from + index]);
    }
    from += brought;
  }
  expect(wrong).toEqual([]);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(0.2 * texts.length);
});

test('a pack has the same bytes with and without the loop', async () => {
  const packOf = async (names: NameLoop | undefined) => {
    const nodes = tableOf(['root', ...randomNames(4000, 6)], true);
    // Every fortieth node is a child of the root; the others are children of the last of these.
    const parent = Uint32Array.from(nodes.nameStart, (_, row) => (row % 40 < 2 ? 0 : row - (row % 40) + 1));
    const tables = {
      nodes: { ...nodes, parent, type: new Uint16Array(nodes.rows) },
      keywords: tableOf(randomNames(3000, 7)),
      types: [''],
      bytes: 1,
    };
    const sink = arraySink();
    await writePack(buildTree(tables, [3, 4], [], undefined, [], names), '00'.repeat(32), sink, names);
    return sink.bytes();
  };
  const plain = await packOf(undefined);
  // Not toEqual: printing a difference of a million bytes would take minutes.
  expect(Buffer.compare(await packOf(loop), plain)).toBe(0);
});
