import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import { movedDown, type Pose, poseOf, type Shift } from '../paint/mark-outline.ts';
import { createMorphPainter, matchPoses, morphMs, mostFlying } from '../paint/morph.ts';
import type { Paint } from '../paint/paint.ts';

/** A picture that is left: what of it can fly, and how it looked. */
export type Departure = { readonly pose: Pose; readonly still: HTMLCanvasElement };

export type Arrival = {
  readonly marks: Marks;
  readonly view: Size;
  readonly tree: LoadedTree;
  readonly paint: Pick<Paint, 'theme' | 'colourBy' | 'dpr'> & { readonly selected: number };
};

/** A frame that takes longer flies with fewer marks from then on, in milliseconds. */
const slowMs = 12;
const fewestFlying = 200;
const noShift: Shift = { scaleX: 1, scale: 1, x: 0, y: 0 };

/** Copies what is on the canvas, before the next picture is drawn. */
export function depart(canvas: HTMLCanvasElement, marks: Marks, view: Size, shift: Shift): Departure {
  const still = document.createElement('canvas');
  still.width = canvas.width;
  still.height = canvas.height;
  still.getContext('2d')?.drawImage(canvas, 0, 0);
  return { pose: poseOf(marks, view, shift, mostFlying), still };
}

/**
 * Lets the marks of the picture before fly to their places in the one that is drawn under the overlay.
 *
 * @param height of the next picture, in device pixels
 * @returns ends it at once
 */
export function arrive(overlay: HTMLCanvasElement, height: number, departure: Departure, arrival: Arrival): () => void {
  const { pose, still } = stoodOnFoot(departure, height, arrival.paint.dpr);
  const context = overlay.getContext('2d')!;
  overlay.width = still.width;
  overlay.height = height;
  const to = poseOf(arrival.marks, arrival.view, noShift, mostFlying);
  const morph = matchPoses(pose, to);
  const paint = createMorphPainter(morph, pose, to, arrival.tree, arrival.paint);
  let most = morph.count;
  let began: number | undefined;
  let frame = requestAnimationFrame(fly);
  paint(context, still, 0, most);

  function fly(now: number): void {
    began ??= now;
    const t = (now - began) / morphMs;
    if (t >= 1) {
      end();
      return;
    }
    const started = performance.now();
    paint(context, still, t, most);
    if (performance.now() - started > slowMs) most = Math.max(fewestFlying, most >> 1);
    frame = requestAnimationFrame(fly);
  }

  function end(): void {
    cancelAnimationFrame(frame);
    // A canvas without a size holds no memory.
    overlay.width = 0;
  }
  return end;
}

/** A picture as it stood on the screen, seen from one that is higher or lower: what comes and goes is above them. */
function stoodOnFoot({ pose, still }: Departure, height: number, dpr: number): Departure {
  const down = height - still.height;
  if (down === 0) return { pose, still };
  const moved = document.createElement('canvas');
  moved.width = still.width;
  moved.height = height;
  moved.getContext('2d')?.drawImage(still, 0, down);
  return { pose: movedDown(pose, down / dpr), still: moved };
}
