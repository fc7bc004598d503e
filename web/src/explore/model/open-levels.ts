import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { type ExplorerState, type ExplorerStore, levelsOf } from './explorer-state.ts';
import { isWithin } from './tree-walk.ts';

/** The maximum number of rows that the outline opens automatically. Every closed branch shows its count. */
export const maxOpened = 1000;

/**
 * Opens the outline and the table below the focus as deep as the depth setting says, level by level as children load,
 * up to {@link maxOpened} rows. Each branch is opened once: a branch that the user closed stays closed until the focus
 * moves.
 *
 * If branches do not open automatically, only the first level is opened.
 *
 * @returns stops it
 */
export function openLevels(tree: LoadedTree, store: ExplorerStore): () => void {
  /** Pack rows of branches that have been expanded. */
  const seen = new Set<number>();

  function open(): void {
    const { focus, expanded, depth, defaultDepth, autoExpand } = store.getState();
    const levels = autoExpand ? levelsOf(depth === undefined || depth === 'auto' ? defaultDepth : depth) : 1;
    const opened: number[] = [];
    let lines = 0;
    let level: readonly number[] = [focus];
    for (let below = 0; below < levels && level.length > 0 && lines < maxOpened; below++) {
      const next: number[] = [];
      for (const row of level) {
        const isOpen = expanded.has(row);
        const children = tree.children(row);
        if (children.length === 0 || (seen.has(tree.node[row]!) && !isOpen)) continue;
        lines += children.length;
        if (lines > maxOpened && below > 0) break;
        seen.add(tree.node[row]!);
        if (!isOpen) opened.push(row);
        for (const child of children) next.push(child);
      }
      level = next;
    }
    if (opened.length > 0) store.setState({ expanded: new Set([...expanded, ...opened]) });
  }

  return store.subscribe((now, before) => {
    if (!now.ready) return;
    const isElsewhere = now.focus !== before.focus;
    // A filter change renumbers the rows.
    if (isElsewhere && now.filter === before.filter && isWithin(tree, now.focus, before.focus)) {
      for (const node of seen) if (isWithin(tree, tree.rowOf(node), now.focus)) seen.delete(node);
    }
    if (isElsewhere || causes.some((field) => now[field] !== before[field])) open();
  });
}

const causes = [
  'ready',
  'treeVersion',
  'defaultDepth',
  'autoExpand',
] as const satisfies readonly (keyof ExplorerState)[];
