/** Lets other requests run; rejects if the result is no longer needed. */
export type Pause = () => Promise<void>;

/** For callers that have nothing else to do in this thread. */
export const noPause: Pause = async () => undefined;

/** The number of elements to process between two pauses: about a millisecond. */
export const pieceLength = 2 ** 18;

/** Processes 0 to `count` in pieces. */
export async function eachPiece(count: number, pause: Pause, work: (from: number, end: number) => void): Promise<void> {
  for (let from = 0; from < count; from += pieceLength) {
    if (from > 0) await pause();
    work(from, Math.min(count, from + pieceLength));
  }
}

/**
 * Processes a piece in short steps, each a call of `work`. V8 would recompile a long loop each time it is entered; a function that is called
 * often is compiled once.
 */
export function eachStep(from: number, end: number, work: (from: number, end: number) => void): void {
  for (let at = from; at < end; at += stepLength) work(at, Math.min(end, at + stepLength));
}

const stepLength = 2 ** 13;

/**
 * Collects the numbers from 0 to before `count` that `find` selects, in ascending order and in pieces. Memory: at most twice that of the result.
 *
 * @param find appends those from `from` to before `end` to the first `many` numbers of `found`. @returns how many there are now
 */
export async function findInPieces(
  count: number,
  pause: Pause,
  find: (from: number, end: number, found: Uint32Array, many: number) => number,
): Promise<Uint32Array> {
  let found = new Uint32Array(Math.min(count, stepLength));
  let many = 0;
  const findStep = (from: number, end: number) => {
    if (many + stepLength > found.length && found.length < count) {
      const longer = new Uint32Array(Math.min(count, 2 * (many + stepLength)));
      longer.set(found);
      found = longer;
    }
    many = find(from, end, found, many);
  };
  await eachPiece(count, pause, (from, end) => eachStep(from, end, findStep));
  return found.slice(0, many);
}

/**
 * Processes runs in pieces, in order: as many whole runs as fit, or a part of a long one.
 *
 * @param starts the start of each run, followed by the end of the last one
 * @param work receives the runs from `run` to before `endRun`, and the range from `from` to before `end` within them.
 *   It iterates over the runs itself, because a call per run would cost more than the work in a short one
 */
export async function eachRun(
  starts: Uint32Array,
  pause: Pause,
  work: (run: number, endRun: number, from: number, end: number) => void,
): Promise<void> {
  const count = starts.length - 1;
  let from = starts[0]!;
  for (let run = 0; run < count; ) {
    const maxEnd = from + pieceLength;
    // A run costs something even if it is empty.
    const maxRuns = Math.min(count, run + pieceLength);
    let endRun = run;
    while (endRun < maxRuns && starts[endRun + 1]! <= maxEnd) endRun++;
    if (endRun > run) {
      work(run, endRun, from, starts[endRun]!);
      from = starts[endRun]!;
      run = endRun;
    } else {
      work(run, run + 1, from, maxEnd);
      from = maxEnd;
    }
    if (run < count) await pause();
  }
}

/**
 * For work that cannot be split evenly. The returned function counts processed elements, and returns a promise to await
 * once they add up to a piece; otherwise undefined.
 */
export function pauseBetween(pause: Pause): (numbers: number) => Promise<void> | undefined {
  let remaining = pieceLength;
  return (numbers) => {
    remaining -= numbers;
    if (remaining > 0) return undefined;
    remaining = pieceLength;
    return pause();
  };
}
