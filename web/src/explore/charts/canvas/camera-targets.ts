import type { Camera } from '../../model/camera.ts';
import { type Box, cameraOn, filledBy, homeCamera, type Size, scaleAcross } from '../camera/camera.ts';
import type { Marks, Zooms } from '../layout/layout.ts';

const boxMargin = 8;
const rowMargin = 48;
const treeMargin = 24;
/** The width of a box, and the height of a bar, from which its name is legible. */
const legiblePx = 60;
const legibleBarPx = 14;
/** The margin around a node that the user goes to, as a share of the shorter side of the view. */
const soughtShare = 0.42;

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
  // Points and their names have the same size at every zoom.
  if (form === 'scatter') return undefined;
  const isLegible = form === 'bars' ? (box.y1 - box.y0) * k >= legibleBarPx : (box.x1 - box.x0) * k >= legiblePx;
  if (isLegible) return undefined;
  const near = cameraOn(box, view, Math.min(view.width, view.height) * soughtShare, undefined, zooms);
  return form === 'links' ? near : filledBy(near, extent, view, zooms);
}
