import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import type { Shift } from '../paint/mark-outline.ts';
import type { Arrival, Departure } from './morphing.ts';

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

/**
 * Animates the marks of one chart to the next. The script for it loads on the first user input, because no transition
 * happens without one; a transition before it has loaded is not animated.
 */
export function createMotion({ canvas, overlay, allowsMotion }: MotionDeps) {
  let script: typeof import('./morphing.ts') | undefined;
  let departure: (Departure & { readonly content: Content }) | undefined;
  /** The running animation and when it began. */
  let begun: { readonly from: NonNullable<typeof departure>; readonly at: number } | undefined;
  let endFlight = (): void => undefined;
  const takeBack = onFirstInput(() => {
    import('./morphing.ts').then(
      (loaded) => {
        script = loaded;
      },
      // Only the animation is lost.
      () => undefined,
    );
  });

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
      if (script && allowsMotion() && canvas.width > 0)
        departure = { ...script.depart(canvas, marks, view, shift), content };
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
      if (!departure || !script) return;
      const from = departure;
      departure = undefined;
      const isAlike =
        from.still.width === canvas.width && Math.abs(from.still.height - canvas.height) <= canvas.height / 4;
      // In other content, row numbers identify other nodes.
      if (!isAlike || from.content !== arrival.tree.content) return;
      begun = { from, at: performance.now() };
      endFlight = script.arrive(overlay, canvas.height, from, arrival);
    },
    end,
    close(): void {
      takeBack();
      end();
    },
  };
}

/** @returns stops waiting */
function onFirstInput(act: () => void): () => void {
  const waiting = new AbortController();
  const { signal } = waiting;
  const hear = () => {
    waiting.abort();
    act();
  };
  for (const kind of ['pointermove', 'pointerdown', 'keydown']) addEventListener(kind, hear, { signal, capture: true });
  return () => waiting.abort();
}
