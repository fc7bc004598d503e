import { type HierarchyRectangularNode, hierarchy, treemap } from 'd3-hierarchy';
import { flush, openCanvas, timeFrames, zoomPoint } from './picture.ts';

type Datum = { readonly name: string; readonly children?: readonly Datum[] };

const ctx = openCanvas();
const headerPx = 20;
const hues = ['#8f8bff', '#38bdf8', '#34d399', '#fbbf24', '#fb923c', '#f472b6', '#c084fc', '#2dd4bf'];
let nodes: HierarchyRectangularNode<Datum>[] = [];
let pillars = new Map<HierarchyRectangularNode<Datum>, string>();

async function paint(): Promise<number> {
  const data: Datum = await (await fetch('tree.json')).json();
  const tree = hierarchy(data)
    .sum((node) => (node.children ? 0 : 1))
    .sort((a, b) => b.value! - a.value!);
  const root = treemap<Datum>().size([innerWidth, innerHeight]).paddingTop(headerPx).paddingInner(1)(tree);
  nodes = root.descendants();
  pillars = new Map((root.children ?? []).map((pillar, i) => [pillar, hues[i % hues.length]!]));
  draw(1);
  flush(ctx);
  return performance.now();
}

/** Every node that is inside the viewport and at least half a pixel big. */
function draw(zoom: number): void {
  const [x, y] = [zoomPoint.x * innerWidth * (1 - 1 / zoom), zoomPoint.y * innerHeight * (1 - 1 / zoom)];
  ctx.fillStyle = '#070a18';
  ctx.fillRect(0, 0, innerWidth, innerHeight);
  ctx.font = '12px sans-serif';
  for (const node of nodes) {
    const left = (node.x0 - x) * zoom;
    const top = (node.y0 - y) * zoom;
    const width = (node.x1 - node.x0) * zoom;
    const height = (node.y1 - node.y0) * zoom;
    if (left > innerWidth || top > innerHeight || left + width < 0 || top + height < 0) continue;
    if (width < 0.5 || height < 0.5) continue;
    ctx.fillStyle = hueOf(node);
    ctx.fillRect(left, top, width, height);
    if (width < 60 || height < 14) continue;
    ctx.fillStyle = '#f3f5ff';
    ctx.fillText(node.data.name, left + 4, top + 14, width - 8);
  }
}

function hueOf(node: HierarchyRectangularNode<Datum>): string {
  for (let up: HierarchyRectangularNode<Datum> | null = node; up; up = up.parent) {
    const hue = pillars.get(up);
    if (hue) return hue;
  }
  return '#6c76a3';
}

globalThis.picture = { painted: paint(), zoom: () => timeFrames(ctx, draw) };
