import { toRefusal } from '@kc/rules/result';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { functionsOf } from './calls.ts';
import { inTime, patience } from './in-time.ts';
import { makeQueryClient } from './query-client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that accepts requests and never responds to them. */
const silent: typeof fetch = (_url, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal!.reason)));

const functions = functionsOf({ read: 'GET /users', change: 'PUT /users/{id}' }, '/api', silent);

test.each([
  ['read', patience.read],
  ['change', patience.change],
] as const)('REL-33 a %s that nobody answers is given up after %i ms', async (name, ms) => {
  const refusal = vi.fn();
  void functions[name]({ id: 1 }).catch((error: unknown) => refusal(toRefusal(error)));
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(refusal).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(refusal).toHaveBeenCalledExactlyOnceWith({ code: 'fault/unavailable' });
});

test('REL-33 what is given up is not asked for again by itself; a lost connection is, twice, a second apart', async () => {
  const queries = makeQueryClient(() => undefined);
  let attempts = 0;
  const ask = (respond: typeof fetch) =>
    queries.fetchQuery({
      queryKey: [respond],
      queryFn: () => {
        attempts++;
        return functionsOf({ read: 'GET /users' }, '/api', respond).read();
      },
      ...queries.getDefaultOptions().queries,
    });
  const failed = vi.fn();
  void ask(silent).catch(failed);
  await vi.advanceTimersByTimeAsync(patience.read);
  expect([attempts, failed.mock.calls.length]).toEqual([1, 1]);

  attempts = 0;
  void ask(() => Promise.reject(new TypeError('Failed to fetch'))).catch(failed);
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(attempts).toBe(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(attempts).toBe(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempts).toBe(3);
});

test('a response that keeps arriving is waited for, and one that stops is given up', async () => {
  const refusal = vi.fn();
  let goOn: () => void = () => expect.unreachable();
  const work = inTime(1_000, undefined, (signal, stillArriving) => {
    goOn = stillArriving;
    return silent('', { signal });
  });
  void work.catch((error: unknown) => refusal(toRefusal(error)));
  for (let part = 0; part < 5; part++) {
    await vi.advanceTimersByTimeAsync(900);
    goOn();
  }
  expect(refusal).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(refusal).toHaveBeenCalledExactlyOnceWith({ code: 'fault/unavailable' });
});

test('whoever asks can still end the call, which leaves no timer and no listener', async () => {
  const asking = new AbortController();
  const removed = vi.spyOn(asking.signal, 'removeEventListener');
  const work = inTime(1_000, asking.signal, (signal) => silent('', { signal }));
  asking.abort();
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
  expect(removed).toHaveBeenCalledOnce();
  await expect(inTime(1_000, asking.signal, async (signal) => signal.throwIfAborted())).rejects.toMatchObject({
    name: 'AbortError',
  });
});
