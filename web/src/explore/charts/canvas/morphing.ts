import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import { movedDown, type Pose, poseOf, type Shift } from '../paint/mark-outline.ts';
import { createMorphPainter, matchPoses, morphMs, mostFlying } from '../paint/morph.ts';
import type { Paint } from '../paint/painter.ts';

/** The chart before a transition: what of it can fly, and a copy of how it looked. */
export type Departure = { readonly pose: Pose; readonly still: HTMLCanvasElement };

export type Arrival = {
  readonly marks: Marks;
  readonly view: Size;
  readonly tree: LoadedTree;
  readonly paint: Pick<Paint, 'theme' | 'colourBy' | 'dpr'> & { readonly selected: number };
};

/** If a frame takes longer, in milliseconds, fewer marks fly from then on. */
const slowMs = 12;
const fewestFlying = 200;
const noShift: Shift = { scaleX: 1, scale: 1, x: 0, y: 0 };

/** Copies the canvas before the next chart is drawn. */
export function depart(canvas: HTMLCanvasElement, marks: Marks, view: Size, shift: Shift): Departure {
  const still = document.createElement('canvas');
  still.width = canvas.width;
  still.height = canvas.height;
  still.getContext('2d')?.drawImage(canvas, 0, 0);
  return { pose: poseOf(marks, view, shift, mostFlying), still };
}

/**
 * Animates the marks of the previous chart to their positions in the new one, which is drawn under the overlay.
 *
 * @param height of the new chart, in device pixels
 * @returns ends the animation at once
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
    // A canvas without a size uses no memory.
    overlay.width = 0;
  }
  return end;
}

/**
 * The previous chart as seen from a canvas of another height, aligned at the bottom: panels appear and disappear above
 * it.
 */
function stoodOnFoot({ pose, still }: Departure, height: number, dpr: number): Departure {
  const down = height - still.height;
  if (down === 0) return { pose, still };
  const moved = document.createElement('canvas');
  moved.width = still.width;
  moved.height = height;
  moved.getContext('2d')?.drawImage(still, 0, down);
  return { pose: movedDown(pose, down / dpr), still: moved };
}
