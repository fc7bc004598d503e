import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';

/**
 * The default size encoding: volume if it is known for at least half of the keywords, else the number of keywords.
 *
 * The figures are those of the whole visualization, so a filter never changes the result.
 */
export function usualSizeOf(tree: LoadedTree): SizeBy {
  const known = tree.wholeKnown.volume;
  return known > 0 && 2 * known >= tree.ofKeywords[tree.root]! ? 'volume' : 'keywords';
}
