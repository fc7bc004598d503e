import type { Camera } from '../../model/camera.ts';
import { none } from '../../tree-data/no-row.ts';
import type { Box, Size } from '../camera/camera.ts';
import { cameraKeeping } from '../camera/semantic-dive.ts';
import { type Marks, markKind } from '../layout/layout.ts';
import type { ShownMarks } from './shown-marks.ts';

/**
 * Remembers where the nodes at the centre of the view are. Call before a semantic zoom changes the focus.
 *
 * @returns for the first layout with the new focus, made for the whole chart and already in `shown`: the camera that
 * keeps the innermost of these nodes in place; undefined if none of them has a mark in it
 */
export function rememberCentre(shown: ShownMarks, camera: Camera, view: Size): (next: Marks) => Camera | undefined {
  const { marks } = shown;
  /** From the innermost node outwards, without the focus; boxes in CSS pixels in the viewport. */
  const atCentre: { readonly row: number; readonly box: Box }[] = [];
  const innermost = shown.targetAt(view.width / 2, view.height / 2, 0, camera)?.mark ?? none;
  for (let i = innermost; marks && i > 0; i = marks.parent[i]!) {
    const box = { x0: marks.x0[i]!, y0: marks.y0[i]!, x1: marks.x1[i]!, y1: marks.y1[i]! };
    if (marks.kind[i] !== markKind.tail) atCentre.push({ row: marks.row[i]!, box });
  }
  return (next) => {
    const kept = atCentre.find(({ row }) => shown.markOf(row) !== none);
    return kept && cameraKeeping(kept.box, shown.boxOf(kept.row)!, view, next);
  };
}
