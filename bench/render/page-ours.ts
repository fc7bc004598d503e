import { decodeSlice } from '../../pack/src/slice/slice-wire.ts';
import { fitCanvas } from '../../web/src/explore/draw/fit-canvas.ts';
import { createExplorer } from '../../web/src/explore/state/explorer.ts';
import { createMotion } from '../../web/src/explore/views/picture/motion.ts';
import { bubbles } from '../../web/src/explore/views/picture/pictures/bubbles.ts';
import { icicle } from '../../web/src/explore/views/picture/pictures/icicle.ts';
import { opportunity } from '../../web/src/explore/views/picture/pictures/opportunity.ts';
import type { DrawnView, Picture } from '../../web/src/explore/views/picture/pictures/picture.ts';
import { sunburst } from '../../web/src/explore/views/picture/pictures/sunburst.ts';
import { tree } from '../../web/src/explore/views/picture/pictures/tree.ts';
import { treemap } from '../../web/src/explore/views/picture/pictures/treemap.ts';
import { attachPointer } from '../../web/src/explore/views/picture/pointer.ts';
import { createStage } from '../../web/src/explore/views/picture/stage.ts';
import { fillViewport, onScreen } from './picture.ts';

const pictures: Readonly<Record<DrawnView, Picture>> = { treemap, bubbles, sunburst, icicle, tree, opportunity };
const asked = new URLSearchParams(location.search);
const view = asked.get('view') as DrawnView;
const notHere = () => Promise.reject(new Error('Nothing asks for it here'));

/** The engine of the product as the screen puts it together, without what stands around the picture. */
const explorer = createExplorer({
  visualization: { id: 'bench', nodes: Number(asked.get('nodes')) },
  linkId: 'bench',
  isDefault: () => true,
  source: {
    async slice({ node, budget, skip }, signal) {
      const answer = await fetch(`slice?node=${node}&budget=${budget}&skip=${skip}`, { signal });
      return decodeSlice(new Uint8Array(await answer.arrayBuffer()));
    },
    fields: async () => [],
    histogram: notHere,
    node: notHere,
    keywords: notHere,
    members: notHere,
    search: notHere,
    locate: notHere,
    exportUrl: () => '',
    table: notHere,
    views: notHere,
  },
  // All levels, as the others draw them.
  bar: { read: () => `?view=${view}&d=all`, write: () => undefined, listen: () => () => undefined },
  room: { isSmall: false, panelsOpen: false },
  explain: String,
});

async function paint(): Promise<number> {
  await explorer.start();
  const surface = fillViewport(document.createElement('div'));
  const canvas = fillViewport(document.createElement('canvas'));
  const overlay = document.createElement('canvas');
  surface.append(canvas, overlay);
  const mayMove = () => true;
  const stage = createStage({
    canvas,
    motion: createMotion({ canvas, overlay, mayMove }),
    explorer,
    picture: pictures[view],
    mayMove,
    theme: () => 'dark',
  });
  const nothing = () => undefined;
  attachPointer({ surface, stage, explorer, onRest: nothing, onMenu: nothing, onBox: nothing });
  await new Promise<void>((drawn) => {
    fitCanvas(canvas, (size) => {
      stage.resized(size);
      drawn();
    });
  });
  return onScreen();
}

globalThis.picture = { painted: paint() };
