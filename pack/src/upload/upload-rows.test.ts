import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { randomCuts, randomFrom } from '../../test/support/documents.ts';
import { FieldColumns } from './field-columns.ts';
import { simdLoop } from './json-loop-simd.ts';
import type { UploadLoop } from './name-loop.ts';
import { createUploadReader } from './upload-reader.ts';
import { type EntryColumns, metricNames } from './upload-tables.ts';

const loop = simdLoop(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url)))!;

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const texts = [
  '',
  'shoe',
  'red shoe',
  'a\\"b',
  'café',
  'x\\u0041',
  'a name of more than sixteen bytes, or of more than 32',
];
const intents = ['informational', 'I,C', 'navigational, commercial', 'none', '\\u0049', ''];
/** Mostly texts. */
function labels(random: () => number): string {
  const others = ['7', 'null', '"\\u0041"', '["a"]'];
  const one = () => (random() < 0.9 ? `"${pick(random, ['Video', 'AI', ''])}"` : pick(random, others));
  return Array.from({ length: Math.floor(4 * random()) }, one).join();
}

/** Mostly whole years, mostly of numbers. */
function months(random: () => number): string {
  const count = pick(random, [12, 12, 12, 13, 40, 3, 0]);
  const others = ['null', '-1', '1e400', '"3"', 'true', '{"year":2025,"month":5,"search_volume":7}', '[1]'];
  const isPlain = random() < 0.6;
  const one = () => (isPlain || random() < 0.9 ? String(Math.floor(random() * 100)) : pick(random, others));
  return Array.from({ length: count }, one).join();
}
// Every kind of member, with plain and other values.
const members: readonly ((random: () => number) => string)[] = [
  (random) => `"keyword":"${pick(random, texts)}"`,
  (random) => `"keyword":${pick(random, ['7', 'null', '1e999'])}`,
  (random) => `"query":"${pick(random, texts)}"`,
  (random) =>
    `"search_volume":${pick(random, ['0', '-1', '-0', '1300', '12345678901', 'null', '"1,300"', '1e3', '[1]'])}`,
  (random) => `"volume":${pick(random, ['5', 'null'])}`,
  (random) => `"keyword_difficulty":${pick(random, ['0', '33.33', '100', '100.5', '"45%"', 'true'])}`,
  (random) => `"cpc":${pick(random, ['0.1', '12.34', '-0.5', 'null'])}`,
  (random) => `"low_top_of_page_bid":${pick(random, ['1', '2.5'])}`,
  (random) => `"competition":${pick(random, ['0', '0.45', '1', '45', '101', '"LOW"', '-1'])}`,
  (random) => `"competition_index":${pick(random, ['45', '120'])}`,
  (random) => `"position":${pick(random, ['0', '1', '3.5'])}`,
  (random) =>
    `"intent":${pick(random, ['1', '0', 'null', `"${pick(random, intents)}"`, `["${pick(random, intents)}","I"]`])}`,
  (random) =>
    `"intent":${pick(random, ['[]', '[0,1]', '[null]', '[["I"]]', '["I",{"a":1}]', '{"I":true,"Commercial":1}'])}`,
  (random) => `"commercial":${pick(random, ['true', 'false', '1', '"yes"', 'null'])}`,
  (random) => `"clicks":${pick(random, ['12', 'null', '"7"', 'true'])}`,
  (random) => `"${pick(random, ['cpc', 'position', 'clicks'])}":${random() < 0.02 ? '9e15' : '2'}`,
  (random) => `"volume":${random() < 0.02 ? pick(random, ['1e308', '-1e16', '1e999', '"99999999999999999"']) : '8'}`,
  (random) =>
    `"serp_features":${pick(random, ['["Video"]', '["Video","\\u0041d",null,[1],{"a":"b"}]', '[]', '"Video, Ad"'])}`,
  (random) => `"tags":${pick(random, ['["x","y"]', '"x"', '[7]'])}`,
  () => '"trend":[0.1,2,{"a":[null]}]',
  () => '"keyword_info":{"search_volume":9,"cpc":1.5}',
  (random) => `"${pick(random, ['serp_features', 'labels'])}":[${labels(random)}]`,
  (random) => `${pick(random, ['"trend"', '"Trend (06-2024-05-2025)"', '"monthly_searches"'])}:[${months(random)}]`,
];

function keyword(random: () => number): string {
  if (random() < 0.4) return `"${pick(random, texts)}"`;
  const count = Math.floor(random() * 5);
  return `{${Array.from({ length: count }, () => pick(random, members)(random)).join()}}`;
}

