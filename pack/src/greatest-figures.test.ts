import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../test/support/trees.ts';
import { describeNode } from './detail/node-detail.ts';
import { createIngest } from './ingest.ts';
import { takeSlice } from './slice/take-slice.ts';
import { checkPack } from './write/pack-check.ts';
import { writePack } from './write/pack-writer.ts';

const greatest = 2 ** 53;

/** Every number in a value, with its path. */
function numbersIn(value: unknown, path = ''): (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (ArrayBuffer.isView(value)) return numbersIn(Array.from(value as unknown as ArrayLike<number>), path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => numbersIn(inner, `${path}.${name}`));
}

test('the largest allowed figures add up to finite sums and means for every node', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `k${index}`);
  const figures = { volume: greatest, kd: 100, cpc: greatest, competition: 1, position: greatest, clicks: greatest };
  const months = {
    monthly_searches: Array.from({ length: 12 }, (_, month) => ({
      year: 2026,
      month: month + 1,
      search_volume: greatest,
    })),
  };
  const file = {
    keywords: names.map((keyword) => ({ keyword, ...figures, ...months, CTR: greatest, impressions: greatest })),
    hierarchy: {
      name: 'root',
      children: [0, 1].map((half) => ({
        name: `b${half}`,
        children: names.slice(200 * half).map((name) => ({ name })),
      })),
    },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(bytes);
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await checkPack(arraySource(sink.bytes()));
  for (const node of [0, 1, 2, 3]) {
    const { original, ...detail } = await describeNode(pack, node, arraySource(bytes));
    expect(original).toBeDefined();
    expect(numbersIn(detail).filter(([, value]) => !Number.isFinite(value))).toEqual([]);
  }
  const root = await describeNode(pack, 0, arraySource(bytes));
  expect(root.volume).toMatchObject({ value: 400 * greatest, known: 400 });
  const slice = await takeSlice(pack, { node: 0, budget: 1000, skip: 0 });
  expect(slice.volume.every(Number.isFinite)).toBe(true);
});
