import { readFilter } from '@kc/pack/filter/filter-text';
import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { filterPack } from '@kc/pack/levels/filter-pack';
import { decodeSlice, encodeSlice } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import { expect, test } from 'vitest';
import { isKnownAnywhere } from './figures.ts';
import { LoadedTree } from './loaded-tree.ts';

async function packOf(...children: readonly object[]) {
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(new TextEncoder().encode(JSON.stringify({ hierarchy: { name: 'shop', children } })));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return openPack(arraySource(sink.bytes()));
}

// Shows P15.14.
test('a filter neither adds nor removes a figure; only other content does', async () => {
  const pack = await packOf({ name: 'hose', volume: 5, intent: 'commercial' }, { name: 'spade', cpc: 1.5 });
  const tree = new LoadedTree();
  const known = () => (['volume', 'difficulty', 'cpc', 'intent'] as const).filter((key) => isKnownAnywhere(tree, key));
  expect(known()).toEqual([]);
  for (const filter of ['', 'has-spade', 'has-hose', '', 'has-spade']) {
    const of = filter ? await filterPack(pack, readFilter(filter)!) : pack;
    const next = new LoadedTree();
    next.merge(decodeSlice(encodeSlice(await takeSlice(of, { node: 0, budget: 10, skip: 0, filter }))));
    tree.become(next);
    expect([filter, known()]).toEqual([filter, ['volume', 'cpc', 'intent']]);
  }
  const other = new LoadedTree();
  other.merge(await takeSlice(await packOf({ name: 'rake', kd: 0 }), { node: 0, budget: 10, skip: 0 }));
  tree.become(other);
  expect(known()).toEqual(['difficulty']);
});
