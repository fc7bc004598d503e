import { type Camera, homeCamera } from '../../model/camera.ts';
import { type Marks, markKind, turnOf, type Zooms } from '../layout/layout.ts';
import { type Box, cameraOn, filledBy, type Size, scaleAcross } from './camera.ts';

const boxMargin = 8;
const rowMargin = 48;
const treeMargin = 24;
/** The width of a box, and the height of a bar, from which its name is legible. */
const legiblePx = 60;
const legibleBarPx = 14;
/** The margin around a node that the user goes to, as a share of the shorter side of the view. */
const targetMarginShare = 0.42;

/** The camera that shows a whole chart. */
export function onWhole({ extent, form }: Marks, view: Size): Camera {
  const whole = { x0: 0, y0: 0, x1: extent.width, y1: extent.height };
  return form === 'links' ? cameraOn(whole, view, treeMargin, 1) : homeCamera;
}

/** The camera that shows a row. @param box of the row, in layout units */
export function onRow(box: Box, { form, extent, zooms }: Marks, view: Size): Camera {
  const on = cameraOn(box, view, rowMargin, form === 'links' ? 2 : undefined, zooms);
  return zooms === 'upright' ? filledBy(on, extent, view, zooms) : on;
}

/** The camera that shows a part of the view, given in its pixels. */
export function onPart({ x0, y0, x1, y1 }: Box, { x, y, k }: Camera, view: Size, zooms: Zooms): Camera {
  const across = scaleAcross(k, zooms);
  const box = { x0: x + x0 / across, y0: y + y0 / k, x1: x + x1 / across, y1: y + y1 / k };
  return cameraOn(box, view, boxMargin, undefined, zooms);
}

/** The camera that makes a row legible; undefined if it is legible already. @param box of the row, in layout units */
export function makingLegible(box: Box, { form, extent, zooms }: Marks, { k }: Camera, view: Size): Camera | undefined {
  const isLegible = form === 'bars' ? (box.y1 - box.y0) * k >= legibleBarPx : (box.x1 - box.x0) * k >= legiblePx;
  if (isLegible) return undefined;
  const near = cameraOn(box, view, Math.min(view.width, view.height) * targetMarginShare, undefined, zooms);
  return form === 'links' ? near : filledBy(near, extent, view, zooms);
}

/**
 * The initial camera: the whole chart, or for a tall tree its root at full size.
 *
 * @param drawnAt the camera that the marks are laid out for
 */
export function homeCameraOf({ form, extent, count, y0, y1 }: Marks, view: Size, drawnAt: Camera): Camera {
  if (form !== 'links') return homeCamera;
  if (extent.width <= view.width && extent.height <= view.height)
    return cameraOn({ x0: 0, y0: 0, x1: extent.width, y1: extent.height }, view, 0, 1);
  const { y, k } = drawnAt;
  const rootAt = count === 0 ? extent.height / 2 : y + (y0[0]! + y1[0]!) / 2 / k;
  const top = rootAt - view.height / 2;
  return {
    x: Math.min(0, (extent.width - view.width) / 2),
    y:
      extent.height <= view.height
        ? (extent.height - view.height) / 2
        : Math.min(Math.max(0, top), extent.height - view.height),
    k: 1,
  };
}

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
  if (marks.form === 'links') return marks.row[0]!;
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
    const turn = turnOf(x - arcs.x, y - arcs.y);
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
 * @param before its previous position, in CSS pixels in the viewport; `box` its new one, in layout units
 */
export function cameraKeeping(before: Box, box: Box, view: Size, { form, extent, zooms }: Marks): Camera {
  const isUpright = zooms === 'upright';
  if (form === 'arcs' || form === 'links') return homeCamera;
  const high = (before.y1 - before.y0) / (box.y1 - box.y0);
  const k = isUpright ? high : Math.sqrt((high * (before.x1 - before.x0)) / (box.x1 - box.x0));
  if (!(k > minKept)) return homeCamera;
  const camera = {
    x: isUpright ? 0 : (box.x0 + box.x1) / 2 - (before.x0 + before.x1) / 2 / k,
    y: (box.y0 + box.y1) / 2 - (before.y0 + before.y1) / 2 / k,
    k,
  };
  return filledBy(camera, extent, view, zooms);
}

/** Below this zoom, the whole chart is shown instead. */
const minKept = 1.2;

/**
 * The closest zoom on a leaf: it then fills as much of the view as it may.
 *
 * @param width of the leaf on screen at zoom `k`, in CSS pixels, and `height`
 */
export function closestOn({ width, height }: Size, k: number, view: Size, zooms: Zooms): number {
  const share = zooms === 'upright' ? height / view.height : Math.max(width / view.width, height / view.height);
  return Math.max(k, (k * leafShare) / share);
}
