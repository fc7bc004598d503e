import type { Camera, Zooms } from '../../layouts/layout.ts';
import { shiftBetween } from '../../state/camera.ts';

/**
 * The last finished picture, shown moved and scaled while the next one would be too slow to draw.
 *
 * Only what is on the canvas anyway is copied, and only when it is needed: a picture that is drawn anew every frame
 * costs nothing here.
 */
export function createStill(context: CanvasRenderingContext2D) {
  const copy = document.createElement('canvas');
  let isCurrent = false;
  return {
    /** The canvas has a new picture. */
    outdated(): void {
      isCurrent = false;
    },
    /** Puts the picture drawn for one camera where another camera sees it. */
    show(drawnAt: Camera, camera: Camera, dpr: number, zooms: Zooms): void {
      const { canvas } = context;
      if (!isCurrent) {
        copy.width = canvas.width;
        copy.height = canvas.height;
        copy.getContext('2d')?.drawImage(canvas, 0, 0);
        isCurrent = true;
      }
      const { scale, scaleX, x, y } = shiftBetween(drawnAt, camera, zooms);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(copy, x * dpr, y * dpr, canvas.width * scaleX, canvas.height * scale);
    },
  };
}
