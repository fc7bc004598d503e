import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FieldColumns } from './field-columns.ts';
import { type FieldMap, mappedMeanings, namesBy } from './field-map.ts';
import { simdLoop } from './json-loop-simd.ts';
import type { UploadLoop } from './name-loop.ts';
import { createUploadReader } from './upload-reader.ts';

/** What a file holds: the metrics of its keywords and nodes, and its fields with their values. */
function read(file: unknown, fieldMap?: FieldMap, loop?: UploadLoop) {
  const columns = new FieldColumns();
  const reader = createUploadReader({ extras: columns.extras, fieldMap, loop });
  reader.push(new TextEncoder().encode(JSON.stringify(file)));
  const result = reader.finish();
  if (!result.ok) expect.fail(result.problem.what);
  const { nodes, keywords } = result.tables;
  const { fields } = columns.finish(nodes.rows, keywords.rows);
  return {
    nodes: nodes.metrics,
    keywords: keywords.metrics,
    fields: fields.map((field) => ({ ...field, name: field.name.toLowerCase() })),
  };
}

const fileOf = (names: readonly [volume: string, difficulty: string, clicks: string, kept: string]) => {
  const entry = (keyword: string, values: readonly (number | string)[]) =>
    Object.fromEntries([['keyword', keyword], ...names.map((name, at) => [name, values[at]])]);
  return {
    keywords: [entry('a', [10, 20, 3, 1]), entry('b', ['1,300', '', 0, 2]), { keyword: 'c' }],
    hierarchy: { name: 'r', children: [{ ...entry('a', [10, 20, 3, 1]), name: 'a' }, { name: 'b' }] },
  };
};
const standard = ['search_volume', 'keyword_difficulty', 'clicks', 'shelf'] as const;

test('members with any names are read like those with standard names', () => {
  const map = { 'My SV': 'volume', hard: 'difficulty', hits: 'clicks' } as const;
  const file = fileOf(['my_sv', 'Hard', 'hits', 'shelf']);
  expect(read(file, map)).toEqual(read(fileOf(standard)));
  const loop = simdLoop(new Uint8Array(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url))));
  if (!loop) expect.fail('No WebAssembly with SIMD here');
  expect(read(file, map, loop)).toEqual(read(fileOf(standard)));
});

test('a member that lost its meaning to another one is kept as a field of the file', () => {
  const plain = read(fileOf(standard));
  const swapped = read(fileOf(standard), { shelf: 'volume' });
  expect([...swapped.keywords.volume!]).toEqual([1, 2, Number.NaN]);
  expect(swapped.fields.map(({ name }) => name)).toEqual(['search_volume as it is', 'clicks']);
  expect(plain.fields.map(({ name }) => name)).toEqual(['clicks', 'shelf']);
});

test('click rates of at most 1 are shares unless somebody says that they are percentages', () => {
  const rated = {
    keywords: [
      { keyword: 'a', ctr: 0.5 },
      { keyword: 'b', ctr: 1 },
    ],
    hierarchy: { name: 'r' },
  };
  const ratesOf = (map?: FieldMap, keywords: object[] = rated.keywords) =>
    read({ ...rated, keywords }, map).fields.map((field) => field.kind === 'number' && [...field.keywords!]);
  expect(ratesOf()).toEqual([[0.5, 1]]);
  expect(ratesOf({ ctr: 'ctrPercent' })).toEqual([[0.005, 0.01]]);
  // As before, so that saved filters and the uploads of other months find it.
  expect(read(rated, { ctr: 'ctrPercent' }).fields.map(({ name }) => name)).toEqual(['ctr']);
  const both = { keywords: [{ keyword: 'a', ctr: 0.5, rate: 0.7 }], hierarchy: { name: 'r' } };
  expect(read(both, { rate: 'ctrPercent' }).fields.map(({ name }) => name)).toEqual(['ctr', 'ctr (in percent)']);
  // A number above 1 tells in any case.
  expect(ratesOf(undefined, [...rated.keywords, { keyword: 'c', ctr: 3 }])).toEqual([[0.005, 0.01, 0.03]]);
});

test('a member can be kept as it is, or left out', () => {
  const kept = read(fileOf(standard), { search_volume: 'keep' });
  expect([kept.keywords.volume, kept.fields.map(({ name }) => name)]).toEqual([
    undefined,
    ['search_volume as it is', 'clicks', 'shelf'],
  ]);
  const without = read(fileOf(standard), { search_volume: 'leaveOut', clicks: 'leaveOut' });
  expect([without.keywords.volume, without.fields.map(({ name }) => name)]).toEqual([undefined, ['shelf']]);
});

test('a map that states the meaning that names have, and an empty one, change nothing', () => {
  const plain = read(fileOf(standard));
  expect(read(fileOf(standard), {})).toEqual(plain);
  expect(read(fileOf(standard), { 'Search Volume': 'volume', clicks: 'clicks', shelf: 'keep' })).toEqual(plain);
});

test('what places an entry cannot be given another meaning', () => {
  const nameOf = namesBy({
    name: 'volume',
    children: 'leaveOut',
    keyword: 'leaveOut',
    type: 'keep',
    keyword_info: 'leaveOut',
  });
  const places = ['name', 'children', 'keyword', 'Top queries', 'type', 'keyword_info'];
  expect(places.map(nameOf)).toEqual(places);
});

test('a name that a member is kept under is the name of no field', () => {
  for (const meaning of mappedMeanings) {
    const nameOf = namesBy({ x: meaning, search_volume: 'keep', Trend: 'keep', 'CPC (USD)': 'keep' });
    for (const name of ['search_volume', 'Trend', 'CPC (USD)']) expect(nameOf(name)).toBe(`${name} as it is`);
    expect(namesBy({})(`search_volume as it is`)).toBe('search_volume as it is');
  }
});
