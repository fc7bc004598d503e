import { maxFilterLength } from '@kc/pack/filter/filter-text';
import { say } from '@kc/rules/messages';
import { exact } from '../format/numbers.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { type Moved, rememberRows } from '../tree-data/moved-rows.ts';
import { none } from '../tree-data/no-row.ts';
import type { SliceLoader } from '../tree-data/slice-loader.ts';
import { comparedIn, isTold, packPathTo, rememberCompared } from './compared-nodes.ts';
import type { ExplorerState, ExplorerStore } from './explorer-state.ts';
import { keptAround } from './tree-walk.ts';

type RefilterDeps = {
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly loader: Pick<SliceLoader, 'setFilter' | 'cancelFilter'>;
  /** Called when the loaded rows have changed, before the state says so. */
  readonly onMoved: (moved: Moved) => void;
  readonly explain: (failure: unknown) => string;
};

/** Sets of rows that the user made. They are restored by node. */
const setFields = ['expanded', 'opened', 'closed', 'unfolded'] as const satisfies readonly (keyof ExplorerState)[];
type SetField = (typeof setFields)[number];

/**
 * Changes the filter of the loaded tree. The current content stays until all of it can be replaced at once. Places are
 * kept by node, or by the nearest ancestor that the filter keeps.
 */
export function createRefilter({ tree, store, loader, onMoved, explain }: RefilterDeps) {
  /** Nodes in the sets of the user that are not loaded: filtered out, or still loading. */
  const away: Readonly<Record<SetField, Set<number>>> = {
    expanded: new Set(),
    opened: new Set(),
    closed: new Set(),
    unfolded: new Set(),
  };

  /** Whether the loaded tree includes excluded nodes, if there is a filter. */
  let isFaint = store.getState().isFaint;
  let latest = 0;

  function swap(filter: string, replace: () => void): void {
    const before = store.getState();
    const moved = rememberRows(tree);
    const wereCompared = rememberCompared(tree, before.compared);
    for (const field of setFields) for (const row of before[field]) away[field].add(moved.nodeOf(row));
    replace();
    onMoved(moved);
    const compared = comparedIn(tree, wereCompared);
    const next = { ...before, expanded: noRows, opened: noRows, closed: noRows, unfolded: noRows };
    store.setState({
      ...comeBack(next),
      ...placesIn(tree, before, moved),
      compared,
      filter,
      filtering: undefined,
      treeVersion: tree.version,
      spoken: spokenOf(tree, filter, compared.filter((one) => !isTold(tree, one)).length),
    });
  }

  /** The sets of a state, with those of their nodes that are loaded now. */
  function comeBack(state: Pick<ExplorerState, SetField>): Partial<ExplorerState> {
    const change: Partial<Record<SetField, ReadonlySet<number>>> = {};
    for (const field of setFields) {
      const rows = [...away[field]].map((node) => tree.rowOf(node)).filter((row) => row !== none);
      if (rows.length === 0) continue;
      for (const row of rows) away[field].delete(tree.node[row]!);
      change[field] = new Set([...state[field], ...rows]);
    }
    return change;
  }

  return {
    /**
     * Shows what a filter keeps, given by its canonical text. A newer filter replaces one that is still loading.
     * @param settleMs debounce: how long it has to be the newest before it is requested, while the user types or drags
     * @param faint whether excluded nodes are shown faintly
     * @returns whether it is shown now; a notice says why it is not
     */
    async setFilter(filter: string, settleMs = 0, faint = store.getState().isFaint): Promise<boolean> {
      const shown = store.getState();
      const isWanted = filter === (shown.filtering ?? shown.filter) && faint === shown.isFaint;
      if (isWanted) return shown.filtering === undefined;
      if (filter.length > maxFilterLength) {
        store.setState({ notice: say('explore/filter-long') });
        return false;
      }
      const mine = ++latest;
      loader.cancelFilter();
      if (filter === shown.filter && (filter === '' || faint === isFaint)) {
        store.setState({ filtering: undefined, isFaint: faint });
        return true;
      }
      store.setState({ filtering: filter, isFaint: faint });
      if (settleMs > 0) await new Promise((done) => setTimeout(done, settleMs));
      if (mine !== latest) return false;
      const paths = () => {
        const { focus, selected, compared } = store.getState();
        return [focus, selected, ...compared].map((one) =>
          typeof one === 'number' ? packPathTo(tree, one) : one.path,
        );
      };
      try {
        return await loader.setFilter(filter, faint, paths, (replace) => {
          isFaint = faint;
          swap(filter, replace);
        });
      } catch (failure) {
        if (mine === latest) store.setState({ filtering: undefined, isFaint, notice: explain(failure) });
        return false;
      }
    },

    /** Restores nodes of the sets of the user that a merge loaded. */
    comeBack: (): Partial<ExplorerState> => comeBack(store.getState()),
  };
}

const noRows: ReadonlySet<number> = new Set();

/** Where the same places are in the replaced tree. */
function placesIn(tree: LoadedTree, before: ExplorerState, moved: Moved): Partial<ExplorerState> {
  const near = Math.max(0, keptAround(tree, moved.nearest(before.focus)));
  return {
    // A leaf has no children to show, so its parent gets the focus.
    focus: tree.childCount[near] === 0 ? Math.max(0, tree.parent[near]!) : near,
    selected: moved.nearest(before.selected),
    hovered: none,
    previewed: none,
    sought: moved.exactly(before.sought),
  };
}

/** The announcement for screen readers: "1,204 of 18,618 keywords kept", and how many compared items are not. */
function spokenOf(tree: LoadedTree, filter: string, notCompared: number): string {
  const [kept, of] = [tree.keywords[0]!, tree.ofKeywords[0]!];
  if (filter === '') return say('explore/filter-none', { of: exact(of) });
  const told =
    kept === 0 ? say('explore/filter-empty') : say('explore/filter-kept', { kept: exact(kept), of: exact(of) });
  return notCompared === 0 ? told : `${told}. ${say('explore/compare-away', { count: notCompared })}`;
}
