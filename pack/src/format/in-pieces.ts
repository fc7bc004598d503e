/** Lets others be answered; rejects when nobody waits any more. */
export type Pause = () => Promise<void>;

/** For whoever has nothing else to do in this thread. */
export const noPause: Pause = async () => undefined;

/** Numbers that are gone through between two pauses: about a millisecond. */
export const pieceLength = 2 ** 18;

/** Goes through 0 to `count` in pieces. */
export async function eachPiece(count: number, pause: Pause, work: (from: number, end: number) => void): Promise<void> {
  for (let from = 0; from < count; from += pieceLength) {
    if (from > 0) await pause();
    work(from, Math.min(count, from + pieceLength));
  }
}

/**
 * Goes through runs in pieces, the first ones first: as many whole runs as fit, or a part of a long one.
 *
 * @param starts where each run begins, and behind them where the last one ends
 * @param work is given the runs from `run` to before `endRun`, and of those what lies from `from` to before `end`. It goes
 *   through the runs itself: a call for each would cost more than what is done in a short one
 */
export async function eachRun(
  starts: Uint32Array,
  pause: Pause,
  work: (run: number, endRun: number, from: number, end: number) => void,
): Promise<void> {
  const count = starts.length - 1;
  let from = starts[0]!;
  for (let run = 0; run < count; ) {
    const most = from + pieceLength;
    // A run costs something even where it is empty.
    const mostRuns = Math.min(count, run + pieceLength);
    let endRun = run;
    while (endRun < mostRuns && starts[endRun + 1]! <= most) endRun++;
    if (endRun > run) {
      work(run, endRun, from, starts[endRun]!);
      from = starts[endRun]!;
      run = endRun;
    } else {
      work(run, run + 1, from, most);
      from = most;
    }
    if (run < count) await pause();
  }
}

/**
 * For work that goes its own ways: says after so many more numbers what is to be awaited, undefined as long as they are less
 * than a piece.
 */
export function pauseBetween(pause: Pause): (numbers: number) => Promise<void> | undefined {
  let left = pieceLength;
  return (numbers) => {
    left -= numbers;
    if (left > 0) return undefined;
    left = pieceLength;
    return pause();
  };
}
