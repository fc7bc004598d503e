import type { BenchCase, Figures } from './bench-case.ts';
import { openBrowser } from './render/open-browser.ts';
import { makePictureFiles, servePictures } from './render/picture-server.ts';

/**
 * First paint and zoom of the Treemap in a real browser beside what most people would write: a d3 treemap on a canvas.
 * Both get the tree over HTTP, ours as slices of a pack, the other one as the JSON it wants. Processor time is that of
 * every process of the browser from the navigation to the first picture on the canvas.
 */
export const cases: readonly BenchCase[] = [1e4, 1e5, 1e6].map((nodes) => ({
  name: `render/treemap ${nodes} nodes`,
  rounds: 3,
  prepare: () => makePictureFiles(nodes),
  contenders: [
    { name: 'explorer', measure: () => measure(nodes, 'ours') },
    { name: 'd3 treemap on canvas', measure: () => measure(nodes, 'd3') },
  ],
}));

async function measure(nodes: number, page: 'ours' | 'd3'): Promise<Figures> {
  const server = await servePictures(nodes);
  const browser = await openBrowser();
  try {
    const before = browser.cost();
    await browser.page.goto(`${server.url}/${page}.html`);
    const firstPaintMs = await browser.page.evaluate(() => globalThis.picture.painted);
    const after = browser.cost();
    const frames = await browser.page.evaluate(() => globalThis.picture.zoom());
    return {
      cpuMs: after.cpuMs - before.cpuMs,
      wallMs: firstPaintMs,
      peakMiB: browser.cost().memoryMiB,
      firstPaintMs,
      zoomFrameP95Ms: frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)]!,
    };
  } finally {
    await browser.close();
    await server.close();
  }
}
