import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';

/**
 * What sizes marks until somebody chooses: volume if it is known for at least half of the keywords, else their number.
 *
 * The figures are those of the whole visualization, so a filter never changes the answer.
 */
export function usualSizeOf(tree: LoadedTree): SizeBy {
  const known = tree.wholeKnown.volume;
  return known > 0 && 2 * known >= tree.ofKeywords[tree.root]! ? 'volume' : 'keywords';
}
