import { decodeSlice } from '../../pack/src/slice-wire.ts';
import { drawMarks } from '../../web/src/explore/draw/draw-marks.ts';
import { HeldTree } from '../../web/src/explore/store/held-tree.ts';
import { createSliceLoader } from '../../web/src/explore/store/load-slices.ts';
import { bubbles } from '../../web/src/explore/views/pictures/bubbles.ts';
import { icicle } from '../../web/src/explore/views/pictures/icicle.ts';
import { opportunity } from '../../web/src/explore/views/pictures/opportunity.ts';
import type { DrawnView, Picture } from '../../web/src/explore/views/pictures/picture.ts';
import { sunburst } from '../../web/src/explore/views/pictures/sunburst.ts';
import { tree as tidyTree } from '../../web/src/explore/views/pictures/tree.ts';
import { treemap } from '../../web/src/explore/views/pictures/treemap.ts';
import { flush, openCanvas, timeFrames, zoomPoint } from './picture.ts';

const pictures: Readonly<Record<DrawnView, Picture>> = {
  treemap,
  bubbles,
  sunburst,
  icicle,
  tree: tidyTree,
  opportunity,
};
/** The address ends in the view's name. */
const { createLayout, drawing } = pictures[location.search.slice(1) as DrawnView];
const layout = createLayout();
const ctx = openCanvas();
const tree = new HeldTree();
const none: ReadonlySet<number> = new Set();

const loader = createSliceLoader({
  tree,
  // Slices while zooming, nothing behind the first picture, so that the two are measured apart.
  nodes: Number.POSITIVE_INFINITY,
  onMerged: () => undefined,
  onError: (error) => {
    throw error;
  },
  whenIdle: () => () => undefined,
  fetchSlice: async ({ node, budget, skip }, signal) => {
    const answer = await fetch(`slice?node=${node}&budget=${budget}&skip=${skip}`, { signal });
    return decodeSlice(new Uint8Array(await answer.arrayBuffer()));
  },
});

function draw(k: number): void {
  const [width, height] = [innerWidth, innerHeight];
  const camera = { x: zoomPoint.x * width * (1 - 1 / k), y: zoomPoint.y * height * (1 - 1 / k), k };
  const depth = Number.POSITIVE_INFINITY;
  const marks = layout(tree, { focus: 0, width, height, camera, sizeBy: 'keywords', depth, minPx: 3, budget: 20_000 });
  const paint = {
    theme: 'dark',
    colourBy: 'pillar',
    sizeBy: 'keywords',
    hover: -1,
    selection: none,
    hits: none,
    focusRing: -1,
    dpr: 1,
  } as const;
  drawMarks(ctx, drawing, marks, tree, paint);
  loader.want(marks.wants);
}

async function paint(): Promise<number> {
  await loader.first();
  draw(1);
  flush(ctx);
  return performance.now();
}

globalThis.picture = { painted: paint(), zoom: () => timeFrames(ctx, draw) };
