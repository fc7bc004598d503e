import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { describeNode } from '../detail/node-detail.ts';
import { readFilter } from '../filter/filter-text.ts';
import { openPack } from '../format/pack-reader.ts';
import { createIngest } from '../ingest.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { writePack } from '../write/pack-writer.ts';

const year = (from: number) => Array.from({ length: 12 }, (_, month) => from + month);

test('the trend of a branch covers the keywords that a filter keeps, duplicates counted once', async () => {
  const keyword = (name: string, volume: number, from: number) => ({ keyword: name, volume, trend: year(from) });
  const file = {
    keywords: [keyword('a', 1, 200), keyword('b', 2, 300), keyword('c', 3, 400), { keyword: 'd', volume: 3 }],
    hierarchy: {
      name: 'root',
      children: [
        { name: 'one', type: 'cluster', children: [{ name: 'a' }, { name: 'c' }] },
        { name: 'two', type: 'cluster', children: [{ name: 'b' }, { name: 'c' }, { name: 'd' }] },
      ],
    },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(bytes);
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await openPack(arraySource(sink.bytes()));
  const trendUnder = async (filter: string, node = 0) =>
    (await describeNode(await filterPack(pack, readFilter(filter)!), node, arraySource(bytes))).trend;

  expect(await trendUnder('')).toEqual((await describeNode(pack, 0, arraySource(bytes))).trend);
  expect(await trendUnder('volume-2_')).toEqual({
    months: year(300).map((searches, month) => searches + 400 + month),
    unit: 'searches',
    known: 2,
  });
  expect(await trendUnder('has-a')).toMatchObject({ months: year(200), known: 1 });
  expect(await trendUnder('has-d')).toBeUndefined();
});
