import { afterEach, expect, test, vi } from 'vitest';
import type { SkyMessage } from './starfield.worker.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A transferred canvas as in a Firefox worker: its context can be requested once. Counts the drawn stars. */
function firefoxCanvas() {
  const canvas = { width: 0, height: 0, getContext: vi.fn() };
  const sky = { canvas, scale: vi.fn(), clearRect: vi.fn(), beginPath: vi.fn(), arc: vi.fn(), fill: vi.fn() };
  canvas.getContext
    .mockImplementationOnce(() => sky)
    .mockImplementation(() => {
      throw new Error('Cannot update created context to different thread');
    });
  return { canvas, sky };
}

/** The worker's script, run here. */
async function startWorker(): Promise<(message: SkyMessage) => void> {
  const listeners: ((event: { data: SkyMessage }) => void)[] = [];
  vi.stubGlobal('addEventListener', (_: 'message', listener: (typeof listeners)[number]) => listeners.push(listener));
  vi.resetModules();
  await import('./starfield.worker.ts');
  return (data) => {
    for (const listener of listeners) listener({ data });
  };
}

test('the sky is drawn at once, on every frame and after a resize', async () => {
  vi.useFakeTimers();
  const { canvas, sky } = firefoxCanvas();
  const send = await startWorker();
  send({ kind: 'start', canvas: canvas as unknown as OffscreenCanvas, still: false });
  send({ kind: 'size', width: 400, height: 300, ratio: 2, count: 10 });
  expect(sky.arc).toHaveBeenCalledTimes(10);
  vi.advanceTimersByTime(200);
  expect(sky.arc).toHaveBeenCalledTimes(30);
  send({ kind: 'size', width: 200, height: 100, ratio: 1, count: 10 });
  expect(sky.arc).toHaveBeenCalledTimes(40);
  expect([canvas.width, canvas.height]).toEqual([200, 100]);
});

// Shows P3.9.
test('a sky that nobody watches pauses and goes on where it was; stars that speed up move all the same', async () => {
  vi.useFakeTimers();
  const { canvas, sky } = firefoxCanvas();
  const send = await startWorker();
  send({ kind: 'start', canvas: canvas as unknown as OffscreenCanvas, still: false });
  send({ kind: 'size', width: 400, height: 300, ratio: 1, count: 5 });
  send({ kind: 'watched', watched: false });
  vi.advanceTimersByTime(500);
  expect(sky.arc).toHaveBeenCalledTimes(5);
  send({ kind: 'watched', watched: true });
  vi.advanceTimersByTime(100);
  expect(sky.arc).toHaveBeenCalledTimes(10);
  send({ kind: 'watched', watched: false });
  send({ kind: 'speed', speed: 60 });
  vi.advanceTimersByTime(50);
  expect(sky.arc).toHaveBeenCalledTimes(15);
});

test('stars that speed up are drawn twice as often', async () => {
  vi.useFakeTimers();
  const { canvas, sky } = firefoxCanvas();
  const send = await startWorker();
  send({ kind: 'start', canvas: canvas as unknown as OffscreenCanvas, still: false });
  send({ kind: 'size', width: 400, height: 300, ratio: 1, count: 1 });
  vi.advanceTimersByTime(1_000);
  expect(sky.arc).toHaveBeenCalledTimes(11);
  send({ kind: 'speed', speed: 60 });
  vi.advanceTimersByTime(1_000);
  expect(sky.arc).toHaveBeenCalledTimes(31);
});
