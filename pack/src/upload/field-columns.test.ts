import { expect, test } from 'vitest';
import { FieldColumns } from './field-columns.ts';
import { createUploadReader } from './upload-reader.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The columns of a file with these entries in `keywords` and these members in the root. */
function columnsOf(entries: readonly Entry[], root: Entry = {}) {
  const columns = new FieldColumns();
  const reader = createUploadReader({ extras: columns.extras });
  reader.push(new TextEncoder().encode(JSON.stringify({ keywords: entries, hierarchy: { name: 'root', ...root } })));
  const result = reader.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return columns.finish(result.tables.nodes.rows, result.tables.keywords.rows);
}

const fieldsOf = (...file: Parameters<typeof columnsOf>) => columnsOf(...file).fields;

/** One field of entries that have no other members. */
const fieldOf = (name: string, values: readonly unknown[]) =>
  fieldsOf(values.map((value, index) => ({ keyword: `k${index}`, ...(value !== undefined && { [name]: value }) })))[0];

test('a member whose known values are numbers becomes a numeric column; missing values are unknown, not 0', () => {
  expect(fieldOf('Score', [0, undefined, '1,300', '', 'n/a', null, '12.5', -3])).toEqual({
    name: 'Score',
    kind: 'number',
    rollUp: 'mean',
    nodes: undefined,
    keywords: Float64Array.of(0, Number.NaN, 1300, Number.NaN, Number.NaN, Number.NaN, 12.5, -3),
  });
});

test('a member with few distinct texts becomes a category, in order of appearance', () => {
  expect(fieldOf('Country', ['us', 'gb', undefined, 'us', '-'])).toEqual({
    name: 'Country',
    kind: 'category',
    values: ['', 'us', 'gb'],
    nodes: undefined,
    keywords: Uint8Array.of(1, 2, 0, 1, 0),
  });
});

test('booleans are a category; numbers among texts are names', () => {
  expect(fieldOf('branded', [true, false])).toMatchObject({ values: ['', 'true', 'false'] });
  expect(fieldOf('tier', ['gold', 3, 'gold', '3'])).toMatchObject({
    values: ['', 'gold', '3'],
    keywords: Uint8Array.of(1, 2, 1, 2),
  });
});

test('one text among twenty numbers is unknown; one among nineteen makes them names', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  expect(fieldOf('score', [...numbers(19), 'high'])).toMatchObject({ kind: 'number' });
  expect(fieldOf('score', [...numbers(18), 'high'])).toMatchObject({ kind: 'category' });
});

test('255 distinct texts are a category; 256, or long texts, are not', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
  expect(fieldOf('label', texts(255))).toMatchObject({ kind: 'category' });
  expect(fieldOf('label', texts(256))).toBeUndefined();
  expect(fieldOf('label', ['x'.repeat(64)])).toBeDefined();
  expect(fieldOf('label', ['x'.repeat(65)])).toBeUndefined();
});

test('ranges, dates and versions are not numbers', () => {
  for (const text of ['2026-05', '1-2', '1 – 2', '3.5.1', '12 months']) {
    expect([text, fieldOf('when', [text])]).toMatchObject([text, { kind: 'category' }]);
  }
});

test('a number beyond double precision is unknown in a member that may be an identifier', () => {
  expect(fieldOf('score', [1, 2 ** 53, -1e308, 2])).toMatchObject({
    keywords: Float64Array.of(1, 2 ** 53, Number.NaN, 2),
  });
});

test('additive figures are summed, rates and scores are averaged', () => {
  const rollUpOf = (name: string) => {
    const field = fieldOf(name, [1, 2]);
    return field?.kind === 'number' ? field.rollUp : undefined;
  };
  expect(['Organic traffic', 'clicks', 'Impressions', 'Traffic Cost', 'monthlyVisits'].map(rollUpOf)).toEqual(
    Array(5).fill('sum'),
  );
  expect(['Traffic (%)', 'CTR', 'Priority', 'Previous position', 'avg_sessions'].map(rollUpOf)).toEqual(
    Array(5).fill('mean'),
  );
});

