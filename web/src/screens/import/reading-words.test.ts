import { expect, test } from 'vitest';
import { marketsText, misfitText, readingParts } from './reading-words.ts';

test('a reading is said in short parts', () => {
  const reading = {
    format: 'text',
    encoding: 'utf-8',
    delimiter: ',',
    header: { line: 1, names: [] },
    vendor: 'semrush-keyword-magic',
    market: 'us',
    exported: '2026-04-30',
    skipped: 1,
    titles: [],
    columns: [],
    notes: [],
  } as const;
  expect(readingParts(reading).join(' · ')).toBe(
    'Semrush Keyword Magic · UTF-8 · comma · header in line 1 · market us · exported Apr 30, 2026',
  );
  const lines = {
    ...reading,
    delimiter: undefined,
    header: undefined,
    vendor: 'plain-list',
    market: undefined,
  } as const;
  expect(readingParts({ ...lines, exported: undefined })).toEqual([
    'Plain list',
    'UTF-8',
    'one keyword per line',
    'no header line',
  ]);
  expect(readingParts({ ...lines, figureAt: 'end' })[2]).toBe('one keyword and its figure per line');
  const quoted = readingParts({ ...reading, isSingleQuoted: true, signs: 'plus' });
  expect(quoted.slice(2, 5)).toEqual(['comma, single quotes', 'header in line 1', 'signs written as in addresses']);
  expect(readingParts({ ...reading, format: 'workbook', sheet: 'Queries' }).slice(1, 3)).toEqual([
    'XLSX',
    'sheet Queries',
  ]);
});

test('a meaning that hardly fits says how little', () => {
  expect(misfitText('volume', 0.12)).toBe('Only 12 % of the values are numbers.');
  expect(misfitText('intent', 0.129)).toBe('Only 12 % of the values are search intents.');
});

test('several markets are named, with what happens to their volumes', () => {
  expect(marketsText(['us', 'uk', 'de'], undefined)).toBe('3 markets: us, uk, de. Volumes are added up.');
  expect(marketsText(['us', 'uk', 'de'], 'uk')).toBe('3 markets: us, uk, de. Only rows of uk are used.');
});
