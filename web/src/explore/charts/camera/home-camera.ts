import type { Camera } from '../../model/camera.ts';
import type { Marks } from '../layout/layout.ts';
import { cameraOn, homeCamera, type Size } from './camera.ts';

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
