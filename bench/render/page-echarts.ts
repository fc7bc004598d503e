import { TreemapChart } from 'echarts/charts';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { countLeaves, fetchTree, fillViewport, type Nested, onScreen } from './picture.ts';

use([TreemapChart, CanvasRenderer]);

type Item = { name: string; value: number; children?: Item[] };

/** All levels, its own way to leave out small nodes, and no animation. */
async function paint(): Promise<number> {
  const tree = await fetchTree();
  const leaves = countLeaves(tree);
  const chart = init(fillViewport(document.createElement('div')), null, { renderer: 'canvas' });
  const finished = new Promise<void>((resolve) => chart.on('finished', () => resolve()));
  const item = (node: Nested): Item => ({
    name: node.name,
    value: leaves.get(node) ?? 1,
    ...(node.children && { children: node.children.map(item) }),
  });
  const data = (tree.children ?? []).map(item);
  chart.setOption({
    animation: false,
    series: [{ type: 'treemap', roam: true, left: 0, top: 0, right: 0, bottom: 0, breadcrumb: { show: false }, data }],
  });
  await finished;
  return onScreen();
}

globalThis.picture = { painted: paint() };
