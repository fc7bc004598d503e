/**
 * A question that many requests ask at the same moment, asked once for all of them: those that come in one turn of the
 * event loop go to the database together. It is asked after the last of them came and nothing is kept, so each learns
 * what is true at that time. Most of a small question's price is the way to the database and back.
 *
 * @param ask answers every key, in their order; when it fails, all who asked fail
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
      if (waiting.push({ key, answer, fail }) === 1) setImmediate(() => void askForAll());
    });
}
