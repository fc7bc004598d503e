import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/**
 * What a request spends its time on:
 * - `receiving`: its body
 * - `session`: reading the requester's session, together with other requests
 * - `connection`: waiting for a connection of the pool
 * - `database`: statements
 * - `queue`: waiting for the query thread
 * - `query`: the query thread
 * - `compression`
 * - `sending`: from the first byte of the answer to the last, or to where the client stopped
 *
 * Work that is done at the same time counts for each part, so that parts may add up to more than the whole.
 */
export const timeParts = [
  'receiving',
  'session',
  'connection',
  'database',
  'queue',
  'query',
  'compression',
  'sending',
] as const;
export type TimePart = (typeof timeParts)[number];

/** A request under way. */
export type RequestTimes = {
  /** 48 random bits as hex, by which a line of the log and an answer are found. */
  readonly id: string;
  /** In milliseconds. */
  readonly parts: Map<TimePart, number>;
};

const current = new AsyncLocalStorage<RequestTimes>();

export const newRequestId = (): string => randomBytes(6).toString('hex');

/** Does something, and all that follows from it, on behalf of this request. */
export const runTimed = (times: RequestTimes, work: () => void): void => current.run(times, work);

/** The request on whose behalf this runs, if any. */
export const currentRequest = (): RequestTimes | undefined => current.getStore();
export const currentRequestId = (): string | undefined => currentRequest()?.id;

/** Adds to a part of the request on whose behalf this runs. */
export function spent(part: TimePart, milliseconds: number, times = current.getStore()): void {
  times?.parts.set(part, (times.parts.get(part) ?? 0) + Math.max(0, milliseconds));
}

/** Does something that counts as a part of the current request. */
export async function timed<T>(part: TimePart, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    spent(part, performance.now() - began);
  }
}

/** Does something on behalf of several requests, which counts for none of them. */
export const onBehalfOfNone = <T>(work: () => T): T => current.exit(work);
