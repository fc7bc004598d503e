import type { HeldWeights } from './held-weights.ts';
import { OpenBranches } from './open-branches.ts';
import type { SliceQuery } from './slice.ts';

/**
 * The rows of a slice, rising, and, where that is not it, which place each has among its siblings: connected, at most `budget`, of every branch the heaviest children.
 *
 * Rows are given out one by one, each to the open branch with the greatest root of what it still hides for every row
 * it already has, as seats are given to parties by the highest averages. So large branches get more rows, none gets
 * everything, and small ones get more than their share: a first picture shows how the tree is built. The weight of a
 * node is its share of the asked-for node's volume, keywords and leaves, a third each, so that every view finds what
 * it sizes by; leaves make it never zero.
 * Cost: budget · log(open branches), whatever the size of the tree.
 */
export function selectRows(
  weights: Pick<HeldWeights, 'branch' | 'volume' | 'keywords' | 'leaves' | 'childCount' | 'child' | 'isReordered'>,
  query: SliceQuery,
): { readonly rows: Uint32Array; readonly order: Uint32Array } {
  const { childCount } = weights;
  const { node, budget } = query;
  const weigh = createWeight(weights, node);
  const rows = new Uint32Array(budget);
  const open = new OpenBranches(budget);
  // By index in `rows`: children given out, and the weight of those that are not.
  const given = new Uint32Array(budget);
  const hidden = new Float64Array(budget);
  const branches = new Int32Array(budget);
  const places = new Uint32Array(weights.isReordered ? budget : 0);
  let count = 0;
  const offer = (index: number, shown: number) => {
    // A keyword under several children counts once in the branch: what is hidden may come out below zero.
    open.push(index, Math.sqrt(Math.max(0, hidden[index]!)) / (shown + 1));
  };
  const take = (row: number) => {
    const index = count++;
    rows[index] = row;
    hidden[index] = weigh(row);
    branches[index] = weights.branch(row);
    if (branches[index]! >= 0) offer(index, 0);
  };
  take(node);
  if (branches[0]! >= 0) given[0] = Math.min(query.skip, childCount[branches[0]!]!);
  while (!open.isEmpty && count < budget) {
    const index = open.pop();
    const branch = branches[index]!;
    if (given[index]! >= childCount[branch]!) continue;
    const child = weights.child(branch, given[index]!);
    places[count] = given[index]!++;
    take(child);
    hidden[index]! -= weigh(child);
    const shown = given[index]! - (index === 0 ? query.skip : 0);
    if (given[index]! < childCount[branch]!) offer(index, shown);
  }
  if (!weights.isReordered) {
    const rising = rows.slice(0, count).sort();
    return { rows: rising, order: rising };
  }
  const byRow = Uint32Array.from({ length: count }, (_, index) => index).sort(
    (one, other) => rows[one]! - rows[other]!,
  );
  return { rows: byRow.map((index) => rows[index]!), order: byRow.map((index) => places[index]!) };
}

function createWeight(
  { volume, keywords, leaves }: Pick<HeldWeights, 'volume' | 'keywords' | 'leaves'>,
  node: number,
): (row: number) => number {
  const perVolume = 1 / (volume(node) || Number.POSITIVE_INFINITY);
  const perKeyword = 1 / (keywords(node) || Number.POSITIVE_INFINITY);
  const perLeaf = 1 / leaves(node);
  return (row) => volume(row) * perVolume + keywords(row) * perKeyword + leaves(row) * perLeaf;
}
