// Shows T49.
import { readXlsx } from 'hucre';
import { expect, test } from 'vitest';
import type { XlsxCell } from './cell-xml.ts';
import { createSheetNames, writeXlsx, type XlsxSheet } from './write-xlsx.ts';

async function read(sheets: XlsxSheet[], rowsPerSheet?: number) {
  async function* given() {
    yield* sheets;
  }
  const parts: Uint8Array[] = [];
  for await (const part of writeXlsx(given(), {
    modified: Date.UTC(2026, 10, 26),
    ...(rowsPerSheet && { rowsPerSheet }),
  }))
    parts.push(part);
  return (await readXlsx(Buffer.concat(parts), { readStyles: true })).sheets;
}
async function* blocksOf(rows: number, width: number, cell: (row: number, at: number) => XlsxCell) {
  for (let from = 0; from < rows; from += 1000) {
    yield Array.from({ length: Math.min(1000, rows - from) }, (_, nth) =>
      Array.from({ length: width }, (_, at) => cell(from + nth, at)),
    );
  }
}
const text = [{ title: 'Text', kind: 'text', width: 20 }] as const;

// Shows P24.9.
test('every text comes back exactly, whatever its characters, and none is a formula', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    ' a ',
    'a\nb',
    'a\r\nb',
    '<&>"\'',
    '_x000D_',
    '\u0000\u001f\uffff',
    '👟靴',
    "'q",
  ];
  const [sheet] = await read([{ name: 'x', columns: text, rows: blocksOf(texts.length, 1, (row) => texts[row]) }]);
  expect(sheet!.rows.slice(1).map(([cell]) => cell)).toEqual(texts);
  for (const cell of sheet!.cells?.values() ?? []) expect(cell.formula).toBeUndefined();
});

test('a sheet with more rows than one can have goes on in another one, with its head', async () => {
  const rows = 2502;
  const columns = [{ title: 'Row', kind: 'count', width: 9 }] as const;
  const sheets = await read([{ name: 'SEO', columns, rows: blocksOf(rows, 1, (row) => row) }], 2500);
  expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
    ['SEO', 2501],
    ['SEO (2)', 3],
  ]);
  expect(sheets[1]!.rows).toEqual([['Row'], [rows - 2], [rows - 1]]);
});

test('each of many links leads to its address', async () => {
  const address = (row: number) => `https://shop.example/p?a=${row}&b=<x>`;
  const columns = [{ title: 'URL', kind: 'link', width: 40 }] as const;
  const [sheet] = await read([{ name: 'x', columns, rows: blocksOf(600, 1, address) }]);
  const targets = Array.from({ length: 600 }, (_, row) => sheet!.cells?.get(`${row + 1},0`)?.hyperlink?.target);
  expect(targets).toEqual(Array.from({ length: 600 }, (_, row) => address(row)));
});

test('names of sheets are valid, short and different', () => {
  const { nameOf, next } = createSheetNames(['Plan']);
  expect(nameOf('Plan', true)).toBe('Plan');
  expect(nameOf('plan', false)).toBe('plan (2)');
  expect(nameOf("'[a]:b*?/\\'", false)).toBe('a b');
  expect(nameOf('History', false)).toBe('History (2)');
  expect(nameOf('  ', false)).toBe('Sheet');
  expect(nameOf('x'.repeat(40), false)).toBe('x'.repeat(31));
  expect(next('x'.repeat(31))).toBe(`${'x'.repeat(27)} (2)`);
  expect(nameOf('靴'.repeat(40), false)).toHaveLength(31);
});
