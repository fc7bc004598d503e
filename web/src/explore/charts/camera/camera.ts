import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';

/*
 * The coordinate spaces of a chart:
 *
 * - Layout units: a chart at zoom 1. The position of a camera, the extent of a chart and every `Box` are in them.
 * - CSS pixels of the canvas, from its top left corner: a `Point`, `px` and `py`, the size of the view, and the marks of a
 *   layout, which are placed for one camera (`drawnAt`). A layout point `x` is at `(x - camera.x) * k`.
 * - Device pixels: CSS pixels times `dpr`. Only bitmaps are in them.
 * - CSS pixels of the minimap: see `Miniature`.
 *
 * In a chart that zooms only vertically ('upright'), one horizontal layout unit is always one CSS pixel.
 */

export type Size = { readonly width: number; readonly height: number };
/** A point of the canvas, in CSS pixels from its top left corner. */
export type Point = { readonly x: number; readonly y: number };
/** Edges in layout units. */
export type Box = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };

/** Zoom limits: further out there is nothing to see, further in no leaf becomes larger than the screen. */
export const minZoom = 0.5;
export const maxZoom = 4_000;

/** CSS pixels per horizontal layout unit at zoom `k`. */
export const scaleAcross = (k: number, zooms: Zooms) => (zooms === 'upright' ? 1 : k);

/** The camera after zooming by `factor` while the point `(px, py)` of the viewport stays fixed. */
export function zoomAt(camera: Camera, factor: number, px: number, py: number, zooms: Zooms = 'both'): Camera {
  const k = Math.min(maxZoom, Math.max(minZoom, camera.k * factor));
  const [before, after] = [scaleAcross(camera.k, zooms), scaleAcross(k, zooms)];
  return { x: camera.x + px / before - px / after, y: camera.y + py / camera.k - py / k, k };
}

/** The camera after panning by so many CSS pixels. */
export function panBy(camera: Camera, dx: number, dy: number, zooms: Zooms = 'both'): Camera {
  return { x: camera.x - dx / scaleAcross(camera.k, zooms), y: camera.y - dy / camera.k, k: camera.k };
}

/** The camera that shows a box centred and as large as it fits, with `margin` CSS pixels around it. */
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

/** The nearest camera whose centre is over the chart, so that users cannot lose it. */
export function clampedTo(camera: Camera, extent: Size, view: Size, zooms: Zooms = 'both'): Camera {
  const middle = (at: number, half: number, end: number) => Math.min(Math.max(end, 0), Math.max(0, at + half)) - half;
  return {
    x: middle(camera.x, view.width / 2 / scaleAcross(camera.k, zooms), extent.width),
    y: middle(camera.y, view.height / 2 / camera.k, extent.height),
    k: camera.k,
  };
}

/** The nearest camera that shows no space outside the chart, if the chart is at least as large as the view. */
export function filledBy(camera: Camera, extent: Size, view: Size, zooms: Zooms = 'both'): Camera {
  const start = (at: number, visible: number, all: number) =>
    visible > all ? at : Math.min(Math.max(0, at), all - visible);
  return {
    x: start(camera.x, view.width / scaleAcross(camera.k, zooms), extent.width),
    y: start(camera.y, view.height / camera.k, extent.height),
    k: camera.k,
  };
}

/**
 * The camera for another view size: it shows the same share of a chart that fills its view, otherwise the same centre.
 * It shows nothing in a view without a size.
 */
export function fittedTo({ x, y, k }: Camera, from: Size, to: Size, fillsView: boolean): Camera {
  if (from.width === 0 || from.height === 0) return { x, y, k };
  return fillsView
    ? { x: (x * to.width) / from.width, y: (y * to.height) / from.height, k }
    : { x: x + (from.width - to.width) / 2 / k, y: y + (from.height - to.height) / 2 / k, k };
}

