import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file to upload and the figures that the product must show, computed here independently. */
export type Input = {
  readonly path: string;
  readonly fileName: string;
  readonly keywords: number;
  readonly pillars: readonly string[];
  /** A keyword that occurs in the hierarchy once, to search for. */
  readonly keyword: string;
  readonly rootName: string;
};

const real = fileURLToPath(new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const sample = fileURLToPath(new URL('../fixtures/sample/garden-shop.json', import.meta.url));

type Node = { name: string; children?: Node[] };
const leaves = (node: Node): string[] => (node.children ? node.children.flatMap(leaves) : [node.name]);

/** The real keyword research if it is in a folder beside the checkout, otherwise the sample. */
export function readInput(): Input {
  const path = existsSync(real) ? real : sample;
  const { keywords, hierarchy } = JSON.parse(readFileSync(path, 'utf8')) as { keywords: unknown[]; hierarchy: Node };
  const names = leaves(hierarchy);
  return {
    path,
    fileName: basename(path),
    keywords: keywords.length,
    pillars: hierarchy.children!.map((child) => child.name),
    keyword: names.find((name) => name.length > 24 && names.filter((other) => other.includes(name)).length === 1)!,
    rootName: hierarchy.name,
  };
}
