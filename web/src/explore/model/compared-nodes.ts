import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { pathTo } from './tree-walk.ts';

/**
 * A compared node that is not loaded because the filter excludes it, with what is needed to describe and restore it.
 */
export type ExcludedNode = {
  readonly name: string;
  readonly address: string;
  /** Pack rows from the root to the node itself. */
  readonly path: readonly number[];
};

/** A compared item: a loaded row, or a node that the filter keeps from being loaded. */
export type ComparedItem = number | ExcludedNode;

/** The loaded ones. If the rest is shown faintly, the filter may still exclude them. */
export const rowsOf = (compared: readonly ComparedItem[]): number[] =>
  compared.filter((item) => typeof item === 'number');

/** Whether it has figures to compare: it is loaded and the filter keeps it. */
export const hasFigures = (tree: LoadedTree, item: ComparedItem): item is number =>
  typeof item === 'number' && !tree.isLeftOut(item);

export const nameOf = (tree: LoadedTree, item: ComparedItem): string =>
  typeof item === 'number' ? tree.name(item) : item.name;

/** The compared items as nodes: taken before the tree is replaced, for {@link restoreCompared}. */
export const rememberCompared = (tree: LoadedTree, compared: readonly ComparedItem[]): ExcludedNode[] =>
  compared.map((item) =>
    typeof item === 'number'
      ? { name: tree.name(item), address: tree.addressOf(item), path: packPathTo(tree, item) }
      : item,
  );

/** The same items in the same order, as rows where they are loaded now. */
export const restoreCompared = (tree: LoadedTree, nodes: readonly ExcludedNode[]): ComparedItem[] =>
  nodes.map((node) => {
    const row = tree.rowOf(node.path.at(-1)!);
    return row < 0 ? node : row;
  });

/** The pack rows from the root to a loaded row. */
export const packPathTo = (tree: LoadedTree, row: number): number[] => pathTo(tree, row).map((at) => tree.node[at]!);
