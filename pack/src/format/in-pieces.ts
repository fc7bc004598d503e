/** Lets others be answered; rejects when nobody waits any more. */
export type Pause = () => Promise<void>;

/** For whoever has nothing else to do in this thread. */
export const noPause: Pause = async () => undefined;

/** Numbers that are gone through between two pauses: about a millisecond. */
const pieceLength = 2 ** 18;

/** Goes through 0 to `count` in pieces. */
export async function eachPiece(count: number, pause: Pause, work: (from: number, end: number) => void): Promise<void> {
  for (let from = 0; from < count; from += pieceLength) {
    if (from > 0) await pause();
    work(from, Math.min(count, from + pieceLength));
  }
}

/**
 * Goes through runs in pieces, the first ones first; a long run comes in several parts.
 *
 * @param starts where each run begins, and behind them where the last one ends
 */
export async function eachRun(
  starts: Uint32Array,
  pause: Pause,
  work: (run: number, from: number, end: number) => void,
): Promise<void> {
  let left = pieceLength;
  for (let run = 0; run + 1 < starts.length; run++) {
    let from = starts[run]!;
    const end = starts[run + 1]!;
    do {
      const until = Math.min(end, from + left);
      work(run, from, until);
      // A run costs something even where it is empty.
      left -= until - from + 1;
      from = until;
      if (left > 0) continue;
      await pause();
      left = pieceLength;
    } while (from < end);
  }
}
