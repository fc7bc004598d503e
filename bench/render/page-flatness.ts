import { decodeSlice } from '../../pack/src/slice/slice-wire.ts';
import type { ChartView } from '../../web/src/explore/charts/charts.ts';
import { openOurs } from './ours.ts';
import { fillViewport } from './picture.ts';

declare global {
  var flatness: typeof painter;
}

let body: Uint8Array;

const painter = {
  /** Sets the slice, of a tree with so many nodes, that is all the page can load. */
  take(base64: string): void {
    body = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  },

  /** Decodes, stores, lays out and draws the slice, each time from the start. @returns the number of marks */
  async draw(view: ChartView, nodes: number, times: number): Promise<number> {
    let marks = 0;
    for (let time = 0; time < times; time++) marks = await drawOnce(view, nodes);
    return marks;
  },
};

const canvas = fillViewport(document.createElement('canvas'));
const size = { width: innerWidth, height: innerHeight, dpr: 1 };

async function drawOnce(view: ChartView, nodes: number): Promise<number> {
  const { explorer, motion, open } = openOurs({
    view,
    nodes,
    // Further requests of the chart get no data.
    slice: async ({ node, skip }) =>
      node === 0 && skip === 0 ? decodeSlice(body.slice()) : await new Promise<never>(() => undefined),
    canvas,
    overlay: document.createElement('canvas'),
    allowsMotion: () => false,
  });
  await explorer.start();
  const stage = open();
  canvas.width = size.width;
  canvas.height = size.height;
  stage.resized(size);
  // A canvas only records draw calls until it is read back.
  canvas.getContext('2d')!.getImageData(0, 0, 1, 1);
  const { count } = stage.sight()!.marks;
  stage.close();
  motion.close();
  explorer.stop();
  return count;
}

globalThis.flatness = painter;
