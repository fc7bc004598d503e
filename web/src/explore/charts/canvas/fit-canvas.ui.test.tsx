import { afterEach, expect, test, vi } from 'vitest';
import { type CanvasSize, fitCanvas } from './fit-canvas.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  document.querySelector('canvas')?.remove();
});

test('without a box of device pixels, as in Safari, a canvas follows a pixel ratio that changes alone', async () => {
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'display: block; width: 200px; height: 100px';
  document.body.append(canvas);
  class SafariObserver extends ResizeObserver {
    override observe(target: Element, options?: ResizeObserverOptions): void {
      if (options?.box === 'device-pixel-content-box') throw new TypeError('Unknown box');
      super.observe(target);
    }
  }
  vi.stubGlobal('ResizeObserver', SafariObserver);
  const queries: EventTarget[] = [];
  vi.stubGlobal('matchMedia', () => {
    const query = new EventTarget();
    queries.push(query);
    return query;
  });
  /** Moves the window to another screen. */
  const moveTo = (dpr: number) => {
    vi.stubGlobal('devicePixelRatio', dpr);
    queries.at(-1)?.dispatchEvent(new Event('change'));
  };
  vi.stubGlobal('devicePixelRatio', 1);
  const sizes: CanvasSize[] = [];
  const stop = fitCanvas(canvas, (size) => sizes.push(size));
  await expect.poll(() => sizes.length).toBe(1);
  moveTo(2);
  await expect.poll(() => [sizes.at(-1)?.dpr, canvas.width, canvas.height], { timeout: 3000 }).toEqual([2, 400, 200]);
  moveTo(1);
  await expect.poll(() => [sizes.at(-1)?.dpr, canvas.width, canvas.height], { timeout: 3000 }).toEqual([1, 200, 100]);
  const before = queries.length;
  stop();
  moveTo(2);
  expect(queries).toHaveLength(before);
});
