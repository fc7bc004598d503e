import type { ExplorerState } from '../../model/explorer-state.ts';
import { isWithin } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';

/** The steps of the introduction, in order. */
export const firstSteps = ['dive', 'climb', 'search', 'outline'] as const;
export type FirstStep = (typeof firstSteps)[number];

/**
 * The step that a state change completes, whatever the input device; `undefined` if none.
 *
 * @param inOutline whether the outline had the focus
 */
export function stepDone(
  tree: LoadedTree,
  now: Pick<ExplorerState, 'focus' | 'selected' | 'expanded' | 'query'>,
  before: typeof now,
  inOutline: boolean,
): FirstStep | undefined {
  if (inOutline && (now.expanded !== before.expanded || (now.selected !== before.selected && now.selected !== none)))
    return 'outline';
  if (now.focus !== before.focus) return isWithin(tree, now.focus, before.focus) ? 'dive' : 'climb';
  return now.query !== '' && before.query === '' ? 'search' : undefined;
}

/** Whether a tree has a branch below its root to dive into. */
export function canDive(tree: LoadedTree): boolean {
  return tree.children(0).some((row) => tree.childCount[row]! > 0);
}

const key = 'explorer-first-steps';

/** Where dismissals are stored: `forever` on the device, `visit` until the tab is closed. */
export type Kept = { readonly forever: Pick<Storage, 'getItem' | 'setItem'>; readonly visit: Kept['forever'] };

/** Whether to show the introduction automatically: until the user has completed or dismissed it. */
export const wantsFirstSteps = ({ forever, visit }: Kept): boolean =>
  forever.getItem(key) === null && visit.getItem(key) === null;

/** Dismisses the introduction for this visit or permanently. */
export function dismissFirstSteps(kept: Kept, how: keyof Kept): void {
  kept[how].setItem(key, 'seen');
}
