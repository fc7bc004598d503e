import { setImmediate } from 'node:timers/promises';
import type { Pause } from '@kc/pack/format/in-pieces';

/** Between two pieces others are answered, and who gave up is heard. @param signal fires when the asker goes away */
export function pauseFor(signal?: AbortSignal): Pause {
  return async () => {
    await setImmediate();
    signal?.throwIfAborted();
  };
}
