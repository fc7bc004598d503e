import type { LoadedTree } from '../../../explore/tree-data/loaded-tree.ts';

/** How surely a cluster belongs together: the share of its keywords' similarity that stays inside, 0 to 100. */
export type Confidence = { readonly percent: number; readonly word: 'strong' | 'fair' | 'weak' };

export function confidenceOf(percent: number): Confidence {
  return { percent, word: percent >= 80 ? 'strong' : percent >= 50 ? 'fair' : 'weak' };
}

/** The similarity of a keyword to the centre of its cluster, −1 to 1, if it is known. */
export function similarityAt(tree: LoadedTree, row: number): number | undefined {
  if (tree.types[tree.type[row]!] !== 'keyword') return undefined;
  const field = tree.field('similarity');
  const value = field?.kind === 'number' ? field.value[row] : undefined;
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