test.each([
  ['percent signs', ['45.61%', '0%', '0.5 %', '100%'], [0.4561, 0, 0.005, 1]],
  ['fractions', [0.034, 0, 1, '0.5'], [0.034, 0, 1, 0.5]],
  ['percents without a sign', [3.4, 0, 0.5, '100', 12], [0.034, 0, 0.005, 1, 0.12]],
  ['signs beside fractions', ['45.61%', 0.5, '0.5%'], [0.4561, 0.5, 0.005]],
  ['signs beside percents', ['45.61%', 50, 0.5], [0.4561, 0.5, 0.005]],
  ['what is no rate', [-0.1, '-3%', '120%', 0.5], [Number.NaN, Number.NaN, Number.NaN, 0.5]],
])('a click rate is from 0 to 1: %s', (_, values, rates) => {
  const field = fieldOf('CTR', values);
  expect(field).toMatchObject({ kind: 'number', rollUp: 'mean' });
  const column = field!.keywords as Float64Array;
  expect([...column].map((rate) => Math.round(rate * 1e6) / 1e6)).toEqual(rates);
});

test('click rates of nodes and of keywords share a scale', () => {
  const [field] = fieldsOf([{ keyword: 'a', CTR: 0.5 }], { CTR: 40 });
  expect(field).toMatchObject({ nodes: Float64Array.of(0.4), keywords: Float64Array.of(0.005) });
});

test('clicks and impressions show whether click rates are percentages', () => {
  const rates = (entries: readonly Entry[]) =>
    fieldsOf(entries.map((entry, at) => ({ keyword: `k${at}`, ...entry }))).find(({ name }) => name === 'CTR');
  const percentages = [
    { CTR: 0.5, clicks: 1, impressions: 200 },
    { CTR: 0.3, clicks: 3, impressions: 1000 },
    { CTR: 0.8 },
  ];
  expect(rates(percentages)).toMatchObject({ keywords: Float64Array.of(0.005, 0.003, 0.008) });
  const fractions = [{ CTR: 0.5, Clicks: 1, Impressions: 2 }, { CTR: 1.5, Clicks: 3, Impressions: 2 }, { CTR: 0.9 }];
  expect(rates(fractions)).toMatchObject({ keywords: Float64Array.of(0.5, Number.NaN, 0.9) });
});

test('click rates among words are shown as rates', () => {
  expect(fieldOf('CTR', ['low', '50%', 0.25])).toMatchObject({ kind: 'category', values: ['', 'low', '0.5', '0.25'] });
});

test('numeric names stay names', () => {
  expect(fieldOf('location_code', [2840, 2826])).toMatchObject({ kind: 'category', values: ['', '2840', '2826'] });
});

test('spellings of one name are one field of nodes and of keywords', () => {
  const [field, ...others] = fieldsOf([{ keyword: 'a', 'Funnel Stage': 'top' }], { funnel_stage: 'middle' });
  expect(others).toEqual([]);
  expect(field).toMatchObject({ values: ['', 'top', 'middle'], nodes: Uint8Array.of(2), keywords: Uint8Array.of(1) });
});

test('lists of URLs, notes and line numbers are not columns; the first two are reported', () => {
  const entry = {
    keyword: 'a',
    Competitors: 'https://a.example',
    '#': 1,
    notes: 'x',
    trend: '1,2',
    tags: [{ a: 'x' }],
  };
  expect(columnsOf([entry])).toEqual({
    fields: [],
    withheld: [
      { name: 'Competitors', why: 'prose' },
      { name: 'notes', why: 'prose' },
    ],
  });
});

test('SERP features are a set, however a file writes the list; spellings of a feature are merged', () => {
  const lists = [
    'Sitelinks, People also ask, Video',
    'people_also_ask|organic|Sitelinks',
    '["Video", "Reviews"]',
    ['People Also Ask', 'organic', 'Reviews'],
    'Video; Sitelinks',
    '',
    [],
    'organic',
    'n/a',
    null,
    undefined,
  ];
  const none = [0, 0];
  expect(fieldOf('SERP Features by Keyword', lists)).toEqual({
    name: 'SERP Features by Keyword',
    kind: 'set',
    values: ['', 'Sitelinks', 'People also ask', 'Video', 'Reviews'],
    nodes: undefined,
    keywords: Uint32Array.of(
      ...[0b0111, 0, 0b0011, 0, 0b1100, 0, 0b1010, 0, 0b0101, 0],
      ...[none, none, none, none, none, none].flat(),
    ),
  });
});

