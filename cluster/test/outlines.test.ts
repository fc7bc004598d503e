import { expect, test } from 'vitest';
import { readLists } from '../src/lists/read-lists.ts';
import type { Corrections } from '../src/read/reading.ts';
import { keywordsOf, readList as read, utf8 } from './support/lists.ts';
import { sheetOf, sourceOf, workbookOf } from './support/workbooks.ts';

// Lists without columns that have headings among their keywords.

function groupsOf(text: string, corrections: Corrections = {}) {
  const { keywords, readings, rows } = keywordsOf([{ name: 'list.txt', bytes: utf8(text), corrections }]);
  const groups = keywords.text.map((keyword, at) => [
    keyword,
    ...keywords.texts.map(({ values, codes }) => values[codes[at]!] ?? ''),
  ]);
  return {
    groups,
    notes: readings[0]!.notes.map(({ code }) => code),
    problems: rows[0]!.problems.map(({ line, reason, text: shown }) => [line, reason, shown.trim()]),
  };
}

const desksAndBeds = [
  ['oak desk', 'Desks'],
  ['pine desk', 'Desks'],
  ['oak bed', 'Beds'],
  ['pine bed', 'Beds'],
];

test.each([
  'Desks\n  oak desk\n  pine desk\nBeds\n  oak bed\n  pine bed\n',
  'Desks\n\toak desk\n\tpine desk\nBeds\n\toak bed\n\tpine bed\n',
  'Desks\n oak desk\n pine desk\n\nBeds\n oak bed\n pine bed\n',
  'Desks\noak desk\npine desk\n\nBeds\noak bed\npine bed\n',
  'Desks:\noak desk\npine desk\nBeds:\noak bed\npine bed\n',
  '## Desks\n- oak desk\n- pine desk\n\n## Beds\n- oak bed\n- pine bed\n',
  'Desks\n-----\n- oak desk\n- pine desk\n\nBeds\n-----\n- oak bed\n- pine bed\n',
  '=== Desks ===\noak desk\npine desk\n\n=== Beds ===\noak bed\npine bed\n',
  '- Desks\n  - [ ] oak desk\n  - [x] pine desk\n- Beds\n  - [ ] oak bed\n  - [ ] pine bed\n',
  '**Desks**\n1. oak desk\n2. pine desk\n\n**Beds:**\n1. oak bed\n2. pine bed\n',
  '- Desks\n  - oak desk\n  - pine desk\n- Beds\n  - oak bed\n  - pine bed\n',
  '1. Desks\n   - oak desk\n   - pine desk\n2. Beds\n   - oak bed\n   - pine bed\n',
  'Keywords:\nDesks\n  oak desk\n  pine desk\nBeds\n  oak bed\n  pine bed\n',
  'Desks: oak desk, pine desk\nBeds: oak bed, pine bed\n',
  'Desks: oak desk; pine desk\nBeds: oak bed; pine bed\n',
  '1. **Desks:** oak desk, pine desk\n2. **Beds**: oak bed, pine bed\n',
  'Desks\n  oak desk, pine desk, oak desk\nBeds\n  oak bed, pine bed, oak bed\n',
])('headings of a list are the groups of its keywords, which is asked: %j', (text) => {
  const { groups, notes, problems } = groupsOf(text);
  expect(groups).toEqual(desksAndBeds);
  expect(notes).toContain('group-lines');
  expect(problems).toEqual([]);
});

test('headings of a workbook with one column are groups, too', async () => {
  const shared: string[] = [];
  const sheet = sheetOf([['Desks'], [' oak desk'], [' pine desk'], [], ['Beds'], [' oak bed'], [' pine bed']], shared);
  const texts = shared.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('');
  const bytes = workbookOf({ sheets: { List: sheet }, shared: texts });
  const lists = await readLists([{ name: 'list.xlsx', source: sourceOf(bytes) }]);
  if (!('keywords' in lists)) expect.fail(lists.refusal.code);
  expect(lists.keywords.text).toEqual(['oak desk', 'pine desk', 'oak bed', 'pine bed']);
  expect(lists.keywords.texts[0]?.values).toEqual(['Desks', 'Beds']);
});

