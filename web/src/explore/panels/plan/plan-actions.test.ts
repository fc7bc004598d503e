import { sliceOf } from '@kc/pack/test/support/trees';
import { emptyFields } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { expect, test } from 'vitest';
import { writesBy } from '../../../../test/support/source.ts';
import { loadTree } from '../../../../test/support/tree.ts';
import type { Explorer } from '../../model/explorer.ts';
import { createExplorerStore } from '../../model/explorer-state.ts';
import { planOf } from '../../model/plan.ts';
import type { PlanWrite } from '../../model/plan-state.ts';
import { defaultUrlState } from '../../model/url-state.ts';
import { chosenRows, isPlanned, planByKey } from './plan-actions.ts';

/** An explorer whose server adds and removes what it is asked to. @param planned rows that are in the plan */
async function planning({ planned = [] as readonly number[], isLoaded = true } = {}) {
  const tree = loadTree(sliceOf('shop (a b c)'));
  const store = createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: false });
  const written: PlanWrite[] = [];
  const entries = new Map<string, PlanEntry>();
  const entryOf = (node: string): PlanEntry => ({
    ...emptyFields,
    id: `entry ${node}`,
    kind: 'branch',
    rev: 1,
    path: [tree.name([1, 2, 3].find((row) => tree.addressOf(row) === node)!)],
    node,
    keywords: 1,
    tags: [],
    marks: {},
    addedBy: 'ann',
    addedAt: 0,
  });
  const write = async (given: PlanWrite) => {
    written.push(given);
    const targets = given.kind === 'change' ? given.targets : [];
    for (const target of targets) {
      const entry = 'node' in target ? entryOf(target.node) : entries.get(target.entry)!;
      const set = given.kind === 'change' ? given.set : {};
      entries.set(entry.id, { ...entry, isPlanned: true, ...set } as PlanEntry);
    }
    return { revision: written.length, entries: [...entries.values()], conflicts: [], isFull: false, people: [] };
  };
  for (const row of planned) {
    const entry = { ...entryOf(tree.addressOf(row)), isPlanned: true };
    entries.set(entry.id, entry);
  }
  const read = async () => ({
    revision: 0,
    matching: 0,
    entries: [...entries.values()],
    more: false,
    people: [],
    you: 'ann',
    lead: 2,
  });
  const source = { plan: { read, ...writesBy(write) } };
  const explorer = { tree, store, source } as unknown as Explorer;
  const told: string[] = [];
  const actions: (() => void)[] = [];
  const press = async (what: 'toggle' | 'open' | 'edit') => {
    planByKey(explorer, what, (text, action) => {
      told.push(text);
      if (action) actions.push(action.onAction);
    });
    await new Promise((resolve) => setImmediate(resolve));
  };
  if (isLoaded) await planOf(explorer).load();
  return { explorer, store, written, told, actions, press };
}

test('a key adds the selected node, and removes it when it is in the plan, with a way back', async () => {
  const { explorer, store, written, told, actions, press } = await planning();
  store.setState({ selected: 1 });
  await press('toggle');
  expect(isPlanned(explorer, 1)).toBe(true);
  await press('toggle');
  expect(isPlanned(explorer, 1)).toBe(false);
  actions[0]!();
  expect(told).toEqual(['Added a to the plan.', 'Removed a from the plan.', 'Undone.']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written.at(-1)).toMatchObject({ kind: 'undo', undone: written[1]!.batch });
});

test('pressed before the plan is known, the key waits for it, and removes what is planned', async () => {
  const { store, written, told, press } = await planning({ planned: [1], isLoaded: false });
  store.setState({ selected: 1 });
  const pressed = press('toggle');
  // It is about what was selected when it was pressed.
  store.setState({ selected: 2 });
  await pressed;
  await expect.poll(() => told).toEqual(['Removed a from the plan.']);
  await expect
    .poll(() => written)
    .toMatchObject([{ targets: [{ entry: expect.any(String) }], set: { isPlanned: false } }]);
});

test('with several compared, all are added in one write, then all are removed', async () => {
  const { store, written, told, press } = await planning();
  store.setState({ selected: 2, compared: [1, 2] });
  await press('toggle');
  await press('toggle');
  expect(told).toEqual(['Added 2 entries to the plan.', 'Removed 2 entries from the plan.']);
  expect(written.map((write) => (write.kind === 'change' ? write.targets.length : 0))).toEqual([2, 2]);
});

test('the root is not planned, and without a selection the focus is', async () => {
  const { explorer, store, written, press } = await planning();
  expect(chosenRows(explorer)).toEqual([]);
  await press('toggle');
  await press('edit');
  expect(written).toEqual([]);
  store.setState({ focus: 3 });
  expect(chosenRows(explorer)).toEqual([3]);
});

test('editing adds the node, opens the tab and asks for the focus', async () => {
  const { explorer, store, press } = await planning();
  store.setState({ selected: 2 });
  await press('edit');
  expect(isPlanned(explorer, 2)).toBe(true);
  expect(store.getState()).toMatchObject({ panel: 'plan', detailOpen: true, planEditRequests: 1, selected: 2 });
});

test('the tab opens with the panel', async () => {
  const { store, press } = await planning();
  await press('open');
  expect(store.getState()).toMatchObject({ panel: 'plan', detailOpen: true, planEditRequests: 0 });
});
