import type { BenchCase, Contender, Figures } from './bench-case.ts';
import { openBrowser } from './render/open-browser.ts';
import { makePictureFiles, maxForOthers, type PageName, servePictures } from './render/picture-server.ts';
import { zoomByWheel } from './render/zoom-by-wheel.ts';

/** Without the Table, which is no chart: it renders only the rows in the window. */
const views = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree'] as const;
const others: readonly (readonly [name: string, page: PageName])[] = [
  ['d3 treemap on canvas', 'd3'],
  ['flame-chart-js icicle', 'flame-chart'],
  // Draws nothing: the lower bound for any page.
  ['an empty canvas', 'empty'],
];
/** A page that takes longer counts as not finished, which is a result. */
const longestMs = 120_000;

/**
 * First paint and zoom of every chart in a real browser with software rendering, compared with widely used libraries.
 * All get the tree over HTTP: ours as slices of a pack, the others as the JSON they need. `cpuMs` is processor time of
 * every process of the browser from the navigation to the first paint; frames are those during real wheel input, and
 * `zoomCpuMs` the processor time for them; `peakMiB` is the memory afterwards. `ratio` is relative to the first
 * contender, ours.
 *
 * A contender that did not finish has `finished` 0 and no figures for its frames.
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
      .filter(() => nodes <= maxForOthers)
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

/** The result of a piece of work; undefined if it takes too long or the page crashes. */
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
