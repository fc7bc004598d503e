import { markFields } from '@kc/pack/slice/mark-fields';
import type { SizeBy } from '../../model/encodings.ts';
import type { WeighedChildren } from '../../model/weights.ts';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type GoneWeights, goneRow } from './families.ts';

/**
 * The weights of what is gone. Undefined if nothing is compared, if it is not loaded for every row, if rows that a
 * filter excludes are drawn as well, and for sizes that gone nodes do not have. Layouts get it by their options, because
 * most visits do not load it.
 */
export function goneWeights(tree: LoadedTree, sizeBy: SizeBy): GoneWeights | undefined {
  const isVolume = sizeBy === 'volume';
  if (tree.shape !== tree || !(isVolume || sizeBy === 'keywords' || sizeBy === 'equal')) return undefined;
  const column = (field: (typeof markFields)[keyof typeof markFields]) => {
    const found = tree.markField(field);
    const isWhole = found?.kind === 'number' && !found.known.subarray(0, tree.size).includes(notLoaded);
    return isWhole ? found.value : undefined;
  };
  const [nodes, keywords, volume] = [markFields.goneNodes, markFields.goneKeywords, markFields.goneVolume].map(column);
  const below = column(isVolume ? markFields.goneVolumeBelow : markFields.goneKeywordsBelow);
  if (!nodes || !keywords || !volume || !below) return undefined;
  const here = isVolume ? volume : keywords;
  return {
    at: (row) => ({ nodes: nodes[row]!, keywords: keywords[row]!, volume: volume[row]! }),
    weigh: (remaining, row) => withGone(remaining, { here, below }, tree, row),
  };
}

/** By row: the weight of its gone children, and of everything that is gone from it at any depth. */
type Weights = { readonly here: ArrayLike<number>; readonly below: ArrayLike<number> };

function withGone(
  { rows, weights, weightless }: WeighedChildren,
  { here, below }: Weights,
  tree: LoadedTree,
  row: number,
): WeighedChildren {
  const items = [
    ...Array.from(rows, (child, i) => ({ child, weight: weights[i]! + below[child]! })),
    ...Array.from(weightless, (child) => ({ child, weight: below[child]! })),
    { child: goneRow, weight: here[row]! },
  ];
  const heavy = items.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  let unloaded = weights[rows.length] ?? 0;
  if (tree.tail(row).nodes > 0) {
    const ofLoaded = tree.children(row).reduce((sum, child) => sum + below[child]!, here[row]!);
    unloaded += Math.max(0, below[row]! - ofLoaded);
  }
  return {
    rows: Int32Array.from(heavy, ({ child }) => child),
    weights: Float64Array.from([...heavy.map(({ weight }) => weight), ...(unloaded > 0 ? [unloaded] : [])]),
    weightless: weightless.filter((child) => !(below[child]! > 0)),
  };
}
