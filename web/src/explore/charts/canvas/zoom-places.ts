import type { Camera } from '../../model/camera.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { none } from '../../tree-data/no-row.ts';
import { type Box, maxZoom, type Size } from '../camera/camera.ts';
import { cameraKeeping, closestOn } from '../camera/semantic-dive.ts';
import { type Marks, markKind } from '../layout/layout.ts';
import type { ShownMarks } from './shown-marks.ts';

/** What is visible now: the marks, the camera, and the size of the view. */
type Seen = { readonly shown: ShownMarks; readonly camera: Camera; readonly view: Size };

/** The closest zoom around a point of the viewport: a leaf under it must not fill the whole view. */
export function closestZoomAt({ shown, camera, view }: Seen, tree: LoadedTree, px: number, py: number): number {
  const { marks, drawnAt } = shown;
  if (!marks) return maxZoom;
  const target = shown.targetAt(px, py, 0, camera);
  // The boxes of a tree all look like leaves, so zoom is limited on all of them.
  const isTree = marks.form === 'links';
  const mark = isTree ? 0 : target && !target.isTail ? target.mark : none;
  if (mark === none || (!isTree && tree.childCount[marks.row[mark]!]! > 0)) return maxZoom;
  const size = { width: marks.x1[mark]! - marks.x0[mark]!, height: marks.y1[mark]! - marks.y0[mark]! };
  return Math.min(maxZoom, Math.max(camera.k, closestOn(size, drawnAt.k, view, marks.zooms)));
}

/**
 * Call before a semantic zoom changes the focus, to keep the centre of the view in place.
 *
 * @returns the camera for the next layout, made for the whole chart; undefined if the whole chart should be visible
 */
export function placeKept({ shown, camera, view }: Seen): (next: Marks) => Camera | undefined {
  const { marks } = shown;
  const seen: { readonly row: number; readonly box: Box }[] = [];
  const middle = shown.targetAt(view.width / 2, view.height / 2, 0, camera)?.mark ?? none;
  for (let i = middle; marks && i > 0; i = marks.parent[i]!) {
    const box = { x0: marks.x0[i]!, y0: marks.y0[i]!, x1: marks.x1[i]!, y1: marks.y1[i]! };
    if (marks.kind[i] !== markKind.tail) seen.push({ row: marks.row[i]!, box });
  }
  return (next) => {
    const kept = seen.find(({ row }) => shown.markOf(row) !== none);
    return kept && cameraKeeping(kept.box, shown.boxOf(kept.row)!, view, next);
  };
}
