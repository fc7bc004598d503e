import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';
import type { Shift } from '../paint/mark-outline.ts';
import type { Arrival, Departure } from './morphing.ts';

type MotionDeps = {
  readonly canvas: HTMLCanvasElement;
  /** Lies over the canvas. */
  readonly overlay: HTMLCanvasElement;
  /** Whether things may move by themselves. */
  readonly allowsMotion: () => boolean;
};

/** A flight that goes on for less was not seen yet. */
const barelyMs = 100;

export type Motion = ReturnType<typeof createMotion>;

/**
 * The way from one picture on a canvas to the next one: its marks fly. The script for that comes with the first input of
 * somebody, who cannot leave a picture without one; a picture that is left before it is here simply gives way.
 */
export function createMotion({ canvas, overlay, allowsMotion }: MotionDeps) {
  let script: typeof import('./morphing.ts') | undefined;
  let departure: (Departure & { readonly content: Content }) | undefined;
  /** What flies since when. */
  let begun: { readonly from: NonNullable<typeof departure>; readonly at: number } | undefined;
  let endFlight = (): void => undefined;
  const takeBack = onFirstInput(() => {
    import('./morphing.ts').then(
      (loaded) => {
        script = loaded;
      },
      // Nothing is lost but the way.
      () => undefined,
    );
  });

  function end(): void {
    endFlight();
    endFlight = () => undefined;
  }

  return {
    /** The picture on the canvas is going to be another one. `shift` is where it stands now. */
    leave({ content }: LoadedTree, marks: Marks, view: Size, shift: Shift): void {
      end();
      begun = undefined;
      departure = undefined;
      if (script && allowsMotion() && canvas.width > 0)
        departure = { ...script.depart(canvas, marks, view, shift), content };
    },
    /** A picture that has just begun to give way to the next one gives way to another instead. @returns whether one has */
    leaveAgain(): boolean {
      if (!begun || performance.now() - begun.at > barelyMs) return false;
      departure = begun.from;
      return true;
    },
    /** Whether {@link leave} waits for the next picture. */
    isLeaving: (): boolean => departure !== undefined,
    /** The next picture is on the canvas. */
    arrive(arrival: Arrival): void {
      if (!departure || !script) return;
      const from = departure;
      departure = undefined;
      const isAlike =
        from.still.width === canvas.width && Math.abs(from.still.height - canvas.height) <= canvas.height / 4;
      // Rows of other content are other nodes.
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
