import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { harmlessCell } from './spreadsheet-cell.ts';

const signs = ['=', '+', '-', '@', '|', '＝', '＋', '－', '＠'];

test.each([
  ...signs.map((sign) => `${sign}1+1`),
  ';=1+1',
  ' =1+1',
  '" =1+1"',
  '"=',
  '""=',
  ',=',
  ', ;"=1',
  '|',
  "|cmd|' /C calc'!A0",
  '\t=1',
  '\r=1',
  '\n=1',
  '\tx',
  '\rx',
  '\u00a0=1',
  '\ufeff=1',
  '\u200b=1',
  '\0=1',
])('T49 %j begins with an apostrophe', (text) => {
  expect(harmlessCell(text)).toMatch(/^'/);
});

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a, "=1"', 'a,\' "=1"'],
  ['a\t@x', "a\t'@x"],
  ['a\r\n+x', "a\r'\n'+x"],
  ['a,\n "\n=1; \n b', "a,'\n' \"\n'=1; \n b"],
  ['\n\n-1\n\n', "'\n'\n'-1\n\n"],
])('T49 %j has an apostrophe wherever another program would begin a cell', (text, cell) => {
  expect(harmlessCell(text)).toBe(cell);
});

test.each(['', 'shoes', 'a=b', 'a-b, c', 'men’s shoes (size 9+)', "it's", '"quoted"', '5 - 3', 'a;b', 'từ khóa'])(
  '%j is unchanged',
  (text) => {
    expect(harmlessCell(text)).toBe(text);
  },
);

describe('T49 for any text', () => {
  const texts = fc.string({ unit: fc.constantFrom(...signs, ...',;\t\r\n "\'\0\u00a0\ufeffab1'), maxLength: 30 });
  const formula = /^[\s"\p{Cc}\p{Cf}]*[=+\-@|＝＋－＠]/u;

  // Shows P16.10.
  test('no part of it between separators begins like a formula', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const part of harmlessCell(text).split(/[,;\t\r\n]/)) expect(part).not.toMatch(formula);
      }),
    );
  });

  test('only apostrophes are added, and nothing is removed', () => {
    const bare = (text: string) => text.replaceAll("'", '');
    fc.assert(
      fc.property(texts, (text) => {
        expect(bare(harmlessCell(text))).toBe(bare(text));
      }),
    );
  });

  test('escaping twice changes nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(harmlessCell(harmlessCell(text))).toBe(harmlessCell(text));
      }),
    );
  });
});
