// Shows SEC-35.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

let shown: ShownFile;

beforeAll(async () => {
  shown = await showFile({
    keywords: [{ keyword: 'trail sandals' }],
    hierarchy: { name: 'r', children: [{ name: 'trail shoes' }, { name: 'road shoes' }, { name: 'sandals' }] },
  });
});
afterAll(() => shown.stop());

test('words match in any order by default, and an invalid pattern is refused with its position', async () => {
  const total = async (path: string) => ((await (await shown.get(path)).json()) as { total: number }).total;
  const [ordered, turned] = ['trail shoes', 'shoes trail'].map(encodeURIComponent);
  const all = await total(`search?q=${ordered}`);
  expect(all).toBeGreaterThan(0);
  expect(await total(`search?q=${turned}`)).toBe(all);
  expect(await total(`search?q=${turned}&match=phrase`)).toBe(0);
  expect(await total(`search?q=${turned}&match=any`)).toBeGreaterThan(all);
  expect(await total(`search?q=${encodeURIComponent('^trail.*s$')}&match=regex`)).toBeGreaterThan(0);
  for (const path of [
    'search?match=regex&q=',
    'not-in-hierarchy?match=regex&q=',
    'slice?filter=regex-',
    'nodes/0?filter=notregex-',
    'export.csv?filter=regex-',
  ]) {
    const answer = await shown.get(`${path}${encodeURIComponent('shoes(?=x)')}`);
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      422,
      expect.objectContaining({
        data: { code: 'visualization/pattern-invalid', params: { at: 6, reason: 'unsupported' } },
      }),
    ]);
  }
});

test('a pattern that stands for too many instructions is refused as the others are', async () => {
  const hostile = encodeURIComponent(`(?:${'abcdefghij'.repeat(17)}){1000}`);
  for (const path of ['search?match=regex&q=', 'not-in-hierarchy?match=regex&q=', 'slice?filter=regex-']) {
    const answer = await shown.get(`${path}${hostile}`);
    expect([answer.status, await answer.json()]).toEqual([
      422,
      expect.objectContaining({
        data: { code: 'visualization/pattern-invalid', params: { at: 174, reason: 'too-large' } },
      }),
    ]);
  }
});
