import type { BenchCase, Contender, Figures } from './bench-case.ts';
import { openBrowser } from './render/open-browser.ts';
import { makePictureFiles, mostForOthers, servePictures } from './render/picture-server.ts';

/** The Table is not among them: it is no picture, its rows are those of the window. */
const views = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree', 'opportunity'] as const;
/** A page that takes longer did not finish, which is a result. */
const longestMs = 120_000;

/**
 * First paint and zoom of every drawn view in a real browser beside what most people would write: a d3 treemap on a
 * canvas. All get the tree over HTTP, ours as slices of a pack, the other one as the JSON it wants. Processor time is that
 * of every process of the browser from the navigation to the first picture on the canvas; `ratio` is beside the Treemap.
 *
 * What did not finish has `finished` 0 and no figures of its frames.
 */
export const cases: readonly BenchCase[] = [1e3, 1e4, 1e5, 1e6, 1e7].map((nodes) => ({
  name: `render ${nodes} nodes`,
  rounds: 3,
  prepare: () => makePictureFiles(nodes),
  contenders: [
    ...views.map((view): Contender => ({ name: view, measure: () => measure(nodes, `ours.html?${view}`) })),
    ...(nodes > mostForOthers
      ? []
      : [{ name: 'd3 treemap on canvas', measure: () => measure(nodes, 'd3.html') } satisfies Contender]),
  ],
}));

async function measure(nodes: number, path: string): Promise<Figures> {
  const server = await servePictures(nodes);
  const browser = await openBrowser();
  try {
    const before = browser.cost();
    const firstPaintMs = await within(async () => {
      await browser.page.goto(`${server.url}/${path}`, { timeout: longestMs });
      return browser.page.evaluate(() => globalThis.picture.painted);
    });
    const cpuMs = browser.cost().cpuMs - before.cpuMs;
    const frames = firstPaintMs === undefined ? undefined : await within(() => zoom(browser.page));
    return {
      cpuMs,
      wallMs: firstPaintMs ?? longestMs,
      peakMiB: browser.cost().memoryMiB,
      finished: frames ? 1 : 0,
      ...(firstPaintMs !== undefined && { firstPaintMs }),
      ...(frames && { zoomFrameP50Ms: quantile(frames, 0.5), zoomFrameP95Ms: quantile(frames, 0.95) }),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

type Page = Awaited<ReturnType<typeof openBrowser>>['page'];
const zoom = (page: Page) => page.evaluate(() => globalThis.picture.zoom());

/** What a piece of work gives; undefined when it takes too long. */
async function within<T>(work: () => Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), longestMs);
  });
  try {
    return await Promise.race([work(), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!;
