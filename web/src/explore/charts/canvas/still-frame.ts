import type { Camera } from '../../model/camera.ts';
import { shiftBetween } from '../camera/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import { shareWriters } from '../paint/fonts.ts';

/** A bitmap as large as the canvas, and the camera that it was drawn for. */
type Sheet = { readonly pen: CanvasRenderingContext2D; at: Camera };

export type Still = ReturnType<typeof createStill>;

/**
 * The last finished picture, shown moved and scaled while the next one would be too slow to draw; and a second sheet on which
 * that one may be drawn meanwhile.
 *
 * Only what is on the canvas anyway is copied, and only when it is needed: a picture that is drawn anew every frame
 * costs nothing here.
 */
export function createStill(context: CanvasRenderingContext2D) {
  let shown = createSheet(context);
  let next: Sheet | undefined;
  const probe = createSheet(context).pen;
  probe.canvas.width = probe.canvas.height = 1;
  let isCurrent = false;

  /** Keeps what is on the canvas, if that was not done yet. */
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
    /** The canvas has a new picture. */
    outdated(): void {
      isCurrent = false;
    },
    /** The camera of the picture that {@link show} shows. @param drawnAt that of the picture on the canvas */
    drawnFor: (drawnAt: Camera): Camera => (isCurrent ? shown.at : drawnAt),
    /** Puts the picture drawn for one camera where another camera sees it. */
    show(drawnAt: Camera, camera: Camera, dpr: number, zooms: Zooms): void {
      keep(drawnAt);
      const { canvas } = context;
      const { scale, scaleX, x, y } = shiftBetween(shown.at, camera, zooms);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(shown.pen.canvas, x * dpr, y * dpr, canvas.width * scaleX, canvas.height * scale);
    },
    /** A sheet to draw the next picture on, while this one is shown. */
    begin(drawnAt: Camera): CanvasRenderingContext2D {
      keep(drawnAt);
      next ??= createSheet(context);
      fit(next);
      return next.pen;
    },
    /** Makes the browser turn what was drawn on the next sheet into pixels now, which it puts off to when they are needed. */
    settle(): void {
      if (next) probe.drawImage(next.pen.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
    },
    /** The next sheet is finished, and shown from now on. */
    turn(at: Camera): void {
      if (!next) return;
      [shown, next] = [next, shown];
      shown.at = at;
    },
    /** Takes the sheets off the canvas. */
    close(): void {
      for (const pen of [shown.pen, next?.pen, probe]) pen?.canvas.remove();
    },
  };
}

/** It hangs in the canvas, where it inherits how text looks there: else figures would be written with other digits. */
function createSheet(context: CanvasRenderingContext2D): Sheet {
  const sheet = document.createElement('canvas');
  sheet.hidden = true;
  context.canvas.append(sheet);
  const pen = sheet.getContext('2d')!;
  shareWriters(context, pen);
  return { pen, at: { x: 0, y: 0, k: 1 } };
}
