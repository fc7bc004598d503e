import { link, mkdir, rm } from 'node:fs/promises';
import type { SliceQuery } from '../pack/src/slice/slice.ts';
import { openDiskStorage } from '../server/src/storage/disk.ts';
import { createPackQueries } from '../server/src/visualizations/query/pack-queries.ts';
import { type BenchCase, costOf, type Figures } from './bench-case.ts';
import { openBrowser } from './render/open-browser.ts';
import { bundlePage, cachePath } from './render/picture-server.ts';
import { makePack } from './slice.ts';

const views = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree'] as const;
const sizes = [1e5, 1e6, 1e7];
const sliceRepeats = 40;
const pictureRepeats = 15;
const folder = cachePath('flatness');
const keyOf = (nodes: number) => `pack-${String(nodes).padStart(32, '0')}`;

/** The first slice of a screen, which is stored in the pack, and one that is not. */
const asked: Readonly<Record<string, SliceQuery>> = {
  'the first look': { node: 0, budget: 4000, skip: 0 },
  '20,000 rows of the root': { node: 0, budget: 20_000, skip: 0 },
};

/**
 * Whether a larger tree costs more if the user sees no more of it. `cpuMs` is the processor time of a slice on the
 * server plus that of a chart of average size: decoded, stored, laid out and drawn in a real browser with software
 * rendering, each time from the start by compiled code. `ratio` is relative to the smallest tree. `sliceMs` and those
 * of the views are its parts, `wallMs` is the whole run and `peakMiB` the process that computes the slices.
 *
 * The stored slice is read from a pack that is opened for it, the other one from columns and blocks in memory.
 */
export const cases: readonly BenchCase[] = Object.entries(asked).map(([what, query]) => ({
  name: `flatness/${what}`,
  rounds: 5,
  async prepare() {
    await mkdir(folder, { recursive: true });
    for (const nodes of sizes) await makeStored(nodes);
    await bundlePage('flatness');
  },
  contenders: sizes.map((nodes) => ({ name: `${nodes} nodes`, measure: () => measure(nodes, query) })),
}));

async function makeStored(nodes: number): Promise<void> {
  const pack = await makePack(nodes);
  await rm(`${folder}/${keyOf(nodes)}`, { force: true });
  await link(pack, `${folder}/${keyOf(nodes)}`);
}

async function measure(nodes: number, query: SliceQuery): Promise<Figures> {
  const start = performance.now();
  const { body, sliceMs } = await takeSlices(nodes, query);
  const pictures = await drawPictures(nodes, body);
  const drawn = views.reduce((sum, view) => sum + pictures[`${view}Ms`]!, 0) / views.length;
  return {
    cpuMs: sliceMs + drawn,
    wallMs: performance.now() - start,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    sliceMs,
    bytes: body.length,
    ...pictures,
  };
}

async function takeSlices(nodes: number, query: SliceQuery) {
  const storage = await openDiskStorage(folder);
  const isReady = query.budget === 4000;
  let slices = createPackQueries(storage);
  let body: Uint8Array = new Uint8Array();
  const take = async () => {
    if (isReady) {
      await slices.close();
      slices = createPackQueries(storage);
    }
    body = (await slices.slice({ packKey: keyOf(nodes), query }))!;
  };
  for (let warm = 0; warm < sliceRepeats; warm++) await take();
  const { cpuMs } = await costOf(async () => {
    for (let repeat = 0; repeat < sliceRepeats; repeat++) await take();
    return {};
  });
  await slices.close();
  return { body, sliceMs: cpuMs / sliceRepeats };
}

/** Milliseconds and marks of each view. */
async function drawPictures(nodes: number, body: Uint8Array): Promise<Record<string, number>> {
  const { page, cpuMs, close } = await openBrowser();
  try {
    await page.setContent('<!doctype html><body style="margin:0">');
    await page.addScriptTag({ path: cachePath('flatness.js') });
    await page.evaluate((text) => globalThis.flatness.take(text), Buffer.from(body).toString('base64'));
    const draw = (view: (typeof views)[number], times: number) =>
      page.evaluate((asked) => globalThis.flatness.draw(...asked), [view, nodes, times] as const);
    const figures: Record<string, number> = {};
    for (const view of views) {
      await draw(view, pictureRepeats);
      const before = cpuMs();
      figures[`${view}Marks`] = await draw(view, pictureRepeats);
      figures[`${view}Ms`] = (cpuMs() - before) / pictureRepeats;
    }
    return figures;
  } finally {
    await close();
  }
}
