import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

const keywords = [
  { keyword: 'trail', volume: 300, cpc: 0.5, Stage: 'Buy' },
  { keyword: 'road', volume: 200, Stage: 'Learn' },
  { keyword: 'spikes', volume: 100, cpc: 2 },
  { keyword: 'sandals', cpc: 1, Stage: 'Ask' },
];
let shown: ShownFile;

beforeAll(async () => {
  const children = keywords.map(({ keyword }) => ({ name: keyword }));
  shown = await showFile({ keywords, hierarchy: { name: 'shop', children } });
});
afterAll(() => shown.stop());

async function ranked(asked: string): Promise<Set<string>> {
  const answer = await shown.get(`slice?node=0&${asked}`);
  expect(answer.status).toBe(200);
  const { names, nameStart, rows } = decodeSlice(new Uint8Array(await answer.arrayBuffer()));
  const name = (row: number) => new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1]));
  return new Set(Array.from({ length: rows - 1 }, (_, row) => name(row + 1)));
}

// Shows P15.9.
test('children can be requested in another order, by figures, names and fields of the file', async () => {
  expect(await ranked('budget=3&by=cpc&descending=1')).toEqual(new Set(['spikes', 'sandals']));
  expect(await ranked('budget=3&by=cpc')).toEqual(new Set(['trail', 'sandals']));
  expect(await ranked('budget=2&by=name')).toEqual(new Set(['road']));
  expect(await ranked('budget=3&by=field:Stage')).toEqual(new Set(['sandals', 'trail']));
});

test('a page continues after the last child of the previous one, and has its own URL', async () => {
  const first = decodeSlice(
    new Uint8Array(await (await shown.get('slice?node=0&budget=2&by=cpc&descending=1')).arrayBuffer()),
  );
  expect(await ranked(`budget=2&by=cpc&descending=1&after=${first.node[1]}`)).toEqual(new Set(['sandals']));
  const tags = ['', '&by=cpc', '&by=cpc&descending=1', '&by=cpc&after=1'].map(async (order) =>
    (await shown.get(`slice?node=0&budget=2${order}`)).headers.get('etag'),
  );
  expect(new Set(await Promise.all(tags)).size).toBe(4);
});

test('under a filter children are ranked by their kept figures', async () => {
  expect(await ranked('budget=2&by=cpc&descending=1&filter=volume-150_')).toEqual(new Set(['trail']));
});

test('an invalid order is refused', async () => {
  for (const asked of [
    'by=width',
    'by=field:none',
    'by=cpc&rest=1',
    'by=cpc&after=x',
    'by=cpc&by=name',
    'by=cpc&budget=20000',
  ]) {
    const answer = await shown.get(`slice?node=0&${asked}`);
    expect([answer.status, ((await answer.json()) as { data: { code: string } }).data.code]).toEqual([
      422,
      'visualization/query-invalid',
    ]);
  }
});
