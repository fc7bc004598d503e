import type { SizeBy } from '../../model/encodings.ts';
import { knownVolume, weighChildren } from '../../model/weights.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import type { MarksBuffer } from './marks-buffer.ts';

/** The children of one row in drawing order, and the sums for one mark that stands for the last of them. */
export type Family = {
  /** Item `i` is this loaded row; the item after the last row, if there is one, is the children that are not loaded. */
  readonly rows: Int32Array;
  readonly items: number;
  /** One weight per item, descending except for the last if that is the children that are not loaded. */
  readonly weights: Float64Array;
  /** Sums over items `[i, items)`, and the number of children in them. */
  readonly restNodes: Float64Array;
  readonly restKeywords: Float64Array;
  readonly restVolume: Float64Array;
  /** Children without weight, which have no item. */
  readonly weightless: { readonly nodes: number; readonly keywords: number; readonly volume: number };
};

/** Cost: the loaded children. */
export function familyOf(tree: LoadedTree, row: number, sizeBy: SizeBy): Family {
  const { rows, weights, weightless } = weighChildren(tree, row, sizeBy);
  const items = weights.length;
  const tail = tree.tail(row);
  const rest = () => new Float64Array(items + 1);
  const [restNodes, restKeywords, restVolume] = [rest(), rest(), rest()];
  for (let i = items - 1; i >= 0; i--) {
    const child = rows[i];
    restNodes[i] = restNodes[i + 1]! + (child === undefined ? tail.nodes : 1);
    restKeywords[i] = restKeywords[i + 1]! + (child === undefined ? tail.keywords : tree.keywords[child]!);
    restVolume[i] = restVolume[i + 1]! + (child === undefined ? tail.volume : knownVolume(tree, child));
  }
  // Children that are not loaded and have no weight have no item of their own.
  const withoutItem = items > rows.length ? { nodes: 0, keywords: 0, volume: 0 } : { ...tail };
  for (const child of weightless) {
    withoutItem.nodes++;
    withoutItem.keywords += tree.keywords[child]!;
    withoutItem.volume += knownVolume(tree, child);
  }
  return { rows, items, weights, restNodes, restKeywords, restVolume, weightless: withoutItem };
}

/** Makes a mark stand for items `[first, end)` of a family. */
export function standFor(marks: MarksBuffer, mark: number, family: Family, first: number, end: number): void {
  const { restNodes, restKeywords, restVolume } = family;
  marks.hide(
    mark,
    restNodes[first]! - restNodes[end]!,
    restKeywords[first]! - restKeywords[end]!,
    restVolume[first]! - restVolume[end]!,
  );
}

/** Whether the items before `end` include children that are not loaded. */
export function includesUnloaded({ items, rows }: Family, end: number): boolean {
  return end === items && items > rows.length;
}

/** Makes a mark stand for all children of its row. */
export function standForAll(marks: MarksBuffer, mark: number, tree: LoadedTree): void {
  const row = marks.row[mark]!;
  marks.hide(mark, tree.childCount[row]!, tree.childKeywords[row]!, tree.childVolume[row]!);
}
