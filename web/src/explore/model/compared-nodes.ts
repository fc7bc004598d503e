import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { pathTo } from './tree-walk.ts';

/** A node that is compared and not held, because the filter leaves it out: what tells of it and brings it back. */
export type Away = {
  readonly name: string;
  readonly address: string;
  /** Pack rows, the root first, its own last. */
  readonly path: readonly number[];
};

/** Something that is compared: a held row, or what the filter keeps from being held. */
export type Compared = number | Away;

/** Those that are held; a filter may leave them out all the same, where the rest is shown. */
export const rowsOf = (compared: readonly Compared[]): number[] => compared.filter((one) => typeof one === 'number');

/** Whether there is something to compare: it is held, and no filter leaves it out. */
export const isTold = (tree: LoadedTree, one: Compared): one is number =>
  typeof one === 'number' && !tree.isLeftOut(one);

export const nameOf = (tree: LoadedTree, one: Compared): string =>
  typeof one === 'number' ? tree.name(one) : one.name;

/** What is compared by its nodes: before the tree becomes another one, for {@link comparedIn} it. */
export const rememberCompared = (tree: LoadedTree, compared: readonly Compared[]): Away[] =>
  compared.map((one) =>
    typeof one === 'number' ? { name: tree.name(one), address: tree.addressOf(one), path: packPathTo(tree, one) } : one,
  );

/** In the same places: as rows where they are held now. */
export const comparedIn = (tree: LoadedTree, all: readonly Away[]): Compared[] =>
  all.map((one) => {
    const row = tree.rowOf(one.path.at(-1)!);
    return row < 0 ? one : row;
  });

/** The pack rows on the way to a held row, the root first. */
export const packPathTo = (tree: LoadedTree, row: number): number[] => pathTo(tree, row).map((at) => tree.node[at]!);
