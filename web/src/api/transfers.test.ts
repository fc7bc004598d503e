import { type Refusal, refusedWith } from '@kc/rules/result';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SendingCallbacks, UploadRequest } from './send-file.ts';
import {
  type ContentCheck,
  cancelUpload,
  dismissUpload,
  leaveUpload,
  pauseUpload,
  resumeUpload,
  skipCheck,
  startUpload,
  type UploadDeps,
  useTransfers,
} from './transfers.ts';

/** The sender of the upload under test, and the calls made to it. */
let sender: {
  request: UploadRequest;
  callbacks: SendingCallbacks;
  finish(id: string): void;
  refuse(refusal: Refusal): void;
};
const calls: string[] = [];
/** The server's response to a create request of an upload that was stopped meanwhile. */
let created: Promise<string | undefined>;
const responses: unknown[] = [];

// Files of one worker share imports: another file may have loaded these without the mocks.
vi.hoisted(() => vi.resetModules());
vi.mock('./client.ts', () => ({
  client: {
    uploads: {
      status: async () => {
        const response = responses.shift() ?? { state: 'active', share: 1, visualizationId: 'v1' };
        if (response instanceof Error) throw response;
        return response;
      },
    },
  },
}));

const deps = (check: ContentCheck): UploadDeps => ({
  check,
  send(request, callbacks) {
    const done = new Promise<string>((finish, reject) => {
      sender = { request, callbacks, finish, refuse: (refusal) => reject(refusedWith(refusal)) };
    });
    const note = (what: string) => () => void calls.push(what);
    const stop = async () => {
      calls.push('stop');
      return created;
    };
    return { done, pause: note('pause'), resume: note('resume'), stop };
  },
  discard: async (id) => void calls.push(`discard ${id}`),
});

