import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { createIngest } from '../ingest.ts';
import { checkPack } from '../write/pack-check.ts';
import { writePack } from '../write/pack-writer.ts';
import { movedKeywords } from './moved-nodes.ts';
import { addressOf } from './node-paths.ts';

async function packOf(hierarchy: object) {
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(new TextEncoder().encode(JSON.stringify({ hierarchy })));
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return checkPack(arraySource(sink.bytes()));
}
const at = (...names: (string | readonly [string, number])[]) =>
  addressOf(
    'root',
    names.map((name) => (typeof name === 'string' ? ([name, 0] as const) : name)),
  );

test('the wanted keywords of moved branches are found by where they would have been', async () => {
  const branch = (name: string, ...children: (string | object)[]) => ({ name, children });
  const pack = await packOf(
    branch('root', branch('new', branch('café', 'x', 'y'), 'café', 'a', 'b'), branch('other', 'c', 'a')),
  );
  const moves = [
    [at('old'), at('new')],
    [at('past'), at('other')],
    [at('nowhere'), at('missing')],
  ] as const;
  const wanted = new Set([at('old', 'a'), at('old', ['café', 1]), at('past', 'c'), at('old', 'c'), at('old', 'café')]);
  expect(await movedKeywords(pack, moves, wanted)).toEqual([
    [at('old', ['café', 1]), at('new', ['café', 1])],
    [at('old', 'a'), at('new', 'a')],
    [at('past', 'c'), at('other', 'c')],
  ]);
  expect(await movedKeywords(pack, moves, new Set())).toEqual([]);
});

test('keywords are found below a branch that stands behind a keyword in the pack', async () => {
  const pack = await packOf({
    name: 'root',
    children: [
      { name: 'heavy', volume: 1000 },
      { name: 'new', children: ['a', 'b'] },
    ],
  });
  expect(await movedKeywords(pack, [[at('old'), at('new')]], new Set([at('old', 'a')]))).toEqual([
    [at('old', 'a'), at('new', 'a')],
  ]);
});