test('any member with arrays of texts is a set, a text beside arrays a set of one; commas alone are not enough', () => {
  expect(fieldOf('Tags', [['new', 'Old'], 'old', 7, ['new']])).toEqual({
    name: 'Tags',
    kind: 'set',
    values: ['', 'new', 'Old', 'old', '7'],
    nodes: undefined,
    keywords: Uint32Array.of(0b0011, 0, 0b0100, 0, 0b1000, 0, 0b0001, 0),
  });
  expect(fieldOf('Label', ['new, old', 'old'])).toMatchObject({ kind: 'category', values: ['', 'new, old', 'old'] });
  expect(columnsOf([{ keyword: 'a', codes: [2840, 1], places: [[['x']], { y: 'z' }] }])).toEqual({
    fields: [],
    withheld: [],
  });
});

test('a node can have its own list, and its 33rd to 64th members are in the second number', () => {
  const all = Array.from({ length: 64 }, (_, index) => `f${index}`);
  const [field] = fieldsOf([{ keyword: 'a', parts: all }], { parts: ['f0', 'f32', 'f63'] });
  expect(field).toMatchObject({
    values: ['', ...all],
    nodes: Uint32Array.of(1, 2 ** 31 + 1),
    keywords: Uint32Array.of(2 ** 32 - 1, 2 ** 32 - 1),
  });
});

test('members without a column are listed with a reason', () => {
  const rows = Array.from({ length: 300 }, (_, row) => ({
    keyword: `k${row}`,
    Landing: `/page-${row}`,
    Title: 'x'.repeat(65),
    related: [`r${row % 65}`],
    Stage: 'top',
  }));
  expect(columnsOf(rows)).toMatchObject({
    fields: [{ name: 'Stage' }],
    withheld: [
      { name: 'Landing', why: 'values' },
      { name: 'Title', why: 'long' },
      { name: 'related', why: 'members' },
    ],
  });
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, member) => [`m${member}`, member]));
  const { fields, withheld } = columnsOf([{ keyword: 'a', ...many }]);
  expect(fields).toHaveLength(16);
  // Sixteen of these were read as well; of the rest, the first 32 names are reported.
  expect(withheld).toEqual(Array.from({ length: 48 }, (_, index) => ({ name: `m${index + 16}`, why: 'more' })));
});

test('of many members the sixteen most frequently known become columns, in that order', () => {
  const entries = Array.from({ length: 30 }, (_, row) => ({
    keyword: `k${row}`,
    ...Object.fromEntries(Array.from({ length: row + 1 }, (_, member) => [`m${29 - member}`, member])),
  }));
  expect(fieldsOf(entries).map((field) => field.name)).toEqual(
    Array.from({ length: 16 }, (_, index) => `m${29 - index}`),
  );
});

test('a member known from common tools becomes a column, however rarely it is known', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, member) => [`m${member}`, member]));
  const entries = [
    { keyword: 'a', ...many },
    { keyword: 'b', ...many, 'SERP Features': 'Video' },
  ];
  const { fields, withheld } = columnsOf(entries);
  expect(fields.map((field) => field.name)).toEqual([...Object.keys(many).slice(0, 15), 'SERP Features']);
  expect(withheld.map((field) => field.name)).toEqual(Object.keys(many).slice(15));
});

test('any number of members costs no more than the first 32', () => {
  const columns = new FieldColumns();
  const numbers = Array.from({ length: 1000 }, (_, index) => columns.extras.keywords!.field(`m${index}`));
  expect(numbers.filter((number) => number >= 0)).toHaveLength(32);
  for (let row = 0; row < 1000; row++) if (numbers[row]! >= 0) columns.extras.keywords!.number(numbers[row]!, row, 1);
  expect(columns.bytes).toBe(32 * 4096 * 8);
});

test('sparse rows take only the memory of their blocks, and are read back where they were written', () => {
  const columns = new FieldColumns();
  const { keywords } = columns.extras;
  const field = keywords!.field('score');
  keywords!.number(field, 5, 1.5);
  keywords!.number(field, 99_999, 2.5);
  expect(columns.bytes).toBe(2 * 4096 * 8);
  const [found] = columns.finish(1, 100_000).fields;
  const known = [...(found!.keywords as Float64Array).entries()].filter(([, value]) => !Number.isNaN(value));
  expect(known).toEqual([
    [5, 1.5],
    [99_999, 2.5],
  ]);
});
