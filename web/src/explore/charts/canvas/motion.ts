import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import { movedDown, type Pose, poseOf, type Shift } from '../paint/mark-outline.ts';
import { createMorphPainter, matchPoses, maxFlying, morphMs } from '../paint/morph.ts';
import type { Paint } from '../paint/painter.ts';

type MotionDeps = {
  readonly canvas: HTMLCanvasElement;
  /** Covers the canvas. */
  readonly overlay: HTMLCanvasElement;
  /** Whether animation is allowed. */
  readonly allowsMotion: () => boolean;
};

/** A transition that has run for less than this was not visible yet. */
const barelyMs = 100;

export type Motion = ReturnType<typeof createMotion>;

/** Animates the marks of one chart to the next. */
export function createMotion({ canvas, overlay, allowsMotion }: MotionDeps) {
  let departure: (Departure & { readonly content: Content }) | undefined;
  /** The running animation and when it began. */
  let begun: { readonly from: NonNullable<typeof departure>; readonly at: number } | undefined;
  let endFlight = (): void => undefined;
  function end(): void {
    endFlight();
    endFlight = () => undefined;
  }

  return {
    /** Call before the canvas shows another chart. `shift` is the current position of the old one. */
    leave({ content }: LoadedTree, marks: Marks, view: Size, shift: Shift): void {
      end();
      begun = undefined;
      departure = undefined;
      if (allowsMotion() && canvas.width > 0) departure = { ...depart(canvas, marks, view, shift), content };
    },
    /** Lets another chart replace the next one of a transition that has just begun. @returns whether there was one */
    leaveAgain(): boolean {
      if (!begun || performance.now() - begun.at > barelyMs) return false;
      departure = begun.from;
      return true;
    },
    /** Whether {@link leave} waits for the next chart. */
    isLeaving: (): boolean => departure !== undefined,
    /** Call when the canvas shows the next chart. */
    arrive(arrival: Arrival): void {
      if (!departure) return;
      const from = departure;
      departure = undefined;
      const isAlike =
        from.still.width === canvas.width && Math.abs(from.still.height - canvas.height) <= canvas.height / 4;
      // In other content, row numbers identify other nodes.
      if (!isAlike || from.content !== arrival.tree.content) return;
      begun = { from, at: performance.now() };
      endFlight = arrive(overlay, canvas.height, from, arrival);
    },
    end,
    close: end,
  };
}

/** The chart before a transition: what of it can fly, and a copy of how it looked. */
type Departure = { readonly pose: Pose; readonly still: HTMLCanvasElement };

type Arrival = {
  readonly marks: Marks;
  readonly view: Size;
  readonly tree: LoadedTree;
  readonly paint: Pick<Paint, 'theme' | 'colourBy' | 'dpr'> & { readonly selected: number };
};

/** If a frame takes longer, in milliseconds, fewer marks fly from then on. */
const slowMs = 12;
const minFlying = 200;
const noShift: Shift = { scaleX: 1, scale: 1, x: 0, y: 0 };

/** Copies the canvas before the next chart is drawn. */
function depart(canvas: HTMLCanvasElement, marks: Marks, view: Size, shift: Shift): Departure {
  const still = document.createElement('canvas');
  still.width = canvas.width;
  still.height = canvas.height;
  still.getContext('2d')?.drawImage(canvas, 0, 0);
  return { pose: poseOf(marks, view, shift, maxFlying), still };
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
  const to = poseOf(arrival.marks, arrival.view, noShift, maxFlying);
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
    if (performance.now() - started > slowMs) most = Math.max(minFlying, most >> 1);
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
