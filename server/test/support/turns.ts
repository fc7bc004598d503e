import { isLong } from './proof.ts';

/**
 * The processor time of this thread that turns of its event loop take, in milliseconds: while one lasts, nobody else is
 * answered. It is only measured in a proof.
 */
export function watchTurns(): { begin(): void; longestMs(): number; stop(): void } {
  let isOver = !isLong;
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  if (!isOver) setImmediate(look);
  return {
    begin: () => {
      longest = 0;
      before = process.threadCpuUsage();
    },
    longestMs: () => longest,
    stop: () => {
      isOver = true;
    },
  };
}

/** Of the processor, for one turn of the event loop: nobody waits longer for the request of somebody else. */
export const longestTurnMs = 200;
