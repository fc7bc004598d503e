import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import { SharedWords } from './shared-words.ts';
import { smartLabel } from './smart-label.ts';
import type { Writer } from './text.ts';

/** Number of the heaviest siblings that are compared to find shared words. */
const mostCompared = 120;

/** What is known about the children of one row, for the version in which they last changed. */
type Siblings = {
  readonly madeAt: number;
  readonly shared: SharedWords;
  readonly ofRow: Map<number, readonly string[]>;
};
type Known = { readonly content: Content; readonly ofParent: Map<number, Siblings> };
const knownOf = new WeakMap<LoadedTree, Known>();

/**
 * The possible labels of a mark, longest first: the full name, then without words that its parent's name contains or
 * that its siblings share. The first one that fits is drawn.
 *
 * @param isParentNamed whether the parent's name is readable beside it
 */
export function nameChoices(tree: LoadedTree, row: number, isParentNamed = true): readonly string[] {
  const name = tree.name(row);
  const parent = tree.parent[row]!;
  if (parent < 0 || !name.includes(' ')) return [name];
  const siblings = siblingsOf(tree, parent);
  let short = siblings.ofRow.get(row);
  if (!short) {
    short = siblings.shared.shortened(name);
    siblings.ofRow.set(row, short);
  }
  const ofParent = isParentNamed ? [smartLabel(name, tree.name(parent))] : [];
  return [...new Set([name, ...ofParent, ...short])].sort((a, b) => b.length - a.length);
}

/**
 * The longest label that fits into `room` CSS pixels, or the one to truncate if none does.
 *
 * @param isParentNamed see {@link nameChoices}
 */
export function nameFor(tree: LoadedTree, row: number, isParentNamed: boolean, writer: Writer, room: number): string {
  const choices = nameChoices(tree, row, isParentNamed);
  return choices.find((name) => writer.width(name) <= room) ?? nameToCut(tree, row, choices);
}

/** The name to truncate if none of its {@link nameChoices} fits. */
export function nameToCut(tree: LoadedTree, row: number, choices: readonly string[]): string {
  const parent = tree.parent[row]!;
  const shortest = choices.at(-1)!;
  if (parent < 0 || choices.length > 1) return shortest;
  return siblingsOf(tree, parent).shared.beheaded(shortest);
}

function siblingsOf(tree: LoadedTree, parent: number): Siblings {
  let known = knownOf.get(tree);
  if (known?.content !== tree.content) {
    known = { content: tree.content, ofParent: new Map() };
    knownOf.set(tree, known);
  }
  const before = known.ofParent.get(parent);
  const madeAt = tree.touched(parent);
  if (before?.madeAt === madeAt) return before;
  const names = Array.from(tree.children(parent).subarray(0, mostCompared), (row) => tree.name(row));
  const siblings = { madeAt, shared: new SharedWords(names), ofRow: new Map() };
  known.ofParent.set(parent, siblings);
  return siblings;
}
