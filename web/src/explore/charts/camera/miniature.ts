import type { Camera } from '../../model/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import { type Box, type Size, scaleAcross } from './camera.ts';

/** A whole chart scaled down: CSS pixels of the miniature per layout unit, and the position of its top left corner. */
export type Miniature = {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly left: number;
  readonly top: number;
};

/** A chart that is much taller than wide is widened by at most this factor. */
const mostWidened = 8;

/** @param extent of the chart, in layout units; `room` in CSS pixels */
export function miniatureIn(room: Size, extent: Size): Miniature {
  const scale = Math.min(room.width / extent.width, room.height / extent.height);
  const scaleX = Math.min(room.width / extent.width, scale * mostWidened);
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
  const within = (at: number, most: number) => Math.min(Math.max(0, at), most);
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
export function seesAll({ x, y, k }: Camera, extent: Size, view: Size, zooms: Zooms): boolean {
  const across = scaleAcross(k, zooms);
  return (
    x * across <= 1 &&
    y * k <= 1 &&
    (extent.width - x) * across <= view.width + 1 &&
    (extent.height - y) * k <= view.height + 1
  );
}
