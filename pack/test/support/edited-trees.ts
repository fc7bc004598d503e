import fc from 'fast-check';
import type { PlainNode } from './filter-oracle.ts';

type Draft = { name: string; children: Draft[] } & Record<string, unknown>;

/** An edit of a tree, as numbers that choose the nodes. */
export type Edit = {
  readonly do: 'rename' | 'move' | 'delete' | 'add' | 'merge' | 'split' | 'figure';
  readonly at: number;
  readonly to: number;
  readonly name: string;
};

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    do: fc.constantFrom('rename', 'move', 'delete', 'add', 'merge', 'split', 'figure'),
    at: fc.nat(40),
    to: fc.nat(40),
    name: fc.constantFrom('ab', 'AB', 'new', 'b  c', 'fresh', 'ß'),
  }),
  { maxLength: 6 },
);

/** The tree after some edits. The root stays. */
export function editTree(root: PlainNode, edited: readonly Edit[]): PlainNode {
  const draft = JSON.parse(JSON.stringify(root)) as Draft;
  complete(draft);
  for (const edit of edited) apply(draft, edit);
  return JSON.parse(
    JSON.stringify(draft, (name, value) => (isEmptyList(name, value) ? undefined : value)),
  ) as PlainNode;
}

const isEmptyList = (name: string, value: unknown) => name === 'children' && Array.isArray(value) && value.length === 0;

function complete(node: Draft): void {
  node.children ??= [];
  for (const child of node.children) complete(child);
}

type Place = { readonly node: Draft; readonly parent: Draft };

function placesIn(node: Draft): Place[] {
  return node.children.flatMap((child) => [{ node: child, parent: node }, ...placesIn(child)]);
}

function apply(root: Draft, { do: what, at, to, name }: Edit): void {
  const places = placesIn(root);
  if (places.length === 0) return;
  const { node, parent } = places[at % places.length]!;
  const other = places[to % places.length]!;
  const take = () => parent.children.splice(parent.children.indexOf(node), 1);
  switch (what) {
    case 'rename':
      node.name = name;
      return;
    case 'figure':
      node.volume = to;
      return;
    case 'delete':
      take();
      return;
    case 'add':
      node.children.push({ name, children: [] });
      return;
    case 'move':
      if (other.node === node || placesIn(node).some((place) => place.node === other.node)) return;
      take();
      other.node.children.push(node);
      return;
    case 'merge':
      if (other.parent !== parent || other.node === node) return;
      take();
      other.node.children.push(...node.children);
      return;
    case 'split': {
      const half = node.children.splice(0, node.children.length >> 1);
      if (half.length > 0) parent.children.push({ name, children: half });
      return;
    }
  }
}
