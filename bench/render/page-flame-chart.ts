import { FlameChart, type FlameNode } from 'flame-chart-js';
import { countLeaves, fetchTree, fillViewport, hues, type Nested, onScreen } from './picture.ts';

/** An icicle in a flame chart library for call stacks: the time of a node is its number of leaves. */
async function paint(): Promise<number> {
  const tree = await fetchTree();
  const leaves = countLeaves(tree);
  const node = (of: Nested, start: number, hue: number): FlameNode => {
    let next = start;
    const children = of.children?.map((child, i) => {
      const made = node(child, next, of === tree ? i : hue);
      next += made.duration;
      return made;
    });
    return {
      name: of.name,
      start,
      duration: leaves.get(of) ?? 1,
      color: hues[hue % hues.length]!,
      ...(children && { children }),
    };
  };
  const canvas = fillViewport(document.createElement('canvas'));
  const chart = new FlameChart({ canvas, data: [node(tree, 0, 0)] });
  chart.resize(innerWidth, innerHeight);
  chart.render();
  return onScreen();
}

globalThis.picture = { painted: paint() };
