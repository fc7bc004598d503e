import type { UploadField } from '../upload/upload-tables.ts';

type Nodes = {
  /** The row of each node's parent, rows in document order; 0 for the root. */
  readonly parent: Uint32Array;
  readonly childCount: Uint32Array;
  /** The keyword number of each node, -1 for none. */
  readonly keyword: Int32Array;
};

/**
 * A number that the file gives to branches only, such as the confidence of clusters, becomes one of the branches
 * themselves: they show it, and each keyword has that of the nearest branch above it, so that keywords can be filtered,
 * sorted and coloured by it. Figures that are recognised, such as a position, describe keywords and stay as they are. So do
 * other fields: where keywords have numbers of their own, those of
 * branches count for nothing, because it is unknown how they were computed. Sums of branches count for nothing either.
 *
 * The column is changed in place.
 */
export function withOwnNumbers(field: UploadField, { parent, childCount, keyword }: Nodes): UploadField {
  if (field.kind !== 'number' || field.rollUp !== 'mean' || field.is || field.keywords || !field.nodes) return field;
  const { nodes } = field;
  if (!isOfBranches(nodes, childCount)) return field;
  const nearest = new Float64Array(nodes.length);
  for (let node = 0; node < nodes.length; node++) {
    const isKnown = !Number.isNaN(nodes[node]!);
    nearest[node] = isKnown || node === 0 ? nodes[node]! : nearest[parent[node]!]!;
    if (keyword[node]! >= 0) nodes[node] = nearest[node]!;
  }
  return { ...field, rollUp: 'own' };
}

function isOfBranches(nodes: Float64Array, childCount: Uint32Array): boolean {
  let hasSome = false;
  for (let node = 0; node < nodes.length; node++) {
    if (Number.isNaN(nodes[node]!)) continue;
    if (childCount[node] === 0) return false;
    hasSome = true;
  }
  return hasSome;
}
