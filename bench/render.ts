import type { BenchCase, Contender, Figures } from './bench-case.ts';
import { openBrowser } from './render/open-browser.ts';
import { makePictureFiles, mostForOthers, type PageName, servePictures } from './render/picture-server.ts';
import { zoomByWheel } from './render/zoom-by-wheel.ts';

/** The Table is not among them: it is no picture, its rows are those of the window. */
const views = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree', 'opportunity'] as const;
const others: readonly (readonly [name: string, page: PageName])[] = [
  ['d3 treemap on canvas', 'd3'],
  ['ECharts treemap', 'echarts'],
  ['flame-chart-js icicle', 'flame-chart'],
  ['markmap tree', 'markmap'],
  // Draws nothing: what no page can be cheaper than.
  ['an empty canvas', 'empty'],
];
/** A page that takes longer did not finish, which is a result. */
const longestMs = 120_000;

/**
 * First paint and zoom of every drawn view in a real browser that draws in software, beside what most people would use. All
 * get the tree over HTTP, ours as slices of a pack, the others as the JSON they want. `cpuMs` is processor time of every
 * process of the browser from the navigation to the first picture; frames are those while a real wheel turns, and
 * `zoomCpuMs` what that took; `peakMiB` is the memory after it. `ratio` is beside the first contender, ours.
 *
 * What did not finish has `finished` 0 and no figures of its frames.
 */
export const cases: readonly BenchCase[] = [1e3, 1e4, 1e5, 1e6, 1e7].map((nodes) => ({
  name: `render ${nodes} nodes`,
  rounds: 3,
  prepare: () => makePictureFiles(nodes),
  contenders: [
    ...views.map(
      (view): Contender => ({ name: view, measure: () => measure(nodes, `ours.html?view=${view}&nodes=${nodes}`) }),
    ),
    ...others
      .filter(() => nodes <= mostForOthers)
      .map(([name, page]): Contender => ({ name, measure: () => measure(nodes, `${page}.html`) })),
  ],
}));

async function measure(nodes: number, path: string): Promise<Figures> {
  const server = await servePictures(nodes);
  const browser = await openBrowser();
  try {
    const before = browser.cpuMs();
    const firstPaintMs = await within(async () => {
      await browser.page.goto(`${server.url}/${path}`, { timeout: longestMs });
      return browser.page.evaluate(() => globalThis.picture.painted);
    });
    const painted = browser.cpuMs();
    const frames = firstPaintMs === undefined ? undefined : await within(() => zoomByWheel(browser.page));
    const after = browser.cpuMs();
    return {
      cpuMs: painted - before,
      wallMs: firstPaintMs ?? longestMs,
      peakMiB: browser.memoryMiB(),
      finished: frames ? 1 : 0,
      ...(frames && {
        zoomFrames: frames.length,
        zoomFrameP50Ms: quantile(frames, 0.5),
        zoomFrameP95Ms: quantile(frames, 0.95),
        zoomCpuMs: after - painted,
      }),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** What a piece of work gives; undefined when it takes too long, or the page did not live so long. */
async function within<T>(work: () => Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), longestMs);
  });
  const given = work().catch((error: unknown) => {
    if (/crashed|closed/i.test(String(error))) return undefined;
    throw error;
  });
  try {
    return await Promise.race([given, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? longestMs;
