import { decodeSlice } from '../../pack/src/slice/slice-wire.ts';
import { fitCanvas } from '../../web/src/explore/charts/canvas/fit-canvas.ts';
import type { ChartView } from '../../web/src/explore/charts/charts.ts';
import { attachPointer } from '../../web/src/explore/charts/pointer/pointer.ts';
import { openOurs } from './ours.ts';
import { fillViewport, onScreen } from './picture.ts';

const asked = new URLSearchParams(location.search);

async function paint(): Promise<number> {
  const canvas = document.createElement('canvas');
  const overlay = document.createElement('canvas');
  const { explorer, open } = openOurs({
    view: asked.get('view') as ChartView,
    nodes: Number(asked.get('nodes')),
    async slice({ node, budget, skip }, signal) {
      const answer = await fetch(`slice?node=${node}&budget=${budget}&skip=${skip}`, { signal });
      return decodeSlice(new Uint8Array(await answer.arrayBuffer()));
    },
    canvas,
    overlay,
    allowsMotion: () => true,
  });
  await explorer.start();
  const surface = fillViewport(document.createElement('div'));
  surface.append(fillViewport(canvas), overlay);
  const stage = open();
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
