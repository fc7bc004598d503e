import { vi } from 'vitest';
import { atRest } from './at-rest.ts';

const realTimeout = globalThis.setTimeout;

/**
 * Stops the page's clock: from now on to the end of the test, only {@link runFor} moves it. Call it before what is
 * timed begins. A timeout of 0 ms is no time: it still happens at once, as animation frames and messages do. React
 * and TanStack Query use them to do their work.
 *
 * @param time the time of the stopped clock, in ms since 1970
 */
export function stopClock(time = 0): void {
  vi.useFakeTimers({
    now: time,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    shouldClearNativeTimers: true,
  });
  const timed = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, ms?: number, ...given: unknown[]) =>
    (ms ? timed : realTimeout)(run, ms, ...given)) as typeof setTimeout;
  // Otherwise Vitest moves the clock whenever it waits for something to appear.
  vi.spyOn(vi, 'isFakeTimers').mockReturnValue(false);
}

/** Lets time pass again. What the stopped clock still had to do is dropped. */
export function startClock(): void {
  vi.useRealTimers();
  vi.mocked(vi.isFakeTimers).mockRestore();
}

/**
 * Moves the stopped clock, and everything that becomes due happens in its order: the page draws before the clock goes
 * on, so that a timer which a drawing sets begins at the right time.
 */
export async function runFor(ms: number): Promise<void> {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, ms);
  await atRest();
  while (!isOver) {
    await vi.advanceTimersToNextTimerAsync();
    await atRest();
  }
  await vi.advanceTimersByTimeAsync(0);
  await atRest();
}
