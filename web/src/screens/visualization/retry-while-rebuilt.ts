import { toRefusal } from '@kc/rules/result';
import type { Explorer } from '../../explore/model/explorer.ts';

const everyMs = 3_000;

/**
 * Opens a visualization by itself once the server has prepared it for a new version of the product. Until then it is
 * requested quietly, so the message stays as it is.
 *
 * @returns stops waiting
 */
export function retryWhileRebuilt({ store, source, start }: Pick<Explorer, 'store' | 'source' | 'start'>): () => void {
  let waiting = new AbortController();

  async function wait(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await new Promise((done) => setTimeout(done, everyMs));
      if (signal.aborted) return;
      try {
        await source.slice({ node: 0, skip: 0, budget: 1 }, signal);
      } catch (failure) {
        if (isBeingRebuilt(failure)) continue;
      }
      // It is there, or it fails for another reason, which the message must show.
      if (!signal.aborted) void start();
      return;
    }
  }

  const stop = store.subscribe(({ failure }, before) => {
    if (failure === before.failure) return;
    waiting.abort();
    waiting = new AbortController();
    if (isBeingRebuilt(failure)) void wait(waiting.signal);
  });
  return () => {
    waiting.abort();
    stop();
  };
}

const isBeingRebuilt = (failure: unknown): boolean =>
  failure !== undefined && toRefusal(failure).code === 'visualization/being-rebuilt';
