import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree, partOf } from '../../../test/support/tree.ts';
import type { Explorer } from './explorer.ts';
import { createExplorerStore } from './explorer-state.ts';
import { tableListOf } from './table-list.ts';
import { defaultUrlState } from './url-state.ts';

/** Of five children, the first one is loaded. A lookup of another one is answered when told, unless it is given up. */
function listOf() {
  const whole = sliceOf('shop (a b c d e)');
  const tree = loadTree(partOf(whole, [0, 1]));
  const answers = new Map<number, () => void>();
  const explorer = {
    tree,
    store: createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: true }),
    source: {
      node: ({ node }: { node: number }, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          answers.set(node, () => resolve({ path: [{ node: 0 }, { node }] }));
        }),
    },
    async loadPath(path: readonly number[]) {
      tree.merge(whole);
      return tree.rowOf(path.at(-1)!);
    },
    onStop: () => undefined,
  } as unknown as Explorer;
  return { load: tableListOf(explorer).loadNode, answers, tree };
}

test('the cursor that settles on a node does not give up the lookup for its menu', async () => {
  const { load, answers, tree } = listOf();
  const forMenu = load(3);
  const forCursor = load(3);
  answers.get(3)!();
  expect([await forMenu, await forCursor].map((row) => tree.name(row))).toEqual(['c', 'c']);
});

test('a lookup of another node gives up the one before, which can be asked for again', async () => {
  const { load, answers, tree } = listOf();
  const first = load(3);
  const second = load(4);
  await expect(first).rejects.toThrow(/abort/);
  const third = load(3);
  await expect(second).rejects.toThrow(/abort/);
  answers.get(3)!();
  expect(tree.name(await third)).toBe('c');
});