const listeners = new Map<string, unknown>();
beforeEach(() => {
  vi.stubGlobal('addEventListener', (name: string, listener: unknown) => listeners.set(name, listener));
  vi.stubGlobal('removeEventListener', (name: string) => listeners.delete(name));
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  leaveUpload();
  created = Promise.resolve('up1');
  calls.length = 0;
  responses.length = 0;
  listeners.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const file = new File(['{"hierarchy":{"name":"a"}}'], 'shoes.json', { type: 'application/json' });
const uma = { id: 'u1', email: 'uma@example.com' };
const good: ContentCheck = async () => undefined;
const never: ContentCheck = () => new Promise(() => undefined);
const begin = (check: ContentCheck = never, uploadId?: string) =>
  startUpload({ file, receiver: uma, senderId: 'a1', description: 'Spring', uploadId }, deps(check));
const now = () => useTransfers.getState().upload!;

test('a file is sent to its receiver with its description, and polled until it is active', async () => {
  responses.push({ state: 'reading', share: 0.5 }, { state: 'active', share: 1, visualizationId: 'v1' });
  const ended = begin(good);
  expect(sender.request).toMatchObject({ file, userId: 'u1', description: 'Spring' });
  sender.callbacks.onStarted('up1');
  sender.callbacks.onBytes(13);
  expect(now()).toMatchObject({ uploadId: 'up1', state: 'receiving', share: 0.5 });
  sender.finish('up1');
  await vi.runAllTimersAsync();
  await ended;
  expect(now()).toMatchObject({ state: 'active', visualizationId: 'v1', check: { state: 'good' } });
  expect(calls).toEqual([]);
});

test('closing the page warns only while bytes are still to be sent', async () => {
  responses.push({ state: 'reading', share: 0 });
  const ended = begin(good);
  expect(listeners.has('beforeunload')).toBe(true);
  sender.finish('up1');
  await vi.advanceTimersByTimeAsync(1);
  expect(now().state).toBe('reading');
  expect(listeners.has('beforeunload')).toBe(false);
  await vi.runAllTimersAsync();
  await ended;
});

test('the first error of the check stops the transfer and deletes what was sent', async () => {
  const refusal = { code: 'upload/invalid-json', params: { what: 'the file ends too early', byte: 7 } };
  const ended = begin(async (_file, onProgress) => {
    onProgress({ bytes: 7, keywords: 2, nodes: 0 });
    sender.callbacks.onStarted('up1');
    return refusal;
  });
  await ended;
  expect(now()).toMatchObject({ state: 'failed', refusal, check: { state: 'broken', bytes: 7, keywords: 2 } });
  expect(now().isDiscarded).toBe(true);
  expect(calls).toEqual(['stop', 'discard up1']);
});

test('an upload that the server creates after the check has refused the file is deleted, and does not disturb another upload', async () => {
  let assign: (id: string) => void = () => undefined;
  created = new Promise((resolve) => {
    assign = resolve;
  });
  const ended = begin(async () => ({ code: 'upload/invalid-json' }));
  await expect.poll(() => now().state).toBe('failed');
  expect(listeners.has('beforeunload')).toBe(false);
  const signals: AbortSignal[] = [];
  void begin(async (_file, _onProgress, signal) => {
    signals.push(signal);
    return never(file, () => undefined, signal);
  });
  assign('up2');
  await ended;
  expect(calls).toEqual(['stop', 'discard up2']);
  expect(signals[0]?.aborted).toBe(false);
  expect(listeners.has('beforeunload')).toBe(true);
});

test('a refusal of the server during the transfer is shown, and the partial upload is kept', async () => {
  const ended = begin();
  sender.callbacks.onStarted('up1');
  sender.refuse({ code: 'upload/storage-refused' });
  await ended;
  expect(now()).toMatchObject({ state: 'failed', refusal: { code: 'upload/storage-refused' } });
  expect(calls).toEqual(['stop']);
});

test('after the last retry the partial upload is kept and can be resumed', async () => {
  const ended = begin();
  sender.callbacks.onStarted('up1');
  sender.refuse({ code: 'upload/failed' });
  await ended;
  expect(calls).not.toContain('discard up1');
});

test('pausing stops the transfer, and resuming continues it', () => {
  void begin();
  sender.callbacks.onBytes(13);
  pauseUpload();
  expect(now()).toMatchObject({ standstill: 'paused', share: 0.5, samples: [] });
  resumeUpload();
  expect(now().standstill).toBeUndefined();
  expect(calls).toEqual(['pause', 'resume']);
  resumeUpload();
  expect(calls).toEqual(['pause', 'resume']);
});

test('a lost connection is shown until bytes are sent again', () => {
  void begin();
  sender.callbacks.onLost();
  expect(now().standstill).toBe('lost');
  sender.callbacks.onBytes(1);
  expect(now().standstill).toBeUndefined();
});

test('an ended session stops the transfer until its sender signs in again', () => {
  void begin();
  sender.callbacks.onSignedOut();
  expect(now()).toMatchObject({ state: 'receiving', standstill: 'signed-out' });
  resumeUpload();
  expect(calls).toEqual(['resume']);
});

// Shows P9.6.
test('cancelling an upload deletes what was sent', async () => {
  const ended = begin();
  sender.callbacks.onStarted('up1');
  cancelUpload();
  await ended;
  expect(now()).toMatchObject({ state: 'failed', refusal: { code: 'upload/cancelled' } });
  expect(calls).toEqual(['stop', 'discard up1']);
});

test('an upload left to its sender is no longer shown and stays on the server', async () => {
  void begin();
  sender.callbacks.onStarted('up1');
  leaveUpload();
  expect(useTransfers.getState().upload).toBeUndefined();
  expect(calls).toEqual(['stop']);
});

test('a skipped check reports nothing more', async () => {
  const signals: AbortSignal[] = [];
  void begin((_file, onProgress, signal) => {
    signals.push(signal);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        onProgress({ bytes: 9, keywords: 9, nodes: 9 });
        resolve({ code: 'upload/read-failed' });
      });
    });
  });
  skipCheck();
  await vi.advanceTimersByTimeAsync(0);
  expect(signals[0]!.aborted).toBe(true);
  expect(now()).toMatchObject({ state: 'receiving', check: { state: 'skipped' } });
});

test('an unfinished upload is resumed by its ID', () => {
  void begin(never, 'up7');
  expect(sender.request.uploadId).toBe('up7');
  expect(now().uploadId).toBe('up7');
});

test('while the server reads the file, a lost session or connection only stops the polling', async () => {
  const failing = (code: string) => Object.assign(new Error(code), { data: { code } });
  responses.push(failing('session/required'), failing('fault/unavailable'), new TypeError('Failed to fetch'));
  const ended = begin(good);
  sender.finish('up1');
  await vi.advanceTimersByTimeAsync(0);
  expect(now()).toMatchObject({ state: 'received', standstill: 'signed-out' });
  await vi.advanceTimersByTimeAsync(500);
  expect(now().standstill).toBe('lost');
  await vi.runAllTimersAsync();
  await ended;
  expect(now().state).toBe('active');
  expect(now().standstill).toBeUndefined();
});

test('the outcome is shown until the user has seen it', async () => {
  const ended = begin(good);
  dismissUpload();
  expect(now().isSeen).toBeUndefined();
  sender.finish('up1');
  await vi.runAllTimersAsync();
  await ended;
  dismissUpload();
  expect(now()).toMatchObject({ state: 'active', isSeen: true });
});
