import { onBehalfOfNone } from '../request-times.ts';

/**
 * Batches a query: the requests of one turn of the event loop go to the database together. The query runs after the
 * last of them and nothing is cached, so each gets current data. Most of the cost of a small query is the round trip.
 *
 * @param ask answers all keys, in their order; if it fails, all requests fail
 */
export function batchLoader<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
): (key: Key) => Promise<Answer> {
  type Asker = { readonly key: Key; answer(found: Answer): void; fail(error: unknown): void };
  let waiting: Asker[] = [];

  async function askForAll(): Promise<void> {
    const askers = waiting;
    waiting = [];
    try {
      const answers = await ask(askers.map(({ key }) => key));
      for (const [place, { answer }] of askers.entries()) answer(answers[place]!);
    } catch (error) {
      for (const { fail } of askers) fail(error);
    }
  }

  return (key) =>
    new Promise((answer, fail) => {
      if (waiting.push({ key, answer, fail }) === 1) onBehalfOfNone(() => setImmediate(() => void askForAll()));
    });
}
