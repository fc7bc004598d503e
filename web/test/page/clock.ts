import { vi } from 'vitest';

/**
 * Stops the page's clock: from now on to the end of the test, only {@link runFor} moves it. Call it before what is
 * timed begins. A timeout of 0 ms is no time: it still happens at once, as animation frames and messages do. React
 * and TanStack Query use them to do their work.
 *
 * @param time the time of the stopped clock, in ms since 1970
 */
export function stopClock(time = 0): void {
  const atOnce = globalThis.setTimeout;
  vi.useFakeTimers({
    now: time,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    shouldClearNativeTimers: true,
  });
  const timed = globalThis.setTimeout;
  globalThis.setTimeout = ((run: TimerHandler, ms?: number, ...given: unknown[]) =>
    ms ? timed(run as () => void, ms, ...given) : atOnce(run, 0, ...given)) as typeof setTimeout;
  // Otherwise Vitest moves the clock whenever it waits for something to appear.
  vi.spyOn(vi, 'isFakeTimers').mockReturnValue(false);
}

/** Moves the stopped clock, and everything that becomes due happens. */
export async function runFor(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
