import type { Camera } from '../../model/camera.ts';
import { type Size, stillServes, stillServesWell } from '../camera/camera.ts';
import type { Zooms } from '../layout/layout.ts';
import type { FramePace } from './frame-pace.ts';
import type { Still } from './still-frame.ts';

/** A layout and its drawing, which advances with each step. */
export type Begun = { readonly at: Camera; readonly count: number; readonly steps: Iterator<void> };

type RedrawDeps = {
  readonly still: Still;
  readonly pace: FramePace;
  /** Starts the next layout. */
  readonly begin: (pen: CanvasRenderingContext2D, now: number) => Begun;
};

/** Position of the current bitmap, and the camera that shows it. */
export type MovingViewport = {
  readonly drawnAt: Camera;
  readonly camera: Camera;
  readonly view: Size;
  readonly dpr: number;
  readonly zooms: Zooms;
  /** Marks of the current layout. */
  readonly count: number;
  /** Whether it was laid out for another camera. */
  readonly isOff: boolean;
  /** Whether there is more to draw. */
  readonly needsLayout: boolean;
};

/** The next redraw, done off screen with one step per frame, while the current bitmap moves along with the camera. */
export function createRedraw({ still, pace, begin }: RedrawDeps) {
  let underWay: (Begun & { ms: number }) | undefined;

  function start(drawnAt: Camera, now: number): void {
    const started = performance.now();
    const begun = begin(still.begin(drawnAt), now);
    underWay = { ...begun, ms: performance.now() - started };
  }

  function step(): void {
    if (!underWay) return;
    const started = performance.now();
    const { done } = underWay.steps.next();
    still.settle();
    underWay.ms += performance.now() - started;
    if (!done) return;
    still.turn(underWay.at);
    pace.measured(underWay.ms, underWay.count, performance.now());
    underWay = undefined;
  }

  return {
    isUnderWay: (): boolean => underWay !== undefined,
    /** Discards the redraw in progress. */
    drop(): void {
      underWay = undefined;
    },
    /**
     * Shows the current bitmap where the camera sees it, and continues the redraw if drawing takes longer than a frame.
     * @returns whether that is enough; if not, draw at once
     */
    moveOn({ drawnAt, camera, view, dpr, zooms, count, isOff, needsLayout }: MovingViewport, now: number): boolean {
      const serves = (is: typeof stillServes) => is(still.drawnFor(drawnAt), camera, view, zooms);
      if (underWay) step();
      else if (!(isOff || needsLayout) || !serves(stillServes)) return false;
      else if (!pace.wasSlow() && pace.fits(count)) return false;
      else if ((needsLayout && !pace.waits(now)) || (isOff && !(pace.isMoving() && serves(stillServesWell)))) {
        start(drawnAt, now);
      }
      // If the current bitmap is no longer acceptable, finish the redraw now.
      while (underWay && !serves(stillServes)) step();
      if (!serves(stillServes)) return false;
      if (isOff || !underWay) still.show(drawnAt, camera, dpr, zooms);
      return true;
    },
  };
}

export type Redraw = ReturnType<typeof createRedraw>;
