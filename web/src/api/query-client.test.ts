import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { makeQueryClient } from './query-client.ts';

/** A query whose requests the test responds to, each with the state of the server at that time. */
function slowQuery() {
  const queries = makeQueryClient(() => undefined);
  const responses: ((text: string) => void)[] = [];
  const query = {
    queryKey: ['plans', 'one'],
    queryFn: () => new Promise<string>((resolve) => responses.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  };
  const responds = async (reading: number, text: string) => {
    await expect.poll(() => responses.length).toBeGreaterThan(reading);
    responses[reading]!(text);
  };
  const state = () => queries.getQueryCache().find({ queryKey: query.queryKey })!.state;
  return { queries, query, responds, state, readings: () => responses.length };
}
const changed = { queryKey: ['plans'] };

test('a change during the first reading is read after it, although nothing was there to replace', async () => {
  const { queries, query, responds, readings } = slowQuery();
  const observer = new QueryObserver(queries, query);
  const stop = observer.subscribe(() => undefined);
  const read = queries.invalidateQueries(changed);
  await responds(0, 'before');
  await responds(1, 'after');
  await read;
  expect([observer.getCurrentResult().data, readings()]).toEqual(['after', 2]);
  stop();
});

test('a change during a later reading replaces it, and is read once', async () => {
  const { queries, query, responds, readings } = slowQuery();
  const observer = new QueryObserver(queries, query);
  const stop = observer.subscribe(() => undefined);
  await responds(0, 'first');
  await expect.poll(() => observer.getCurrentResult().data).toBe('first');
  const reads = [queries.invalidateQueries(changed), queries.invalidateQueries(changed)];
  await responds(1, 'before');
  await responds(2, 'after');
  await Promise.all(reads);
  expect([observer.getCurrentResult().data, readings()]).toEqual(['after', 3]);
  stop();
});

test('what nobody looks at counts as old if it changed while it was read', async () => {
  const { queries, query, responds, state, readings } = slowQuery();
  const reading = queries.fetchQuery(query);
  const invalidated = queries.invalidateQueries(changed);
  await responds(0, 'before');
  await reading;
  await invalidated;
  expect([state().isInvalidated, readings()]).toEqual([true, 1]);
});

test('what is not to be read at once counts as old, too, after a reading that was under way', async () => {
  const { queries, query, responds, state } = slowQuery();
  const observer = new QueryObserver(queries, query);
  const stop = observer.subscribe(() => undefined);
  await responds(0, 'first');
  await expect.poll(() => observer.getCurrentResult().data).toBe('first');
  const reading = observer.refetch();
  const invalidated = queries.invalidateQueries({ ...changed, refetchType: 'none' });
  await responds(1, 'before');
  await reading;
  await invalidated;
  expect(state().isInvalidated).toBe(true);
  stop();
});
