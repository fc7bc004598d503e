/** Marks at most, while the picture moves and when it stands. Source: `LayoutOptions.budget`. */
const movingMarks = 10_000;
const restingMarks = 20_000;
const fewestMarks = 1_500;
/** Items that a moving picture may arrange anew. */
const movingEffort = 400;
/** A frame of 60 a second, with room for the browser's own work; above, the next one gets fewer marks. */
const slowMs = 14;
const fastMs = 8;
/** A redraw that takes longer does not go with input that arrives with every frame. Source: pack.md, "On the screen". */
const fittingMs = 12;

/** After a redraw that did not fit, so many times as long goes by until new data is worth another one, and no longer. */
const pauses = 10;
const longestPauseMs = 250;

/**
 * How much a moving picture may hold so that this machine draws it in time, less after slow frames and more after fast
 * ones; and whether it should be drawn at all while it moves.
 */
export function createFramePace() {
  let isMoving = false;
  let marks = movingMarks;
  /** What a mark takes, in milliseconds: half of it the last redraw, half the ones before. */
  let msPerMark = 0;
  let last = { ms: 0, at: 0 };
  const pace = {
    moving(now: boolean): void {
      isMoving = now;
    },
    budget: (): number => (isMoving ? marks : restingMarks),
    effort: (): number => (isMoving ? movingEffort : Number.POSITIVE_INFINITY),
    /** Whether a picture like the last one, of so many marks, can be drawn anew within a frame of a move. */
    fits: (count: number): boolean => !isMoving || msPerMark * Math.min(count, marks) <= fittingMs,
    isMoving: (): boolean => isMoving,
    /** Whether the last picture took longer than fits a frame: the next one is better drawn in steps. */
    wasSlow: (): boolean => last.ms > fittingMs,
    /** Whether a move goes on with the picture there is at `now`, though there is more to be drawn. */
    waits: (now: number): boolean =>
      isMoving && pace.wasSlow() && now - last.at < Math.min(last.ms * pauses, longestPauseMs),
    /**
     * Notes what the frame under way takes, which began at `started`, when the browser is done with it: most of what a
     * picture costs is paid after the last call that draws, where the browser puts it on the screen.
     */
    drawing(started: number, count: number): void {
      const done = new MessageChannel();
      done.port1.onmessage = () => {
        done.port1.close();
        pace.measured(performance.now() - started, count, performance.now());
      };
      done.port2.postMessage(undefined);
    },
    /** @param ms what laying out and drawing the last frame took until `at`, and `count` its marks */
    measured(ms: number, count: number, at = 0): void {
      last = { ms, at };
      const latest = ms / Math.max(1, count);
      msPerMark = msPerMark === 0 ? latest : (msPerMark + latest) / 2;
      if (!isMoving) return;
      if (ms > slowMs) marks = Math.max(fewestMarks, Math.round(Math.min(marks, count) * Math.max(0.4, slowMs / ms)));
      else if (ms < fastMs) marks = Math.min(movingMarks, Math.round(marks * 1.1));
    },
  };
  return pace;
}

export type FramePace = ReturnType<typeof createFramePace>;
