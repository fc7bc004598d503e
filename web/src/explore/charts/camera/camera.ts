import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';

/** The whole picture, fitted in. */
export const homeCamera: Camera = { x: 0, y: 0, k: 1 };

export type Size = { readonly width: number; readonly height: number };
/** Edges in layout units. */
export type Box = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };

/** Further out there is nothing to see, further in no leaf gets bigger than the screen. Source: experience.md §5.3. */
export const minZoom = 0.5;
export const maxZoom = 4_000;

/** CSS pixels a layout unit across the picture, at zoom `k`. */
export const scaleAcross = (k: number, zooms: Zooms) => (zooms === 'upright' ? 1 : k);

/** The camera after zooming by `factor` with the point `(px, py)` of the viewport held still. */
export function zoomAt(camera: Camera, factor: number, px: number, py: number, zooms: Zooms = 'both'): Camera {
  const k = Math.min(maxZoom, Math.max(minZoom, camera.k * factor));
  const [before, after] = [scaleAcross(camera.k, zooms), scaleAcross(k, zooms)];
  return { x: camera.x + px / before - px / after, y: camera.y + py / camera.k - py / k, k };
}

/** The camera after the picture was moved by that many CSS pixels. */
export function panBy(camera: Camera, dx: number, dy: number, zooms: Zooms = 'both'): Camera {
  return { x: camera.x - dx / scaleAcross(camera.k, zooms), y: camera.y - dy / camera.k, k: camera.k };
}

/** The camera that shows a box as big as it fits, in the middle, with `margin` CSS pixels around it. */
export function cameraOn(box: Box, view: Size, margin: number, closest = maxZoom, zooms: Zooms = 'both'): Camera {
  const width = Math.max(box.x1 - box.x0, Number.EPSILON);
  const height = Math.max(box.y1 - box.y0, Number.EPSILON);
  const upright = (view.height - 2 * margin) / height;
  const fitting = zooms === 'upright' ? upright : Math.min((view.width - 2 * margin) / width, upright);
  const k = Math.min(closest, maxZoom, Math.max(minZoom, fitting));
  return {
    x: (box.x0 + box.x1) / 2 - view.width / 2 / scaleAcross(k, zooms),
    y: (box.y0 + box.y1) / 2 - view.height / 2 / k,
    k,
  };
}

/** The nearest camera whose middle lies over the picture, so that nobody gets lost beside it. */
export function heldOver(camera: Camera, extent: Size, view: Size, zooms: Zooms = 'both'): Camera {
  const middle = (at: number, half: number, end: number) => Math.min(Math.max(end, 0), Math.max(0, at + half)) - half;
  return {
    x: middle(camera.x, view.width / 2 / scaleAcross(camera.k, zooms), extent.width),
    y: middle(camera.y, view.height / 2 / camera.k, extent.height),
    k: camera.k,
  };
}

/** The nearest camera that shows nothing beside the picture, where the picture is as big as the view or bigger. */
export function filledBy(camera: Camera, extent: Size, view: Size, zooms: Zooms = 'both'): Camera {
  const start = (at: number, seen: number, all: number) => (seen > all ? at : Math.min(Math.max(0, at), all - seen));
  return {
    x: start(camera.x, view.width / scaleAcross(camera.k, zooms), extent.width),
    y: start(camera.y, view.height / camera.k, extent.height),
    k: camera.k,
  };
}

/**
 * The camera that shows in a view what this one shows in another: the same share of a picture that is as large as its
 * view, else what is in the middle. In a view without a size nothing is shown.
 */
export function fittedTo({ x, y, k }: Camera, from: Size, to: Size, fillsView: boolean): Camera {
  if (from.width === 0 || from.height === 0) return { x, y, k };
  return fillsView
    ? { x: (x * to.width) / from.width, y: (y * to.height) / from.height, k }
    : { x: x + (from.width - to.width) / 2 / k, y: y + (from.height - to.height) / 2 / k, k };
}

/** Where a picture drawn for one camera stands for another: its scales, and its top left corner in CSS pixels. */
export function shiftBetween(drawnAt: Camera, camera: Camera, zooms: Zooms = 'both') {
  return {
    scaleX: zooms === 'upright' ? 1 : camera.k / drawnAt.k,
    scale: camera.k / drawnAt.k,
    x: (drawnAt.x - camera.x) * scaleAcross(camera.k, zooms),
    y: (drawnAt.y - camera.y) * camera.k,
  };
}

/** Whether a picture drawn for one camera still does for another: not too coarse, too fine or too far off. */
export function stillServes(drawnAt: Camera, camera: Camera, view: Size, zooms: Zooms = 'both'): boolean {
  return serves(drawnAt, camera, view, zooms, 2, leastSeen);
}

/** Whether it does well enough that no other one need be begun. */
export function stillServesWell(drawnAt: Camera, camera: Camera, view: Size, zooms: Zooms = 'both'): boolean {
  return serves(drawnAt, camera, view, zooms, 1.4, 0.9);
}

function serves(drawnAt: Camera, camera: Camera, view: Size, zooms: Zooms, coarsest: number, least: number): boolean {
  const { scale, scaleX, x, y } = shiftBetween(drawnAt, camera, zooms);
  const seen = (at: number, all: number, by: number) =>
    Math.max(0, Math.min(all, at + all * by) - Math.max(0, at)) / all;
  return scale <= coarsest && seen(x, view.width, scaleX) * seen(y, view.height, scale) >= least;
}

/** The part of the view that may not be empty, even for a moment. */
const leastSeen = 0.65;

export function isSameCamera(a: Camera, b: Camera): boolean {
  return a.x === b.x && a.y === b.y && a.k === b.k;
}
