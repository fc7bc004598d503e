import { limits } from '@kc/rules/limits';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import type { ToastAction } from '../../../ui/toast.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { rowsOf } from '../../model/compared-nodes.ts';
import type { Explorer } from '../../model/explorer.ts';
import { currentRow, type ExplorerState } from '../../model/explorer-state.ts';
import { levelOf } from '../../model/levels.ts';
import { isRankedLevel } from '../../model/list-query.ts';
import { nothingPicked, rowsOfPicked } from '../../model/picked.ts';
import { type Plan, planOf } from '../../model/plan.ts';
import { entryAtNode, type PlanTarget, plannedEntries } from '../../model/plan-state.ts';
import { none } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { sayPlan } from './plan-texts.tsx';

type Toast = (text: string, action?: ToastAction) => void;

/** Neither the root nor what holds strays can be planned. */
export const canPlan = (tree: LoadedTree, row: number): boolean =>
  row > 0 && !tree.isLeftOut(row) && !tree.isStrays(row);

/** The rows that a key acts on: the compared ones and the selected one, if they can be planned. */
export function chosenRows({ store, tree }: Explorer): number[] {
  const state = store.getState();
  const rows = new Set([...rowsOf(state.compared), currentRow(state)]);
  return [...rows].filter((one) => canPlan(tree, one));
}

export const isPlanned = (explorer: Explorer, row: number): boolean =>
  entryAtNode(planOf(explorer).store.getState(), explorer.tree.addressOf(row)) !== undefined;

/** Adds rows to the plan; if all of them are in it, removes them, with a way back. */
export function togglePlanned(explorer: Explorer, rows: readonly number[], toast: Toast): void {
  const plan = planOf(explorer);
  const missing = rows.filter((row) => !isPlanned(explorer, row));
  const name = (some: readonly number[]) => explorer.tree.name(some[0]!);
  if (missing.length > 0) {
    plan.change(
      missing.map((row) => ({ node: explorer.tree.addressOf(row) })),
      {},
    );
    toast(
      missing.length === 1
        ? sayPlan('plan/added', { name: name(missing) })
        : sayPlan('plan/added-many', { what: counted(missing.length, 'entry', 'entries') }),
    );
    return;
  }
  const state = plan.store.getState();
  const entries = rows.flatMap((row) => entryAtNode(state, explorer.tree.addressOf(row)) ?? []);
  if (entries.length > 0) removeEntries(explorer, entries, toast);
}

/** Takes a step of the plan back, from the toast that tells about it. */
export const undoOf = (plan: Plan, step: Parameters<Plan['undo']>[0], toast: Toast): ToastAction => ({
  label: 'Undo',
  onAction: () => {
    toast(sayPlan(plan.undo(step) ? 'plan/undone' : 'plan/nothing-to-undo'));
  },
});

/** Removes entries, with a way back. */
export function removeEntries(
  explorer: Explorer,
  entries: readonly Pick<PlanEntry, 'id' | 'path'>[],
  toast: Toast,
): void {
  const plan = planOf(explorer);
  const step = plan.change(
    entries.map(({ id }) => ({ entry: id })),
    { set: { isPlanned: false } },
  );
  const text =
    entries.length === 1
      ? sayPlan('plan/removed', { name: entries[0]!.path.at(-1)! })
      : sayPlan('plan/removed-many', { what: counted(entries.length, 'entry', 'entries') });
  toast(text, undoOf(plan, step, toast));
}

/**
 * The nodes that are picked in a flat list, as many as a plan can have and one more, so that it can be told.
 *
 * @throws what a page of the list throws
 */
export async function pickedTargets({ store, source }: Explorer): Promise<PlanTarget[]> {
  const rows = await rowsOfPicked(source, store.getState().picked, limits.maxPlanEntries + 1);
  return [...rows.values()].map((node) => ({ node }));
}

/**
 * Adds what is picked to the plan, in one step.
 *
 * @param removes whether it is removed if all of it is there, as by the key that does both
 */
