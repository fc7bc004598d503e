import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './export-csv.ts';

test('a line of numbers, texts and unknown cells', () => {
  expect(csvLine(['shoes', 0, undefined, 1.5, ''])).toBe('shoes,0,,1.5,\r\n');
});

test('texts with separators, quotes or line breaks are quoted, and formulas are neutralised', () => {
  expect(csvLine(['a,b', 'say "hi"', '=1+1'])).toBe(`"a,b","say ""hi""",'=1+1\r\n`);
  expect(csvLine(['two\nlines', 'a\rb', 'c\r\nd'])).toBe('"two\nlines","a\rb","c\r\nd"\r\n');
});

test('every table can be parsed back', () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', '=', 'é', '\t') }),
    fc.integer(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, fc.constant('x')), { minLength: 1 }), (lines) => {
      const text = lines.map(csvLine).join('');
      const read: unknown = parse(text, { record_delimiter: '\r\n' });
      expect(read).toEqual(
        lines.map((line) => line.map((of) => (typeof of === 'string' ? harmlessCell(of) : `${of}`))),
      );
    }),
  );
});
