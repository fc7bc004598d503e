/** Maximum number of marks while the chart moves and at rest. Source: `LayoutOptions.budget`. */
const movingMarks = 10_000;
const restingMarks = 20_000;
const minMarks = 1_500;
/** Maximum number of items that a moving chart may rearrange. */
const movingEffort = 400;
/** A 60 Hz frame, minus the browser's own work; after a slower one, the next frame gets fewer marks. */
const slowMs = 14;
const fastMs = 8;
/** A redraw that takes longer cannot keep up with input that arrives in every frame. */
const fittingMs = 12;

/** After a redraw that was too slow, new data triggers the next one only after this many times its duration. */
const pauses = 10;
const maxPauseMs = 250;

/**
 * How many marks a moving chart may have so that this machine draws it in time: fewer after slow frames, more after
 * fast ones. Also decides whether to redraw at all while it moves.
 */
export function createFramePace() {
  let isMoving = false;
  let marks = movingMarks;
  /** Milliseconds per mark: half from the last redraw, half from earlier ones. */
  let msPerMark = 0;
  let last = { ms: 0, at: 0 };
  const pace = {
    moving(now: boolean): void {
      isMoving = now;
    },
    budget: (): number => (isMoving ? marks : restingMarks),
    effort: (): number => (isMoving ? movingEffort : Number.POSITIVE_INFINITY),
    /** Whether a layout of so many marks, at the speed of the last one, can be drawn within a frame of a move. */
    fits: (count: number): boolean => !isMoving || msPerMark * Math.min(count, marks) <= fittingMs,
    isMoving: (): boolean => isMoving,
    /** Whether the last redraw took longer than a frame allows: the next one should be drawn in steps. */
    wasSlow: (): boolean => last.ms > fittingMs,
    /** Whether a move continues with the current bitmap at `now`, although there is more to draw. */
    waits: (now: number): boolean =>
      isMoving && pace.wasSlow() && now - last.at < Math.min(last.ms * pauses, maxPauseMs),
    /**
     * Measures the current frame, which began at `started`, when the browser has finished it: most of the cost of
     * drawing comes after the last draw call, when the browser puts the frame on screen.
     */
    drawing(started: number, count: number): void {
      const done = new MessageChannel();
      done.port1.onmessage = () => {
        done.port1.close();
        pace.measured(performance.now() - started, count, performance.now());
      };
      done.port2.postMessage(undefined);
    },
    /** @param ms duration of layout and drawing of the last frame until `at`, and `count` its marks */
    measured(ms: number, count: number, at = 0): void {
      last = { ms, at };
      const latest = ms / Math.max(1, count);
      msPerMark = msPerMark === 0 ? latest : (msPerMark + latest) / 2;
      if (!isMoving) return;
      if (ms > slowMs) marks = Math.max(minMarks, Math.round(Math.min(marks, count) * Math.max(0.4, slowMs / ms)));
      else if (ms < fastMs) marks = Math.min(movingMarks, Math.round(marks * 1.1));
    },
  };
  return pace;
}

export type FramePace = ReturnType<typeof createFramePace>;