export async function planPicked(explorer: Explorer, toast: Toast, removes = false): Promise<void> {
  const plan = planOf(explorer);
  try {
    const targets = await pickedTargets(explorer);
    if (targets.length > limits.maxPlanEntries) {
      toast(sayPlan('plan/too-many-targets', { most: exact(limits.maxPlanEntries) }));
      return;
    }
    const state = plan.store.getState();
    const there = new Map(
      plannedEntries(state).flatMap((entry) => (entry.node === undefined ? [] : [[entry.node, entry] as const])),
    );
    const entries = targets.flatMap((target) => ('node' in target ? (there.get(target.node) ?? []) : []));
    if (entries.length === targets.length && !removes) {
      toast(sayPlan('plan/there-already'));
      return;
    }
    if (entries.length === targets.length) {
      removeEntries(explorer, entries, toast);
      return;
    }
    const missing = targets.filter((target) => 'node' in target && !there.has(target.node));
    if (plannedEntries(state).length + missing.length > limits.maxPlanEntries) {
      toast(sayPlan('plan/full', { max: exact(limits.maxPlanEntries) }));
      return;
    }
    const step = plan.change(missing, {});
    const what = counted(missing.length, 'entry', 'entries');
    toast(sayPlan('plan/added-many', { what }), undoOf(plan, step, toast));
  } catch (failure) {
    toast(explorer.explain(failure));
  }
}

/** Whether the screen shows which rows are picked: flat lists and the points of a level do. */
const showsPicked = (state: ExplorerState): boolean =>
  state.view === 'opportunity' || (state.view === 'table' && isRankedLevel(levelOf(state)));

/** Opens the editor of a row with the focus on its status. A row that is not in the plan is added first. */
export function editPlanned(explorer: Explorer, row: number, toast: Toast): void {
  if (!canPlan(explorer.tree, row)) return;
  if (!isPlanned(explorer, row)) togglePlanned(explorer, [row], toast);
  explorer.store.setState(({ planEditRequests }) => ({
    selected: row,
    panel: 'plan',
    detailOpen: true,
    planEditRequests: planEditRequests + 1,
  }));
}

export function openPlan({ store }: Explorer): void {
  store.setState({ panel: 'plan', detailOpen: true });
}

/** Handles a key of the plan: X, ⇧X, E, ⌘Z or ⌘⇧Z. */
export function planByKey(explorer: Explorer, what: 'toggle' | 'open' | 'edit' | 'undo' | 'redo', toast: Toast): void {
  const plan = planOf(explorer);
  if (what === 'undo') {
    toast(sayPlan(plan.undoLast() ? 'plan/undone' : 'plan/nothing-to-undo'));
    return;
  }
  if (what === 'redo') {
    toast(sayPlan(plan.redoLast() ? 'plan/redone' : 'plan/nothing-to-redo'));
    return;
  }
  const rows = chosenRows(explorer);
  if (what === 'open') openPlan(explorer);
  else if (what === 'edit') editPlanned(explorer, rows.at(-1) ?? 0, toast);
  // What the key does depends on what is planned, so it waits until that is known.
  else if (plan.store.getState().isLoaded) toggleByKey(explorer, rows, toast);
  else {
    // Rows can have other numbers by then.
    const { picked } = explorer.store.getState();
    const nodes = rows.map((row) => explorer.tree.node[row]!);
    plan.load().then(
      () => {
        const there = nodes.map((node) => explorer.tree.rowOf(node)).filter((row) => row !== none);
        if (explorer.store.getState().picked === picked) toggleByKey(explorer, there, toast);
      },
      (failure: unknown) => toast(explorer.explain(failure)),
    );
  }
}

/** @param rows what the key acts on if nothing is picked in a list */
function toggleByKey(explorer: Explorer, rows: readonly number[], toast: Toast): void {
  const state = explorer.store.getState();
  // The list of the plan has a selection of its own, and removes that.
  if (state.view === 'table' && state.level === 'plan') return;
  if (showsPicked(state) && state.picked !== nothingPicked) {
    void planPicked(explorer, toast, true);
    return;
  }
  if (rows.length > 0) togglePlanned(explorer, rows, toast);
}

/** Selects the node of an entry, which has to be in this upload. */
export function openEntry({ address }: Explorer, { node }: Pick<PlanEntry, 'node'>): void {
  const search = new URLSearchParams(address.link().replace(/^[^?]*/, ''));
  search.set('sel', node!);
  void address.open(`?${search}`, 'push');
}
