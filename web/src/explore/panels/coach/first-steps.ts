import type { ExplorerState } from '../../model/explorer-state.ts';
import { isWithin } from '../../model/tree-walk.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { none } from '../../tree-data/no-row.ts';

/** What a newcomer tries, in this order. Source: experience.md §6. */
export const firstSteps = ['dive', 'climb', 'search', 'outline'] as const;
export type FirstStep = (typeof firstSteps)[number];

/**
 * The step that somebody has just done, by whatever means: pointer, fingers, keys. `undefined` when it was something else.
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

/** Where the answers are kept: `forever` on the device, `visit` until the tab is closed. */
export type Kept = { readonly forever: Pick<Storage, 'getItem' | 'setItem'>; readonly visit: Kept['forever'] };

/** Whether they are shown by themselves: until somebody has done them all or put them away. */
export const wantsFirstSteps = ({ forever, visit }: Kept): boolean =>
  forever.getItem(key) === null && visit.getItem(key) === null;

/** Puts them away for this visit, or for good. */
export function putAwayFirstSteps(kept: Kept, how: keyof Kept): void {
  kept[how].setItem(key, 'seen');
}
