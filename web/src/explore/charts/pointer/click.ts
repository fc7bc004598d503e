import { addsTo, compare } from '../../model/compare-selection.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { View } from '../../model/url-state.ts';
import { none } from '../../tree-data/no-row.ts';
import type { Point } from '../camera/camera.ts';
import type { Target } from '../canvas/shown-marks.ts';
import type { Stage } from '../canvas/stage.ts';

type ClickDeps = { readonly stage: Pick<Stage, 'zoomBy' | 'hiddenAt'>; readonly explorer: Explorer };

/** How far a click on marks that are too small to tell apart zooms in. */
const closerFactor = 8;
/** The longest time between the two clicks of a double-click. */
const doubleClickMs = 500;

/** @returns handles a click on a target, or on nothing */
export function createClick({ stage, explorer }: ClickDeps) {
  /** When a click last focused a branch, as a time stamp of events. */
  let focusedAt = Number.NEGATIVE_INFINITY;

  /** Shows the list of what is gone from a branch, at the level of what the mark stands for. */
  function listGone({ mark, row }: Target): void {
    const { nodes, keywords } = stage.hiddenAt(mark);
    const changeLevel = nodes === keywords ? 'keywords' : 'clusters';
    const { tree, store } = explorer;
    const changesIn = row === 0 ? undefined : tree.addressOf(row);
    store.setState({ panel: 'changes', changeKind: 'gone', changeLevel, changesIn, detailOpen: true });
  }

  return (event: PointerEvent, target: Target | undefined, at: Point): void => {
    const { selected, view, focus } = explorer.store.getState();
    // The first click of a double-click on the selection focuses it. The second must not hit what is drawn there then.
    if (event.timeStamp - focusedAt < doubleClickMs) return;
    if (target?.isGone) listGone(target);
    else if (target && !target.isTail && (addsTo(event) || event.shiftKey)) void compare(explorer, target.row);
    else if (!target) explorer.select(none);
    else if (isCentre(target, view, focus)) explorer.climb();
    else if (target.isTail && (view === 'tree' || target.row === focus)) {
      explorer.unfold(target.row);
      // In charts that size marks by the space there is, only zooming in tells them apart.
      if (view !== 'tree' && view !== 'opportunity') stage.zoomBy(closerFactor, at.x, at.y, true);
    } else if (target.isTail || target.row === selected) {
      focusedAt = event.timeStamp;
      explorer.focusOn(target.row);
    } else explorer.select(target.row);
  };
}

/** Whether the target is the disc in the middle of a sunburst, which leads one level up. */
function isCentre({ row, isTail }: Target, view: View, focus: number): boolean {
  return view === 'sunburst' && row === focus && !isTail && focus !== 0;
}
