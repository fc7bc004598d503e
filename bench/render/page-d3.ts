import { type HierarchyRectangularNode, hierarchy, treemap } from 'd3-hierarchy';
import { fetchTree, fillViewport, hues, type Nested, onScreen } from './picture.ts';

const canvas = fillViewport(document.createElement('canvas'));
canvas.width = innerWidth;
canvas.height = innerHeight;
const ctx = canvas.getContext('2d')!;
const headerPx = 20;
const wheelStep = 1.2;
let nodes: HierarchyRectangularNode<Nested>[] = [];
let pillars = new Map<HierarchyRectangularNode<Nested>, string>();
let camera = { x: 0, y: 0, zoom: 1 };
let frame = 0;

async function paint(): Promise<number> {
  const tree = hierarchy(await fetchTree())
    .sum((node) => (node.children ? 0 : 1))
    .sort((a, b) => b.value! - a.value!);
  const root = treemap<Nested>().size([innerWidth, innerHeight]).paddingTop(headerPx).paddingInner(1)(tree);
  nodes = root.descendants();
  pillars = new Map((root.children ?? []).map((pillar, i) => [pillar, hues[i % hues.length]!]));
  draw();
  return onScreen();
}

/** Draws every node that is inside the viewport and at least half a pixel large. */
function draw(): void {
  frame = 0;
  const { x, y, zoom } = camera;
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

function hueOf(node: HierarchyRectangularNode<Nested>): string {
  for (let up: HierarchyRectangularNode<Nested> | null = node; up; up = up.parent) {
    const hue = pillars.get(up);
    if (hue) return hue;
  }
  return '#6c76a3';
}

/** Keeps the point under the pointer fixed. */
function zoomAt({ clientX, clientY, deltaY }: WheelEvent): void {
  const zoom = Math.max(1, camera.zoom * (deltaY < 0 ? wheelStep : 1 / wheelStep));
  const shift = 1 / camera.zoom - 1 / zoom;
  camera = { x: camera.x + clientX * shift, y: camera.y + clientY * shift, zoom };
  if (frame === 0) frame = requestAnimationFrame(draw);
}

canvas.addEventListener('wheel', (event) => {
  event.preventDefault();
  zoomAt(event);
});
globalThis.picture = { painted: paint() };
