/** Marks at most, while the picture moves and when it stands. Source: `LayoutOptions.budget`. */
const movingMarks = 10_000;
const restingMarks = 20_000;
const fewestMarks = 1_500;
/** A frame of 60 a second, with room for the browser's own work; above, the next one gets fewer marks. */
const slowMs = 14;
const fastMs = 8;
/** A redraw that takes longer does not go with input that arrives with every frame. Source: pack.md, "On the screen". */
const fittingMs = 12;

/**
 * How much a moving picture may hold so that this machine draws it in time, less after slow frames and more after fast
 * ones; and whether it should be drawn at all while it moves.
 */
export function createFramePace() {
  let isMoving = false;
  let marks = movingMarks;
  /** What a mark takes, in milliseconds: half of it the last redraw, half the ones before. */
  let msPerMark = 0;
  return {
    moving(now: boolean): void {
      isMoving = now;
    },
    budget: (): number => (isMoving ? marks : restingMarks),
    /** Whether a picture like the last one, of so many marks, can be drawn anew within a frame of a move. */
    fits: (count: number): boolean => !isMoving || msPerMark * Math.min(count, marks) <= fittingMs,
    /** @param ms what laying out and drawing the last frame took, and `count` its marks */
    measured(ms: number, count: number): void {
      const latest = ms / Math.max(1, count);
      msPerMark = msPerMark === 0 ? latest : (msPerMark + latest) / 2;
      if (!isMoving) return;
      if (ms > slowMs) marks = Math.max(fewestMarks, Math.round(marks * Math.max(0.4, slowMs / ms)));
      else if (ms < fastMs) marks = Math.min(movingMarks, Math.round(marks * 1.1));
    },
  };
}
