import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';

/**
 * The default size metric until the user chooses one: volume if it is known for at least half of the keywords,
 * otherwise the keyword count.
 *
 * It is computed from the whole visualization, so a filter never changes it.
 */
export function usualSizeOf(tree: LoadedTree): SizeBy {
  const known = tree.wholeKnown.volume;
  return known > 0 && 2 * known >= tree.ofKeywords[tree.root]! ? 'volume' : 'keywords';
}
