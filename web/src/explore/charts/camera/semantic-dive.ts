import type { Camera } from '../../model/camera.ts';
import { type Marks, markKind, type Zooms } from '../layout/layout.ts';
import { type Box, filledBy, homeCamera, type Size } from './camera.ts';

/** Source: experience.md §5.3. */
export const fillingShare = 0.85;
export const leavingZoom = 0.6;
const leafShare = 0.6;

/** Points across and down at which is looked what fills the view. */
const samples = 12;

/**
 * The deepest opened branch that fills most of the view: of boxes and circles with its area, of bars with its height, of
 * arcs with the part of the turn that is in view. The focus when none does, and where marks stand apart.
 *
 * @param marks laid out for what is in view now
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

/** Whether a point lies where a branch is, or would be in the direction that its children are laid in. */
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
 * The camera that shows a node of a new picture where it was seen in the one before, as big as it was; all of the new
 * picture where that is about the same, or where nodes have no size of their own.
 *
 * @param seen where it was, in CSS pixels in the viewport; `box` where it is now, in layout units
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

/** Nearer than this it is as good to see all. */
const leastKept = 1.2;

/**
 * The closest that one can zoom in on a leaf: until it fills the most of the view that it may.
 *
 * @param width of the leaf as it is seen at zoom `k`, in CSS pixels, and `height`
 */
export function closestOn({ width, height }: Size, k: number, view: Size, zooms: Zooms): number {
  const share = zooms === 'upright' ? height / view.height : Math.max(width / view.width, height / view.height);
  return Math.max(k, (k * leafShare) / share);
}
