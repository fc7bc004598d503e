import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { levelRows } from '@kc/pack/levels/level-rows';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../pack/test/support/sampled.ts';
import { loadTree } from '../../../test/support/tree.ts';
import { clustersIn } from './status-line.tsx';

type Node = { readonly type: string; readonly children: readonly Node[] };

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    type: fc.constantFrom('pillar_topic', 'cluster', 'Cluster', 'subtopic', 'stray', 'group'),
    children: fc.array(
      fc.oneof({ depthSize: 'small' }, fc.constant<Node>({ type: 'keyword', children: [] }), tie('node')),
      {
        maxLength: 3,
      },
    ),
  }),
}));

/** A file with a name for each node. What has no children is a keyword. */
function named({ type, children }: Node, names = { next: 0 }): object {
  const name = `n${names.next++}`;
  if (children.length === 0) return { name, type: 'keyword' };
  return { name, type, children: children.map((child) => named(child, names)) };
}

// Shows P15.16.
test('the status line counts the clusters that the list of clusters has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 4 }), async (children) => {
      const reading = createIngest({ hashKey: [1, 2] });
      reading.push(new TextEncoder().encode(JSON.stringify({ hierarchy: named({ type: 'root', children }) })));
      const result = reading.finish();
      if (!result.ok) throw new Error(result.problem.what);
      const sink = arraySink();
      await writePack(result.tree, '00'.repeat(32), sink);
      const pack = await openPack(arraySource(sink.bytes()));
      const tree = loadTree(await takeSlice(pack, { node: 0, budget: 10_000, skip: 0 }));
      const hasType = tree.types.some((type) => type.toLowerCase() === 'cluster');
      for (let row = 0; row < tree.size; row++) {
        const listed = await levelRows(pack, 'clusters', tree.node[row]!);
        expect([row, clustersIn(tree, row)]).toEqual([row, hasType ? listed.length : 0]);
      }
    }),
    { numRuns: sampled(100), seed: 21 },
  );
});
