import type { Shift } from '../draw/outline.ts';
import type { Marks } from '../layouts/layout.ts';
import type { Size } from '../state/camera.ts';
import type { HeldTree } from '../store/held-tree.ts';
import { whenBrowserIdles } from '../store/load-slices.ts';
import type { Arrival, Departure } from './morphing.ts';

type MotionParts = {
  readonly canvas: HTMLCanvasElement;
  /** Lies over the canvas. */
  readonly overlay: HTMLCanvasElement;
  /** Whether things may move by themselves. */
  readonly mayMove: () => boolean;
};

export type Motion = ReturnType<typeof createMotion>;

/**
 * The way from one picture on a canvas to the next one: its marks fly. The script for that comes when the browser has
 * nothing else to do; a picture that is left before simply gives way.
 */
export function createMotion({ canvas, overlay, mayMove }: MotionParts) {
  let script: typeof import('./morphing.ts') | undefined;
  let departure: (Departure & { readonly tree: HeldTree }) | undefined;
  let endFlight = (): void => undefined;
  const takeBack = whenBrowserIdles(() => {
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
    leave(tree: HeldTree, marks: Marks, view: Size, shift: Shift): void {
      end();
      departure = undefined;
      if (script && mayMove() && canvas.width > 0) departure = { ...script.depart(canvas, marks, view, shift), tree };
    },
    /** Whether {@link leave} waits for the next picture. */
    isLeaving: (): boolean => departure !== undefined,
    /** The next picture is on the canvas. */
    arrive(arrival: Arrival): void {
      if (!departure || !script) return;
      const from = departure;
      departure = undefined;
      const isSameSize = from.still.width === canvas.width && from.still.height === canvas.height;
      // Rows of another tree are other nodes.
      if (isSameSize && from.tree === arrival.tree) endFlight = script.arrive(overlay, from, arrival);
    },
    end,
    close(): void {
      takeBack();
      end();
    },
  };
}
