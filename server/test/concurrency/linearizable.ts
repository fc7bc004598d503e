/** One call of a client, and what it answered. Times are from one clock. */
export type Call<Operation, Answer> = {
  readonly operation: Operation;
  readonly answer: Answer;
  readonly began: number;
  readonly ended: number;
};

/**
 * What a call may do if nothing else happens at the same time.
 *
 * @returns every state that it can leave when it gives this answer; none if it cannot give it
 */
export type Model<State, Operation, Answer> = (state: State, operation: Operation, answer: Answer) => readonly State[];

/**
 * Whether there is an order of calls in which each one gives its answer as if it were alone: one that puts no call before
 * another that had ended when it began. Tries orders until one fits, and no remainder from a state twice.
 *
 * Source: Wing and Gong, "Testing and verifying concurrent objects" (1993), with the cache of Lowe (2017).
 *
 * @param calls at most 30; states have to be equal as JSON if they are equal
 */
export function isLinearizable<State, Operation, Answer>(
  start: State,
  calls: readonly Call<Operation, Answer>[],
  model: Model<State, Operation, Answer>,
): boolean {
  const all = 2 ** calls.length - 1;
  const failed = new Set<string>();
  function canGoOn(state: State, done: number): boolean {
    if (done === all) return true;
    const key = `${done} ${JSON.stringify(state)}`;
    if (failed.has(key)) return false;
    const left = calls.flatMap((call, at) => (done & (1 << at) ? [] : [{ call, at }]));
    const firstEnd = Math.min(...left.map(({ call }) => call.ended));
    const fits = left
      .filter(({ call }) => call.began <= firstEnd)
      .some(({ call: { operation, answer }, at }) =>
        model(state, operation, answer).some((next) => canGoOn(next, done | (1 << at))),
      );
    if (!fits) failed.add(key);
    return fits;
  }
  return canGoOn(start, 0);
}