/** Where a bitmap drawn for one camera belongs under another: its scales, and its top left corner in CSS pixels. */
export function shiftBetween(drawnAt: Camera, camera: Camera, zooms: Zooms = 'both') {
  return {
    scaleX: zooms === 'upright' ? 1 : camera.k / drawnAt.k,
    scale: camera.k / drawnAt.k,
    x: (drawnAt.x - camera.x) * scaleAcross(camera.k, zooms),
    y: (drawnAt.y - camera.y) * camera.k,
  };
}

/** Whether a bitmap drawn for one camera is still acceptable for another: not too coarse, too fine or too far off. */
export function stillServes(drawnAt: Camera, camera: Camera, view: Size, zooms: Zooms = 'both'): boolean {
  return serves(drawnAt, camera, view, zooms, 2, minCoverage);
}

/** Whether it is good enough that no redraw needs to start. */
export function stillServesWell(drawnAt: Camera, camera: Camera, view: Size, zooms: Zooms = 'both'): boolean {
  return serves(drawnAt, camera, view, zooms, 1.4, 0.9);
}

function serves(
  drawnAt: Camera,
  camera: Camera,
  view: Size,
  zooms: Zooms,
  maxScale: number,
  minShare: number,
): boolean {
  const { scale, scaleX, x, y } = shiftBetween(drawnAt, camera, zooms);
  const coverage = (at: number, all: number, by: number) =>
    Math.max(0, Math.min(all, at + all * by) - Math.max(0, at)) / all;
  return scale <= maxScale && coverage(x, view.width, scaleX) * coverage(y, view.height, scale) >= minShare;
}

/** The share of the view that must never be empty, even for a moment. */
const minCoverage = 0.65;

export function isSameCamera(a: Camera, b: Camera): boolean {
  return a.x === b.x && a.y === b.y && a.k === b.k;
}

/** A whole chart scaled down: CSS pixels of the miniature per layout unit, and the position of its top left corner. */
export type Miniature = {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly left: number;
  readonly top: number;
};

/** A chart that is much taller than wide is widened by at most this factor. */
const maxWidened = 8;

/** @param extent of the chart, in layout units; `room` in CSS pixels */
export function miniatureIn(room: Size, extent: Size): Miniature {
  const scale = Math.min(room.width / extent.width, room.height / extent.height);
  const scaleX = Math.min(room.width / extent.width, scale * maxWidened);
  return {
    scaleX,
    scaleY: scale,
    left: (room.width - extent.width * scaleX) / 2,
    top: (room.height - extent.height * scale) / 2,
  };
}

/** The visible part, in CSS pixels of the miniature, clipped to it. */
export function viewportIn(
  { scaleX, scaleY, left, top }: Miniature,
  room: Size,
  { x, y, k }: Camera,
  view: Size,
  zooms: Zooms,
): Box {
  const [width, height] = [view.width / scaleAcross(k, zooms), view.height / k];
  const within = (at: number, max: number) => Math.min(Math.max(0, at), max);
  return {
    x0: within(left + x * scaleX, room.width),
    y0: within(top + y * scaleY, room.height),
    x1: within(left + (x + width) * scaleX, room.width),
    y1: within(top + (y + height) * scaleY, room.height),
  };
}

/** The layout point at a point of the miniature. */
export function pointBehind({ scaleX, scaleY, left, top }: Miniature, px: number, py: number) {
  return { x: (px - left) / scaleX, y: (py - top) / scaleY };
}

/** The camera with the same zoom and a layout point in the centre of the view. */
export function cameraAround(camera: Camera, at: { x: number; y: number }, view: Size, zooms: Zooms): Camera {
  const { k } = camera;
  return { x: at.x - view.width / 2 / scaleAcross(k, zooms), y: at.y - view.height / 2 / k, k };
}

/** Whether the whole chart is visible, within a pixel. */
export function showsAll({ x, y, k }: Camera, extent: Size, view: Size, zooms: Zooms): boolean {
  const across = scaleAcross(k, zooms);
  return (
    x * across <= 1 &&
    y * k <= 1 &&
    (extent.width - x) * across <= view.width + 1 &&
    (extent.height - y) * k <= view.height + 1
  );
}
