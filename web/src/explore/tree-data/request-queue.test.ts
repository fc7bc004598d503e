import type { SliceQuery } from '@kc/pack/slice/slice';
import { expect, test } from 'vitest';
import { type Priority, RequestQueue } from './request-queue.ts';

const query = (node: number): SliceQuery => ({ node, skip: 0, budget: 10 });
const request = (node: number, weight = 1) => ({ node, skip: 0, weight });

/** A queue whose responses arrive when the test sends them. */
function queueWith({ refetch = [], prefetch = [] }: { refetch?: number[]; prefetch?: number[] } = {}) {
  const sent: { name: string; signal: AbortSignal; respond: () => void; fail: () => void }[] = [];
  const errors: unknown[] = [];
  const idle: (() => void)[] = [];
  const withoutRows = new Set<number>();
  const state = { isPaused: false };
  const queue: RequestQueue = new RequestQueue({
    isPaused: () => state.isPaused,
    queryFor: ({ node }) => query(node),
    addsNothing: ({ node }) => withoutRows.has(node),
    nextRefetch: () => (refetch[0] === undefined ? undefined : query(refetch[0])),
    mayPrefetch: () => prefetch.length > 0,
    nextPrefetch: () => (prefetch[0] === undefined ? undefined : query(prefetch[0])),
    load: ({ node }, priority) => void send(node, priority),
    whenIdle: (work) => {
      idle.push(work);
      return () => idle.splice(idle.indexOf(work), 1);
    },
    onError: (error) => errors.push(error),
  });
  const send = (node: number, priority: Priority = 'awaited', throws = false) =>
    queue.send<void>({
      key: `${node} 0`,
      priority,
      throws,
      fetch: (signal) =>
        new Promise((respond, reject) => {
          sent.push({ name: `${priority} ${node}`, signal, respond, fail: () => reject(new Error('refused')) });
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      onResponse: () => {
        for (const rest of [refetch, prefetch]) if (rest[0] === node) rest.shift();
      },
    });
  const names = () => sent.map(({ name, signal }) => (signal.aborted ? `${name} aborted` : name));
  return { queue, send, sent, errors, idle, withoutRows, state, names };
}

/** Resolves after all promises that can continue. */
const settled = () => new Promise((done) => setTimeout(done));

test('requests go before refetches, and refetches before prefetches, one at a time', async () => {
  const { queue, sent, idle, names } = queueWith({ refetch: [3], prefetch: [4] });
  queue.request([request(1), request(2, 5)]);
  for (let i = 0; i < 3; i++) {
    expect(sent).toHaveLength(i + 1);
    sent[i]!.respond();
    await settled();
  }
  idle[0]!();
  expect(names()).toEqual(['requested 2', 'requested 1', 'refetch 3', 'prefetch 4']);
});

test('a request replaces a refetch and a prefetch, but not an awaited request', async () => {
  const { queue, send, sent, names } = queueWith({ refetch: [3] });
  queue.sendNext();
  queue.request([request(1)]);
  expect(names()).toEqual(['refetch 3 aborted', 'requested 1']);
  void send(2);
  queue.request([request(4)]);
  expect(names()).toEqual(['refetch 3 aborted', 'requested 1 aborted', 'awaited 2']);
  sent[2]!.respond();
  await settled();
  expect(names().at(-1)).toBe('requested 4');
});

test('no request leaves a refetch in flight', () => {
  const { queue, names } = queueWith({ refetch: [3] });
  queue.sendNext();
  queue.request([]);
  expect(names()).toEqual(['refetch 3']);
});

test('the request in flight stays if it is requested again, and is not sent twice', async () => {
  const { queue, sent, names } = queueWith();
  queue.request([request(1)]);
  queue.request([request(1), request(2)]);
  sent[0]!.respond();
  await settled();
  expect(names()).toEqual(['requested 1', 'requested 2']);
});

test('a request with a known answer is not sent', () => {
  const { queue, withoutRows, names } = queueWith();
  withoutRows.add(1);
  queue.request([request(1, 9), request(2)]);
  expect(names()).toEqual(['requested 2']);
});

test('while paused only awaited requests are sent; the others wait', async () => {
  const { queue, send, sent, state, names } = queueWith();
  state.isPaused = true;
  queue.request([request(1)]);
  const isUsed = send(2);
  expect(names()).toEqual(['awaited 2']);
  state.isPaused = false;
  sent[0]!.respond();
  expect(await isUsed).toBe(true);
  expect(names()).toEqual(['awaited 2', 'requested 1']);
});

test('after an error nothing is sent in the background until something is requested', async () => {
  const { queue, sent, errors, names } = queueWith({ refetch: [3] });
  queue.request([request(1), request(2)]);
  sent[0]!.fail();
  await settled();
  expect([names(), errors.length]).toEqual([['requested 1'], 1]);
  queue.request([request(2)]);
  sent[1]!.respond();
  await settled();
  expect(names()).toEqual(['requested 1', 'requested 2', 'refetch 3']);
});

test('an error is thrown to a caller who asks for that, and is not reported', async () => {
  const { send, sent, errors } = queueWith();
  const failing = send(1, 'awaited', true);
  sent[0]!.fail();
  await expect(failing).rejects.toThrow('refused');
  expect(errors).toEqual([]);
});

test('restarting the background work aborts it, and resumes it after an error', async () => {
  const { queue, send, sent, names } = queueWith({ refetch: [3] });
  const failing = send(1);
  sent[0]!.fail();
  await failing;
  queue.restartBackground();
  queue.restartBackground();
  expect(names()).toEqual(['awaited 1', 'refetch 3 aborted', 'refetch 3']);
});

test('a closed queue aborts the request in flight, cancels the prefetch and sends nothing more', async () => {
  const { queue, send, sent, idle, names } = queueWith({ prefetch: [4] });
  queue.request([request(1)]);
  sent[0]!.respond();
  await settled();
  expect(idle).toHaveLength(1);
  queue.close();
  queue.request([request(2)]);
  expect(await send(3)).toBe(false);
  expect([names(), idle, queue.isClosed]).toEqual([['requested 1'], [], true]);
});
