import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { pathTo } from './tree-walk.ts';

/**
 * A compared node that is not loaded because the filter excludes it, with what is needed to describe and restore it.
 */
export type Away = {
  readonly name: string;
  readonly address: string;
  /** Pack rows of the path from the root to the node. */
  readonly path: readonly number[];
};

/** A compared node: a loaded row, or a node that the filter keeps from being loaded. */
export type Compared = number | Away;

/** The compared rows that are loaded. The filter may still exclude them if excluded nodes are shown faintly. */
export const rowsOf = (compared: readonly Compared[]): number[] => compared.filter((one) => typeof one === 'number');

/** Whether the node can be compared: it is loaded and the filter does not exclude it. */
export const isTold = (tree: LoadedTree, one: Compared): one is number =>
  typeof one === 'number' && !tree.isLeftOut(one);

export const nameOf = (tree: LoadedTree, one: Compared): string =>
  typeof one === 'number' ? tree.name(one) : one.name;

/** The comparison as names, node IDs and paths, taken before the tree is replaced, for {@link comparedIn}. */
export const rememberCompared = (tree: LoadedTree, compared: readonly Compared[]): Away[] =>
  compared.map((one) =>
    typeof one === 'number' ? { name: tree.name(one), address: tree.addressOf(one), path: packPathTo(tree, one) } : one,
  );

/** Restores the comparison in the same order, as loaded rows where the nodes are loaded now. */
export const comparedIn = (tree: LoadedTree, all: readonly Away[]): Compared[] =>
  all.map((one) => {
    const row = tree.rowOf(one.path.at(-1)!);
    return row < 0 ? one : row;
  });

/** The pack rows of the path from the root to a loaded row. */
export const packPathTo = (tree: LoadedTree, row: number): number[] => pathTo(tree, row).map((at) => tree.node[at]!);
