import type { Camera } from '../../model/camera.ts';
import { shiftBetween } from '../camera/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import { shareWriters } from '../paint/fonts.ts';

/** A bitmap as large as the canvas, and the camera that it was drawn for. */
type Sheet = { readonly pen: CanvasRenderingContext2D; at: Camera };

export type Still = ReturnType<typeof createStill>;

/**
 * The last finished bitmap, shown moved and scaled while a redraw would be too slow, and a second sheet on which that
 * redraw can happen in the meantime.
 *
 * Only what is on the canvas anyway is copied, and only when needed: a chart that is redrawn in every frame costs
 * nothing here.
 */
export function createStill(context: CanvasRenderingContext2D) {
  let shown = createSheet(context);
  let next: Sheet | undefined;
  const probe = createSheet(context).pen;
  probe.canvas.width = probe.canvas.height = 1;
  let isCurrent = false;

  /** Copies the canvas, unless that was done already. */
  function keep(drawnAt: Camera): void {
    if (isCurrent) return;
    fit(shown);
    shown.pen.drawImage(context.canvas, 0, 0);
    shown.at = drawnAt;
    isCurrent = true;
  }

  function fit({ pen }: Sheet): void {
    pen.canvas.width = context.canvas.width;
    pen.canvas.height = context.canvas.height;
  }

  return {
    /** The canvas has a new drawing. */
    outdated(): void {
      isCurrent = false;
    },
    /** The camera of the bitmap that {@link show} shows. @param drawnAt that of the drawing on the canvas */
    drawnFor: (drawnAt: Camera): Camera => (isCurrent ? shown.at : drawnAt),
    /** Shows the bitmap drawn for one camera as another camera sees it. */
    show(drawnAt: Camera, camera: Camera, dpr: number, zooms: Zooms): void {
      keep(drawnAt);
      const { canvas } = context;
      const { scale, scaleX, x, y } = shiftBetween(shown.at, camera, zooms);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(shown.pen.canvas, x * dpr, y * dpr, canvas.width * scaleX, canvas.height * scale);
    },
    /** A sheet to draw the next bitmap on, while the current one is shown. */
    begin(drawnAt: Camera): CanvasRenderingContext2D {
      keep(drawnAt);
      next ??= createSheet(context);
      fit(next);
      return next.pen;
    },
    /** Makes the browser rasterize the next sheet now, which it otherwise defers until it is shown. */
    settle(): void {
      if (next) probe.drawImage(next.pen.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    },
    /** The next sheet is finished, and shown from now on. */
    turn(at: Camera): void {
      if (!next) return;
      [shown, next] = [next, shown];
      shown.at = at;
    },
    /** Removes the sheets from the canvas. */
    close(): void {
      for (const pen of [shown.pen, next?.pen, probe]) pen?.canvas.remove();
    },
  };
}

/** The sheet is a child of the canvas, to inherit its text styles: otherwise digits would look different. */
function createSheet(context: CanvasRenderingContext2D): Sheet {
  const sheet = document.createElement('canvas');
  sheet.hidden = true;
  context.canvas.append(sheet);
  const pen = sheet.getContext('2d')!;
  shareWriters(context, pen);
  return { pen, at: { x: 0, y: 0, k: 1 } };
}
