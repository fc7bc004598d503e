import type { UploadField } from '../upload/upload-tables.ts';
import { addToAncestors } from './branches.ts';
import type { Occurrences } from './occurrences.ts';
import type { FieldValues, MeanSum } from './sums.ts';

/** Whether a field can weight rates and positions. The first such field of a file does. */
export const isWeight = (field: UploadField): boolean =>
  field.kind === 'number' && field.is === 'impressions' && field.rollUp === 'sum';

/** Whether the mean of a field is weighted by impressions, like that of positions. */
export const isWeighed = (field: UploadField): boolean =>
  field.kind === 'number' && field.rollUp === 'mean' && (field.is === 'ctr' || field.is === 'previousPosition');

/** @param value the value of a node, NaN if unknown */
export function weighByImpressions(
  { branches, place, repeatNode, repeatBranch }: Occurrences,
  value: (node: number) => number,
  impressions: FieldValues,
): NonNullable<MeanSum['byImpressions']> {
  const products = new Float64Array(branches.count);
  const weight = new Float64Array(branches.count);
  const weighed = new Uint32Array(branches.count);
  const add = (branch: number, node: number, sign: 1 | -1): void => {
    const by = impressions.at(node);
    const product = value(node) * by;
    if (!(by > 0) || Number.isNaN(product)) return;
    products[branch]! += sign * product;
    weight[branch]! += sign * by;
    weighed[branch]! += sign;
  };
  for (let node = 0; node < place.length; node++) if (place[node]! >= 0) add(place[node]!, node, 1);
  for (let index = 0; index < repeatNode.length; index++) add(repeatBranch[index]!, repeatNode[index]!, -1);
  for (const sums of [products, weight, weighed]) addToAncestors(branches.parent, sums);
  return { products, weight, weighed };
}
