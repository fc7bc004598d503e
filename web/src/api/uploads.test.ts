import type { Refusal } from '@kc/rules/result';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusedWith } from './refusal.ts';
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
  type UploadWays,
  useUploads,
} from './uploads.ts';

/** The sender that the upload under test was given, and what was asked of it. */
let sender: {
  request: UploadRequest;
  callbacks: SendingCallbacks;
  finish(id: string): void;
  refuse(refusal: Refusal): void;
};
const asked: string[] = [];
/** What the server says to a request to make an upload that was stopped meanwhile. */
let made: Promise<string | undefined>;
const answers: unknown[] = [];

vi.mock('./client.ts', () => ({
  client: {
    uploads: {
      status: async () => {
        const answer = answers.shift() ?? { state: 'active', share: 1, visualizationId: 'v1' };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  },
}));

const ways = (check: ContentCheck): UploadWays => ({
  check,
  send(request, callbacks) {
    const done = new Promise<string>((finish, reject) => {
      sender = { request, callbacks, finish, refuse: (refusal) => reject(refusedWith(refusal)) };
    });
    const note = (what: string) => () => void asked.push(what);
    const stop = async () => {
      asked.push('stop');
      return made;
    };
    return { done, pause: note('pause'), resume: note('resume'), stop };
  },
  discard: async (id) => void asked.push(`discard ${id}`),
});

const heard = new Map<string, unknown>();
beforeEach(() => {
  vi.stubGlobal('addEventListener', (name: string, listener: unknown) => heard.set(name, listener));
  vi.stubGlobal('removeEventListener', (name: string) => heard.delete(name));
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  leaveUpload();
  made = Promise.resolve('up1');
  asked.length = 0;
  answers.length = 0;
  heard.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const file = new File(['{"hierarchy":{"name":"a"}}'], 'shoes.json', { type: 'application/json' });
const uma = { id: 'u1', email: 'uma@example.com' };
const good: ContentCheck = async () => undefined;
const never: ContentCheck = () => new Promise(() => undefined);
const begin = (check: ContentCheck = never, uploadId?: string) =>
  startUpload({ file, receiver: uma, senderId: 'a1', description: 'Spring', uploadId }, ways(check));
const now = () => useUploads.getState().transfer!;

test('a file is sent for its receiver with its description, and followed until it is active', async () => {
  answers.push({ state: 'reading', share: 0.5 }, { state: 'active', share: 1, visualizationId: 'v1' });
  const ended = begin(good);
  expect(sender.request).toMatchObject({ file, userId: 'u1', description: 'Spring' });
  sender.callbacks.onBegun('up1');
  sender.callbacks.onBytes(13);
  expect(now()).toMatchObject({ uploadId: 'up1', state: 'receiving', share: 0.5 });
  sender.finish('up1');
  await vi.runAllTimersAsync();
  await ended;
  expect(now()).toMatchObject({ state: 'active', visualizationId: 'v1', check: { state: 'good' } });
  expect(asked).toEqual([]);
});

test('closing the page warns only while bytes are still to be sent', async () => {
  answers.push({ state: 'reading', share: 0 });
  const ended = begin(good);
  expect(heard.has('beforeunload')).toBe(true);
  sender.finish('up1');
  await vi.advanceTimersByTimeAsync(1);
  expect(now().state).toBe('reading');
  expect(heard.has('beforeunload')).toBe(false);
  await vi.runAllTimersAsync();
  await ended;
});

test('the first error of the check stops the transfer and takes back what was sent', async () => {
  const refusal = { code: 'upload/invalid-json', params: { what: 'the file ends too early', byte: 7 } };
  const ended = begin(async (_file, onProgress) => {
    onProgress({ bytes: 7, keywords: 2, nodes: 0 });
    sender.callbacks.onBegun('up1');
    return refusal;
  });
  await ended;
  expect(now()).toMatchObject({ state: 'failed', refusal, check: { state: 'broken', bytes: 7, keywords: 2 } });
  expect(now().isTakenBack).toBe(true);
  expect(asked).toEqual(['stop', 'discard up1']);
});

test('what the server only makes while the check refuses the file is taken back, too, and hinders no other upload', async () => {
  let answer: (id: string) => void = () => undefined;
  made = new Promise((resolve) => {
    answer = resolve;
  });
  const ended = begin(async () => ({ code: 'upload/invalid-json' }));
  await vi.waitFor(() => expect(now().state).toBe('failed'));
  expect(heard.has('beforeunload')).toBe(false);
  const signals: AbortSignal[] = [];
  void begin(async (_file, _onProgress, signal) => {
    signals.push(signal);
    return never(file, () => undefined, signal);
  });
  answer('up2');
  await ended;
  expect(asked).toEqual(['stop', 'discard up2']);
  expect(signals[0]?.aborted).toBe(false);
  expect(heard.has('beforeunload')).toBe(true);
});

test('a refusal of the server in the middle is said, and what was sent is left to it', async () => {
  const ended = begin();
  sender.callbacks.onBegun('up1');
  sender.refuse({ code: 'upload/storage-refused' });
  await ended;
  expect(now()).toMatchObject({ state: 'failed', refusal: { code: 'upload/storage-refused' } });
  expect(asked).toEqual(['stop']);
});

test('retries that are spent leave what was sent, to go on with', async () => {
  const ended = begin();
  sender.callbacks.onBegun('up1');
  sender.refuse({ code: 'upload/failed' });
  await ended;
  expect(asked).not.toContain('discard up1');
});

test('a pause holds it, and resuming goes on', () => {
  void begin();
  sender.callbacks.onBytes(13);
  pauseUpload();
  expect(now()).toMatchObject({ standstill: 'paused', share: 0.5, samples: [] });
  resumeUpload();
  expect(now().standstill).toBeUndefined();
  expect(asked).toEqual(['pause', 'resume']);
  resumeUpload();
  expect(asked).toEqual(['pause', 'resume']);
});

test('a lost connection is said until a byte gets through', () => {
  void begin();
  sender.callbacks.onLost();
  expect(now().standstill).toBe('lost');
  sender.callbacks.onBytes(1);
  expect(now().standstill).toBeUndefined();
});

test('an ended session holds it until its sender is back', () => {
  void begin();
  sender.callbacks.onSignedOut();
  expect(now()).toMatchObject({ state: 'receiving', standstill: 'signed-out' });
  resumeUpload();
  expect(asked).toEqual(['resume']);
});

test('a cancelled upload takes back what was sent', async () => {
  const ended = begin();
  sender.callbacks.onBegun('up1');
  cancelUpload();
  await ended;
  expect(now()).toMatchObject({ state: 'failed', refusal: { code: 'upload/cancelled' } });
  expect(asked).toEqual(['stop', 'discard up1']);
});

test('an upload that is left to its sender is no longer shown and stays on the server', async () => {
  void begin();
  sender.callbacks.onBegun('up1');
  leaveUpload();
  expect(useUploads.getState().transfer).toBeUndefined();
  expect(asked).toEqual(['stop']);
});

test('a check that is skipped finds nothing any more', async () => {
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

test('an unfinished upload is gone on with by its id', () => {
  void begin(never, 'up7');
  expect(sender.request.uploadId).toBe('up7');
  expect(now().uploadId).toBe('up7');
});

test('while the server reads, a lost session or connection only means hearing nothing', async () => {
  const failing = (code: string) => Object.assign(new Error(code), { data: { code } });
  answers.push(failing('session/required'), failing('fault/unavailable'), new TypeError('Failed to fetch'));
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

test('how it ended is told until somebody has read it', async () => {
  const ended = begin(good);
  dismissUpload();
  expect(now().isTold).toBeUndefined();
  sender.finish('up1');
  await vi.runAllTimersAsync();
  await ended;
  dismissUpload();
  expect(now()).toMatchObject({ state: 'active', isTold: true });
});
