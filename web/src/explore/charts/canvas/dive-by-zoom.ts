import type { Explorer } from '../../model/explorer.ts';
import { isWithin, keptAround } from '../../model/tree-walk.ts';
import { none } from '../../tree-data/no-row.ts';
import { isSameCamera } from '../camera/camera.ts';
import { fillingBranch, leavingZoom } from '../camera/semantic-dive.ts';
import type { Viewport } from './viewport.ts';

type DiveDeps = {
  readonly explorer: Explorer;
  readonly sight: () => Viewport | undefined;
  /** Called before the branch that fills the view becomes the focus, to keep nodes where they are on screen. */
  readonly onDive: (row: number) => void;
};

/** A zoom has settled when there was no input for this long. */
const settleMs = 400;

/**
 * Semantic zoom: once a zoom has settled, the branch that fills the view becomes the focus; far out, its parent does.
 * Disabled if branches must not open automatically.
 */
export function createDiveByZoom({ explorer, sight, onDive }: DiveDeps) {
  const { store, tree } = explorer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settledAt: number | undefined;

  function settle(): void {
    const seen = sight();
    if (!seen || !store.getState().autoExpand) return;
    if (!isSameCamera(seen.drawnAt, seen.camera)) {
      settleSoon();
      return;
    }
    const { k } = seen.camera;
    const before = settledAt ?? 1;
    settledAt = k;
    const { focus, selected } = store.getState();
    const isNearer = k > before;
    const filling = isNearer ? keptAround(tree, fillingBranch(seen.marks, seen.view)) : focus;
    const to = !isNearer && k < leavingZoom ? tree.parent[focus]! : filling;
    if (to === focus || to === none) return;
    if (isNearer) onDive(to);
    settledAt = undefined;
    explorer.focusOn(to, selected !== none && isWithin(tree, selected, to) ? selected : isNearer ? to : focus);
  }

  function settleSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(settle, settleMs);
  }

  return {
    /** The user zoomed. */
    zoomed: settleSoon,
    /** The camera moved for another reason, to this zoom. */
    placed(k: number): void {
      clearTimeout(timer);
      settledAt = k;
    },
    close: (): void => clearTimeout(timer),
  };
}

export type DiveByZoom = ReturnType<typeof createDiveByZoom>;
