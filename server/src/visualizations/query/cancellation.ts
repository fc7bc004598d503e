import { setImmediate } from 'node:timers/promises';
import type { Pause } from '@kc/pack/format/in-pieces';

/**
 * Lets other requests run between two pieces of work, and throws once the request is aborted.
 * @param signal fires when the client disconnects
 */
export function pauseFor(signal?: AbortSignal): Pause {
  return async () => {
    await setImmediate();
    signal?.throwIfAborted();
  };
}