function node(random: () => number, depth: number): string {
  if (random() < 0.2) return `"${pick(random, texts)}"`;
  const name = `"name":"${pick(random, texts)}"`;
  const type = `"type":"${pick(random, ['keyword', 'cluster', '', 'odd\\n', 'a type of more than thirty-two bytes'])}"`;
  const rest = random() < 0.1 ? [pick(random, members.slice(3, 13))(random)] : [];
  if (random() < 0.1) rest.push(`"${pick(random, ['keyword', 'kw', 'Name'])}":${pick(random, ['"x"', '""', '7'])}`);
  if (depth > 0 && random() < 0.05) rest.push('"keywords":[{"kw":"x","volume":3},"y"]');
  if (depth > 0 && random() < 0.3) rest.push(`"children":${random() < 0.1 ? 'null' : nodes(random, depth - 1)}`);
  const parts = random() < 0.6 ? [name, type, ...rest] : random() < 0.5 ? [name, ...rest] : [...rest, type, name];
  return `{${parts.join(random() < 0.2 ? ' ,\n' : ',')}}`;
}

function nodes(random: () => number, depth: number): string {
  const plain = random() < 0.5 ? '{"name":"leaf","type":"keyword"}' : '{"name":"leaf"}';
  const one = () => (random() < 0.5 ? plain : node(random, depth));
  return `[${Array.from({ length: Math.floor(random() * 40) }, one).join()}]`;
}

function upload(random: () => number): Uint8Array {
  const year = random() < 0.5 ? `,"trend":[${Array.from({ length: 12 }, (_, month) => month / 10).join()}]` : '';
  const plain = `{"keyword":"shoe","search_volume":10,"intent":["informational"],"cpc":1.5,"labels":["new","AI"]${year}}`;
  const one = () => (random() < 0.5 ? plain : keyword(random));
  const keywords = `"keywords":[${Array.from({ length: Math.floor(random() * 120) }, one).join()}]`;
  const hierarchy = `"hierarchy":{"name":"root","children":${nodes(random, 3)}}`;
  return new TextEncoder().encode(`{${(random() < 0.5 ? [keywords, hierarchy] : [hierarchy, keywords]).join()}}`);
}

/** The result of the reader for a file, independent of where names are stored. */
function read(bytes: Uint8Array, cuts: readonly number[], by: UploadLoop | undefined, maxNodes: number | undefined) {
  const fields = new FieldColumns();
  const reader = createUploadReader({ loop: by, extras: fields.extras, ...(maxNodes && { maxNodes }) });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    reader.push(bytes.slice(from, cut));
    from = cut;
  }
  const result = reader.finish();
  if (!result.ok) return result.problem;
  const { nodes, keywords, types } = result.tables;
  const columns = { nodes: shown(nodes), keywords: shown(keywords), parent: nodes.parent, type: nodes.type, types };
  const trend = fields.trends.finish();
  const year = new Float64Array(12);
  const years = Array.from({ length: keywords.rows }, (_, row) => trend?.keywords(row, year) && [...year]);
  const { newest, unit } = trend ?? {};
  return { ...columns, fields: fields.finish(nodes.rows, keywords.rows), trend: { newest, unit, years } };
}

function shown({ rows, names, nameStart, nameLength, byteStart, byteEnd, metrics }: EntryColumns) {
  const nameOf = (row: number) =>
    new TextDecoder().decode(names.subarray(nameStart[row]!, nameStart[row]! + nameLength[row]!));
  return {
    ...{ rows, byteStart, byteEnd, nameLength, names: Array.from({ length: rows }, (_, row) => nameOf(row)) },
    metrics: metricNames.map((name) => metrics[name]),
  };
}

test('runs of plain entries become the same rows as single entries, however files are split', () => {
  let rowsInRuns = 0;
  const counting: UploadLoop = {
    ...loop,
    rows: new Proxy(loop.rows!, {
      get(rows, name) {
        if (name === 'rows') rowsInRuns += rows.rows;
        const value = Reflect.get(rows, name, rows);
        return typeof value === 'function' ? value.bind(rows) : value;
      },
    }),
  };
  let whole = 0;
  for (let seed = 1; seed <= 120; seed++) {
    const random = randomFrom(seed);
    const bytes = upload(random);
    const cuts = random() < 0.5 ? [] : randomCuts(bytes.length, random);
    const maxNodes = random() < 0.1 ? 60 : undefined;
    const expected = read(bytes, cuts, undefined, maxNodes);
    expect({ seed, ...read(bytes, cuts, counting, maxNodes) }).toEqual({ seed, ...expected });
    if ('nodes' in expected) whole++;
  }
  // Most files are read to the end, with many rows filled in runs.
  expect(whole).toBeGreaterThan(60);
  expect(rowsInRuns).toBeGreaterThan(2000);
});