test('headings may stand above headings', () => {
  const nested =
    'Furniture\n  Desks\n    oak desk\n    pine desk\n  Beds\n    oak bed\n  lamps\nGarden\n  Hoses\n    hose reel\n  fences\n';
  expect(groupsOf(nested).groups).toEqual([
    ['oak desk', 'Furniture', 'Desks'],
    ['pine desk', 'Furniture', 'Desks'],
    ['oak bed', 'Furniture', 'Beds'],
    ['lamps', 'Furniture', ''],
    ['hose reel', 'Garden', 'Hoses'],
    ['fences', 'Garden', ''],
  ]);
  const deep =
    'A\n B\n  C\n   D\n    E\n     oak desk\n     oak bed\n     oak sofa\n   D2\n    oak lamp\n    oak box\n    oak lid\n';
  expect(groupsOf(deep).groups[0]).toEqual(['oak desk', 'A', 'B', 'C', 'D / E']);
});

test('what a chat writes around headings is neither a heading nor a keyword', () => {
  const chat =
    'Here are some keywords for your shop:\n\n### Desks\n- oak desk\n- pine desk\n\n### Beds\n- oak bed\n- pine bed\n\n### Sofas\n\nShall I add some for sofas?\n';
  const { groups, problems } = groupsOf(chat);
  expect(groups).toEqual(desksAndBeds);
  expect(problems).toEqual([
    [1, 'heading', 'Here are some keywords for your shop:'],
    [13, 'heading', 'Shall I add some for sofas?'],
  ]);
  expect(groupsOf('## Desks\noak desk\npine desk\n## Beds\noak bed\npine bed\n## Sofas\n').problems).toEqual([
    [7, 'heading', '## Sofas'],
  ]);
});

test('headings are keywords if somebody says so', () => {
  const textsOf = (text: string) => read(text, 'list.txt', { fillsDown: false });
  expect(textsOf('Desks\n  oak desk\nBeds\n  oak bed\n')).toMatchObject({
    texts: ['Desks', 'oak desk', 'Beds', 'oak bed'],
    notes: ['group-lines'],
  });
  expect(textsOf('Desks: oak desk, pine desk\nBeds: oak bed, pine bed\n')).toMatchObject({
    texts: ['Desks: oak desk', 'pine desk', 'Beds: oak bed', 'pine bed'],
    notes: ['group-lines'],
  });
});

test('first lines behind empty ones that only have fewer words are keywords first, which is asked', () => {
  const blocks = 'desk\noak desk\npine desk\n\nbed\noak bed\npine bed\n';
  expect(read(blocks, 'list.txt')).toMatchObject({ notes: ['group-lines'], texts: { length: 6 } });
  expect(read(blocks, 'list.txt', { fillsDown: true }).texts).toEqual(['oak desk', 'pine desk', 'oak bed', 'pine bed']);
});

test('lines of nothing but capitals may be keywords or headings, which is asked', () => {
  const lines = 'DESKS\noak desk\npine desk\nBEDS\noak bed\npine bed\n';
  expect(read(lines, 'list.txt')).toMatchObject({ notes: ['group-lines'], texts: { length: 6 } });
  expect(groupsOf(lines, { fillsDown: true }).groups[3]).toEqual(['pine bed', 'BEDS']);
});

test('what stands behind keywords of an outline, or of a list, is told', () => {
  expect(
    groupsOf('## Desks\n- oak desk (1,300)\n- pine desk (90)\n## Beds\n- oak bed (800)\n- ash bed (70)\n').notes,
  ).toEqual(['group-lines', 'unsplit']);
  expect(
    read('1. oak desk - made of oak\n2. pine desk - cheap\n3. ash desk - light\n', 'list.txt').reading.notes,
  ).toEqual([{ code: 'unsplit', sign: ' - ' }]);
});

test.each([
  ['in blocks', 'oak desk\npine desk\n\nash desk\nelm desk\n'],
  ['some of which begin with a blank', ' oak desk\npine desk\n ash desk\n elm desk\nfir desk\nyew desk\n'],
  ['below one heading', '## Desks\noak desk\npine desk\n'],
  ['with colons', 'css: center div\npython: for loop\njava: for loop\n'],
  ['with match types', 'oak desk\n+oak +desk\npine desk\n+pine +desk\n'],
])('lines %s are keywords', (_, text) => {
  const { notes, texts } = read(text, 'list.txt');
  expect(notes).not.toContain('group-lines');
  expect(texts.length).toBeGreaterThan(1);
});
