import { refusedWith } from '@kc/rules/result';

/** How long the page waits for a read, and for a change, which is not retried automatically. In milliseconds. */
export const patience = { read: 30_000, change: 60_000 } as const;

/** The refusals of calls that were given up. */
const givenUp = new WeakSet<object>();

/** Whether a call failed because it was given up: another attempt would take as long. */
export const isGivenUp = (error: unknown): boolean => typeof error === 'object' && error !== null && givenUp.has(error);

/**
 * Runs a call that is given up after `ms` without any data, so that nothing on screen waits forever.
 *
 * @param outer another signal that also ends the call
 * @param work receives the signal to end by, and what to call whenever a part of the response has arrived
 * @throws the refusal `fault/unavailable` after that time
 */
export async function inTime<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal, stillArriving: () => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const follow = () => stop.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stillArriving = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, ms);
  };
  const giveUp = () => {
    const refusal = refusedWith({ code: 'fault/unavailable' });
    givenUp.add(refusal);
    stop.abort(refusal);
  };
  outer?.addEventListener('abort', follow);
  if (outer?.aborted) follow();
  stillArriving();
  try {
    return await work(stop.signal, stillArriving);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', follow);
  }
}
