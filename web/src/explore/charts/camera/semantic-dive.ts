import type { Camera } from '../../model/camera.ts';
import { type Marks, markKind, type Zooms } from '../layout/layout.ts';
import { type Box, filledBy, homeCamera, type Size } from './camera.ts';

/** A branch fills the view if it covers more than this share of it. */
const fillingShare = 0.85;
/** Below this zoom, the parent becomes the focus. */
export const leavingZoom = 0.6;
/** A leaf fills at most this share of the view. */
const leafShare = 0.6;

/** Number of sample points across and down that find out what fills the view. */
const samples = 12;

/**
 * The deepest open branch that fills most of the view: boxes and circles by area, bars by height, arcs by the part of
 * the turn in view. The focus if no branch does, or if marks stand apart.
 *
 * @param marks laid out for the current viewport
 * @returns a row
 */
export function fillingBranch(marks: Marks, view: Size): number {
  let filling = 0;
  if (marks.form === 'links' || marks.form === 'scatter') return marks.row[0]!;
  for (let mark = 1; mark < marks.count; mark++) {
    if (marks.parent[mark] !== filling || marks.kind[mark] !== markKind.group) continue;
    if (shareOf(marks, mark, view) > fillingShare) filling = mark;
  }
  return marks.row[filling]!;
}

function shareOf(marks: Marks, mark: number, { width, height }: Size): number {
  let inside = 0;
  for (let i = 0; i < samples; i++) {
    const y = ((i + 0.5) / samples) * height;
    for (let j = 0; j < samples; j++) if (claims(marks, mark, ((j + 0.5) / samples) * width, y)) inside++;
  }
  return inside / samples ** 2;
}

/** Whether a point is in a branch, or in the direction in which its children are laid out. */
function claims(marks: Marks, mark: number, x: number, y: number): boolean {
  const { x0, y0, x1, y1 } = marks;
  if (marks.form === 'arcs') {
    const { arcs } = marks;
    const turn = (Math.atan2(x - arcs.x, arcs.y - y) / (2 * Math.PI) + 1) % 1;
    return turn >= arcs.from[mark]! && turn < arcs.to[mark]!;
  }
  const isBeside = y >= y0[mark]! && y < y1[mark]!;
  if (marks.form === 'bars') return isBeside;
  if (marks.form === 'boxes') return isBeside && x >= x0[mark]! && x < x1[mark]!;
  const radius = (x1[mark]! - x0[mark]!) / 2;
  return Math.hypot(x - x0[mark]! - radius, y - y0[mark]! - radius) < radius;
}

/**
 * The camera that shows a node of a new layout where it was on screen before, at the same size; the whole new layout if
 * that is about the same, or if nodes have no size of their own.
 *
 * @param seen its previous position, in CSS pixels in the viewport; `box` its new one, in layout units
 */
export function cameraKeeping(seen: Box, box: Box, view: Size, { form, extent, zooms }: Marks): Camera {
  const isUpright = zooms === 'upright';
  if (form === 'arcs' || form === 'links' || form === 'scatter') return homeCamera;
  const high = (seen.y1 - seen.y0) / (box.y1 - box.y0);
  const k = isUpright ? high : Math.sqrt((high * (seen.x1 - seen.x0)) / (box.x1 - box.x0));
  if (!(k > leastKept)) return homeCamera;
  const camera = {
    x: isUpright ? 0 : (box.x0 + box.x1) / 2 - (seen.x0 + seen.x1) / 2 / k,
    y: (box.y0 + box.y1) / 2 - (seen.y0 + seen.y1) / 2 / k,
    k,
  };
  return filledBy(camera, extent, view, zooms);
}

/** Below this zoom, the whole chart is shown instead. */
const leastKept = 1.2;

/**
 * The closest zoom on a leaf: it then fills as much of the view as it may.
 *
 * @param width of the leaf on screen at zoom `k`, in CSS pixels, and `height`
 */
export function closestOn({ width, height }: Size, k: number, view: Size, zooms: Zooms): number {
  const share = zooms === 'upright' ? height / view.height : Math.max(width / view.width, height / view.height);
  return Math.max(k, (k * leafShare) / share);
}
