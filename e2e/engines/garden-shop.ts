import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The file format, as far as it is used here. */
type Node = { readonly name: string; readonly children?: readonly Node[] };
type Content = {
  readonly hierarchy: Node;
  readonly keywords: readonly { readonly keyword: string; readonly search_volume: number | null }[];
};

export const gardenShopFile = fileURLToPath(new URL('../../fixtures/sample/garden-shop.json', import.meta.url));

const { hierarchy, keywords } = JSON.parse(readFileSync(gardenShopFile, 'utf8')) as Content;
const volumes = new Map(keywords.map(({ keyword, search_volume }) => [keyword, search_volume]));

/** What the screens and the exports must show for the file, computed independently of the product. */
export const gardenShop = {
  /** Rows of the tree, including the root. */
  nodes: nodesIn(hierarchy),
  pillars: hierarchy.children!.map(figuresOf),
  /** Distinct keywords that contain a text. */
  containing: (text: string): number => [...keywordsIn(hierarchy)].filter((keyword) => keyword.includes(text)).length,
  ...figuresOf(hierarchy),
};

/** Distinct keywords of a branch, and the sum of their known volumes. */
function figuresOf(branch: Node) {
  const names = [...keywordsIn(branch)];
  const volume = names.reduce((sum, name) => sum + (volumes.get(name) ?? 0), 0);
  return { name: branch.name, keywords: names.length, volume };
}

function keywordsIn({ name, children = [] }: Node): ReadonlySet<string> {
  return new Set(children.length === 0 ? [name] : children.flatMap((child) => [...keywordsIn(child)]));
}

function nodesIn({ children = [] }: Node): number {
  return children.reduce((sum, child) => sum + nodesIn(child), 1);
}
