// Shows SEC-37, REL-41, REL-42.
import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { outcomeOf, startWorker } from './worker-process.ts';

afterEach(() => vi.useRealTimers());

test('a signal opens no inspector in a process that works for the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kc-worker-'));
  const file = join(folder, 'worker.mjs');
  await writeFile(
    file,
    `import { url } from 'node:inspector';
     import { setTimeout as pause } from 'node:timers/promises';
     process.on('message', async () => {
       process.kill(process.pid, 'SIGUSR1');
       // Where it is not disabled, the inspector opens within some milliseconds.
       for (let look = 0; look < 50 && url() === undefined; look++) await pause(10);
       process.send(url() ?? 'none');
     });
     process.send('started');`,
  );
  const child = startWorker(pathToFileURL(file), { memoryBytes: 64 * 2 ** 20 });
  await once(child, 'message');
  child.send('look');
  expect((await once(child, 'message'))[0]).toBe('none');
  child.kill('SIGKILL');
  await once(child, 'close');
  await rm(folder, { recursive: true });
});

test('a process that needs more memory than it was given ends alone, and says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kc-worker-'));
  const file = join(folder, 'worker.mjs');
  await writeFile(file, 'const all = []; for (;;) all.push(new Array(10_000).fill(all.length));');
  const child = startWorker(pathToFileURL(file), { memoryBytes: 32 * 2 ** 20 });
  const { patience: _, ...work } = asked();
  await expect(outcomeOf(child, work)).rejects.toMatchObject({ name: 'HeapExhausted' });
  await rm(folder, { recursive: true });
});

/** A process that says what the test lets it say. */
function madeProcess() {
  const child = new EventEmitter() as ChildProcess;
  child.kill = () => child.emit('close', null, 'SIGKILL');
  return child;
}

const asked = () => ({
  what: 'worked',
  signal: new AbortController().signal,
  onProgress: () => undefined,
  patience: { silentMs: 1_000, wholeMs: 3_000 },
});

test('a process that makes no progress for too long is ended', async () => {
  vi.useFakeTimers();
  const child = madeProcess();
  const outcome = outcomeOf(child, asked());
  const failing = expect(outcome).rejects.toMatchObject({ name: 'TookTooLong', isSilent: true, ms: 1_000 });
  vi.advanceTimersByTime(900);
  child.emit('message', { kind: 'progress' });
  vi.advanceTimersByTime(900);
  expect(child.listenerCount('close')).toBe(1);
  vi.advanceTimersByTime(100);
  await failing;
});

test('progress without an end is ended, too', async () => {
  vi.useFakeTimers();
  const child = madeProcess();
  const outcome = outcomeOf(child, asked());
  const failing = expect(outcome).rejects.toMatchObject({ name: 'TookTooLong', isSilent: false, ms: 3_000 });
  for (let look = 0; look < 6; look++) {
    child.emit('message', { kind: 'progress' });
    vi.advanceTimersByTime(500);
  }
  await failing;
});

test('a process that cannot be started, and then not be ended either, is one fault', async () => {
  const child = madeProcess();
  const outcome = outcomeOf(child, asked());
  const failing = expect(outcome).rejects.toThrow('no more processes');
  child.emit('error', new Error('no more processes'));
  // Without a listener, this would end the server.
  child.emit('error', new Error('no such process'));
  await failing;
});

test('what a process said before it ended counts', async () => {
  const child = madeProcess();
  const outcome = outcomeOf(child, asked());
  child.emit('message', { kind: 'outcome', outcome: 'done' });
  child.emit('close', 0, null);
  expect(await outcome).toBe('done');
});
