/** Marks at most, while the picture moves and when it stands. Source: `LayoutOptions.budget`. */
const movingMarks = 10_000;
const restingMarks = 20_000;
const fewestMarks = 1_500;
/** A frame of 60 a second, with room for the browser's own work; above, the next one gets fewer marks. */
const slowMs = 14;
const fastMs = 8;

/** How much a moving picture may hold so that this machine draws it in time: less after slow frames, more after fast. */
export function createFramePace() {
  let isMoving = false;
  let marks = movingMarks;
  return {
    moving(now: boolean): void {
      isMoving = now;
    },
    budget: (): number => (isMoving ? marks : restingMarks),
    /** @param ms what laying out and drawing the last frame took */
    measured(ms: number): void {
      if (!isMoving) return;
      if (ms > slowMs) marks = Math.max(fewestMarks, Math.round(marks * Math.max(0.4, slowMs / ms)));
      else if (ms < fastMs) marks = Math.min(movingMarks, Math.round(marks * 1.1));
    },
  };
}
