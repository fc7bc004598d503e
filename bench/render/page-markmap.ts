import { Markmap } from 'markmap-view';
import { fetchTree, fillViewport, type Nested, onScreen } from './picture.ts';

type Item = { content: string; children: Item[] };

/** A mind map in SVG, opened down to the clusters: closed nodes have no marks, but all names are in memory. */
async function paint(): Promise<number> {
  const item = ({ name, children = [] }: Nested): Item => ({ content: name, children: children.map(item) });
  const svg = fillViewport(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));
  const map = Markmap.create(svg, { duration: 0, initialExpandLevel: 2 });
  await map.setData(item(await fetchTree()));
  await map.fit();
  return onScreen();
}

globalThis.picture = { painted: paint() };