test('entries cut by the end of a block or a tape are read again, with the same result as byte by byte', () => {
  let left = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const random = randomFrom(seed);
    const between = pick(random, [',', ',\n', ',\n\n    ']);
    // Plain entries in long or short runs; few entries per tape, or many.
    const share = pick(random, [1, 0.99, 0.7]);
    const tail = 'x'.repeat(pick(random, [0, 0, 300, 9000]));
    const one = (row: number) =>
      `{"keyword":"k${row}${tail}",${between.slice(1)}"volume":${row},"cpc":0.25,"trend":[1,2]}`;
    const leaf = (row: number) => `{"name":"k${row}"${between}"type":"keyword"}`;
    const entries = Array.from({ length: tail === '' ? 4000 : 40 }, (_, row) =>
      random() < share ? one(row) : keyword(random),
    );
    const nested = Array.from({ length: 3000 }, (_, row) => (random() < share ? leaf(row) : node(random, 2)));
    const text = `{"keywords":[${entries.join(between)}],"hierarchy":{"name":"root","children":[${nested.join(between)}]}}`;
    const bytes = new TextEncoder().encode(text);
    if (random() < 0.5) bytes[Math.floor(bytes.length * (0.3 + 0.7 * random()))] = 0x01;
    const few = Array.from({ length: Math.ceil(bytes.length / 5000) }, (_, index) => index * 5000);
    const expected = read(bytes, few, undefined, undefined);
    const counting: UploadLoop = {
      ...loop,
      rows: new Proxy(loop.rows!, {
        get(rows, name) {
          if (name === 'isCut' && rows.isCut) left++;
          const value = Reflect.get(rows, name, rows);
          return typeof value === 'function' ? value.bind(rows) : value;
        },
      }),
    };
    expect({ seed, ...read(bytes, [], counting, undefined) }).toEqual({ seed, ...expected });
    expect({ seed, ...read(bytes, [70_000, 140_001], counting, undefined) }).toEqual({ seed, ...expected });
    expect({ seed, ...read(bytes, [], undefined, undefined) }).toEqual({ seed, ...expected });
  }
  expect(left).toBeGreaterThan(100);
});

test('rows of runs can span blocks of rows and of names', () => {
  const entries = Array.from({ length: 70_000 }, (_, row) =>
    row % 3 === 0 ? `"name ${row}"` : `{"keyword":"name ${row}","volume":${row}}`,
  );
  const children = Array.from({ length: 70_000 }, (_, row) => `{"name":"name ${row}","type":"keyword"}`);
  const text = `{"keywords":[${entries.join()}],"hierarchy":{"name":"root","children":[${children.join()}]}}`;
  const bytes = new TextEncoder().encode(text);
  const cuts = [1_000_000, 1_000_001, 1_500_000];
  expect(read(bytes, cuts, loop, undefined)).toEqual(read(bytes, cuts, undefined, undefined));
});

test.each([
  ['few', 12, '', true],
  ['spelled in two ways', 8, 'twice', true],
  ['more than are cached', 20, '', false],
  ['more than half a set can have', 40, '', false],
  ['more than a set can have', 70, '', false],
  ['longer than are cached', 12, ' of more than thirty-two bytes', false],
  ['longer than a value can be', 12, ' and so on'.repeat(30), false],
] as const)('lists of texts become the same sets, %s', (_, count, tail, areRemembered) => {
  const random = randomFrom(count);
  const label = (number: number) =>
    tail === 'twice' && random() < 0.5 ? `label ${number}`.toUpperCase() : `label ${number}${tail}`;
  const list = () =>
    JSON.stringify(Array.from({ length: Math.floor(5 * random()) }, () => label(Math.floor(count * random() ** 2))));
  const entries = Array.from(
    { length: 3000 },
    (_, row) => `{"keyword":"k${row}","serp_features":${list()}${row % 9 === 0 ? `,"labels":${list()}` : ''}}`,
  );
  const text = `{"keywords":[${entries.join()}],"hierarchy":{"name":"root"}}`;
  const bytes = new TextEncoder().encode(text);
  const cuts = [50_000, 50_001];
  expect(read(bytes, cuts, loop, undefined)).toEqual(read(bytes, cuts, undefined, undefined));
  expect(loop.rows!.membersCode > 0).toBe(areRemembered);
});
