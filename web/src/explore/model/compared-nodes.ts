import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { pathTo } from './tree-walk.ts';

/**
 * A compared node that is not loaded because the filter excludes it, with what is needed to describe and restore it.
 */
export type UnloadedNode = {
  readonly name: string;
  readonly address: string;
  /** Pack rows from the root to the node itself. */
  readonly path: readonly number[];
};

/** A compared item: a loaded row, or a node that the filter keeps from being loaded. */
export type Compared = number | UnloadedNode;

/** The loaded ones. If the rest is shown faintly, the filter may still exclude them. */
export const rowsOf = (compared: readonly Compared[]): number[] => compared.filter((one) => typeof one === 'number');

/** Whether it has figures to compare: it is loaded and the filter keeps it. */
export const hasFigures = (tree: LoadedTree, one: Compared): one is number =>
  typeof one === 'number' && !tree.isLeftOut(one);

export const nameOf = (tree: LoadedTree, one: Compared): string =>
  typeof one === 'number' ? tree.name(one) : one.name;

/** The compared items as nodes: taken before the tree is replaced, for {@link comparedIn}. */
export const rememberCompared = (tree: LoadedTree, compared: readonly Compared[]): UnloadedNode[] =>
  compared.map((one) =>
    typeof one === 'number' ? { name: tree.name(one), address: tree.addressOf(one), path: packPathTo(tree, one) } : one,
  );

/** The same items in the same order, as rows where they are loaded now. */
export const comparedIn = (tree: LoadedTree, all: readonly UnloadedNode[]): Compared[] =>
  all.map((one) => {
    const row = tree.rowOf(one.path.at(-1)!);
    return row < 0 ? one : row;
  });

/** The pack rows from the root to a loaded row. */
export const packPathTo = (tree: LoadedTree, row: number): number[] => pathTo(tree, row).map((at) => tree.node[at]!);
