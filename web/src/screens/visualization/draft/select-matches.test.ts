import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import type { SearchHit } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { ticksOf } from './select-matches.ts';

const keyword = (name: string) => ({ name, type: 'keyword' });
const map = {
  hierarchy: {
    name: 'garden',
    type: 'root',
    children: [
      {
        name: 'hoses',
        type: 'cluster',
        // A subtopic and a keyword of one name, and a name that is not in normal form.
        children: [
          { name: 'red hose', type: 'subtopic', children: [keyword('red hose')] },
          keyword('red hose'),
          keyword('cafe\u0301'),
        ],
      },
    ],
  },
};

test('hits have the addresses of their nodes in the pack', async () => {
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(new TextEncoder().encode(JSON.stringify(map)));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await openPack(arraySource(sink.bytes()));
  const slice = await takeSlice(pack, { node: 0, skip: 0, depth: 9, budget: 100, filter: '' } as never);
  const text = (row: number) =>
    new TextDecoder().decode(slice.names.subarray(slice.nameStart[row]!, slice.nameStart[row + 1]!));
  const path = (row: number): { node: number; name: string }[] =>
    row === 0
      ? []
      : [...path(slice.parent[row]!), { node: slice.node[slice.parent[row]!]!, name: text(slice.parent[row]!) }];
  const rows = Array.from({ length: slice.rows }, (_, row) => row);
  const hits: SearchHit[] = rows.map((row) => ({
    node: slice.node[row]!,
    name: text(row),
    type: slice.types[slice.type[row]!]!,
    keywords: slice.keywords[row]!,
    path: path(row),
  }));
  const hex = (row: number) =>
    [0, 1].map((half) => slice.address[2 * row + half]!.toString(16).padStart(8, '0')).join('');
  // The root cannot be selected.
  expect(ticksOf(hits).map(({ address }) => address)).toEqual(rows.slice(1).map(hex));
  expect(new Set(rows.map(hex)).size).toBe(rows.length);
});
