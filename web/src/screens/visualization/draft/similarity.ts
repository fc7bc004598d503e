import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';

/** The similarity of a keyword to the centre of its cluster, −1 to 1, if it is known. */
export function similarityAt(tree: LoadedTree, row: number): number | undefined {
  if (tree.types[tree.type[row]!] !== 'keyword') return undefined;
  const field = tree.field('similarity');
  const value = field?.kind === 'number' ? field.value[row] : undefined;
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
