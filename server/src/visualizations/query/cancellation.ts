import { setImmediate } from 'node:timers/promises';
import type { Pause } from '@kc/pack/format/in-pieces';

/**
 * Lets other requests run between two pieces of work, and stops if the requester has gone.
 * @param signal fires when the requester goes away
 */
export function pauseFor(signal?: AbortSignal): Pause {
  return async () => {
    await setImmediate();
    signal?.throwIfAborted();
  };
}
