import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const legend = page.getByRole('region', { name: 'Legend' });

/** The width of each swatch of a pattern in device pixels, and whether anything is drawn on it. */
function swatches(): (readonly [number, boolean])[] {
  return [...legend.element().querySelectorAll('canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return [canvas.width, data.some((value) => value > 0)];
  });
}

test('the patterns of the legend stay when the window has another pixel ratio', async () => {
  vi.stubGlobal('devicePixelRatio', 1);
  await openExplorer(garden);
  await legend.getByRole('button').first().click();
  await legend.getByRole('checkbox', { name: 'Patterns' }).click();
  await expect.poll(() => swatches().filter(([, isDrawn]) => isDrawn).length, { timeout: 4000 }).toBeGreaterThan(1);
  const drawn = swatches().map(([, isDrawn]) => isDrawn);
  vi.stubGlobal('devicePixelRatio', 2);
  await legend.getByRole('checkbox', { name: 'Colour-blind safe' }).click();
  await expect.poll(swatches, { timeout: 4000 }).toEqual(drawn.map((isDrawn) => [32, isDrawn]));
});
