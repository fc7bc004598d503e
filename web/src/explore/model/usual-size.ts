import { fold } from '@kc/pack/upload/spelling';
import type { Field } from '@kc/rules/shapes';
import { type FieldKey, fieldKey } from '../tree-data/figures.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { canSize } from './choices.ts';
import type { SizeBy } from './encodings.ts';

/** What stands for demand where there are no volumes, the best first. Maps of Search Console have impressions. */
const amounts = ['impressions', 'traffic', 'clicks'];

/**
 * The default size encoding: volume if it is known for at least half of the keywords, else the first amount that the file has,
 * else the number of keywords.
 *
 * The figures are those of the whole visualization, so a filter never changes the result.
 *
 * @param fields those of the file, needed where {@link isSizedByVolume} says no
 */
export function usualSizeOf(tree: LoadedTree, fields: readonly Field[] = []): SizeBy {
  if (isSizedByVolume(tree)) return 'volume';
  return amounts.map((amount) => keyOfAmount(fields, amount)).find((key) => key !== undefined) ?? 'keywords';
}

export function isSizedByVolume(tree: LoadedTree): boolean {
  const known = tree.wholeKnown.volume;
  return known > 0 && 2 * known >= tree.ofKeywords[tree.root]!;
}

/** The field of an amount, however its name is written. */
export function keyOfAmount(fields: readonly Field[], amount: string): FieldKey | undefined {
  const field = fields.find((one) => canSize(one) && fold(one.name) === amount);
  return field && fieldKey(field.name);
}
