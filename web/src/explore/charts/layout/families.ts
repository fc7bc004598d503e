import { markFields } from '@kc/pack/slice/mark-fields';
import type { SizeBy } from '../../model/encodings.ts';
import { knownVolume, type WeighedChildren, weighChildren } from '../../model/weights.ts';
import { figuresOf } from '../../tree-data/figures.ts';
import { notLoaded } from '../../tree-data/loaded-fields.ts';
import type { Content, LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type Amounts, type GoneWeights, goneRow, type LayoutOptions, type MarksBuffer } from './layout.ts';

/**
 * The families of the branches of a layout, each computed when first requested and again when its children change. A
 * new slice affects a few branches; whatever layouts compute from the others stays valid as long as the family is the
 * same object.
 */
export class Families {
  readonly #cache = new RowCache<{ readonly family: Family; readonly version: number }>();
  #tree: LoadedTree | undefined;
  #sizeBy: SizeBy = 'keywords';
  #hasFigures = true;
  #gone: GoneWeights | undefined;
  #goneFor: readonly unknown[] = [];

  /** Sets the tree, the size encoding and whether what is gone is drawn, for the following requests. */
  begin(tree: LoadedTree, { sizeBy, goneWeights }: Pick<LayoutOptions, 'sizeBy' | 'goneWeights'>): void {
    // A field of the file counts only once all rows have it.
    const hasFigures = sizeBy === 'equal' || figuresOf(tree, sizeBy) !== undefined;
    this.#cache.begin(tree);
    if (sizeBy !== this.#sizeBy || hasFigures !== this.#hasFigures) this.#cache.clear();
    const goneFor = [tree.content, tree.version, sizeBy, goneWeights];
    if (goneFor.some((part, i) => part !== this.#goneFor[i])) {
      const gone = goneWeights?.(tree, sizeBy);
      if ((gone === undefined) !== (this.#gone === undefined)) this.#cache.clear();
      this.#gone = gone;
      this.#goneFor = goneFor;
    }
    this.#tree = tree;
    this.#sizeBy = sizeBy;
    this.#hasFigures = hasFigures;
  }

  of(row: number): Family {
    const tree = this.#tree!;
    const cached = this.#cache.get(row);
    const version = tree.touched(row);
    if (cached?.version === version) return cached.family;
    const family = familyOf(tree, row, this.#sizeBy, this.#gone);
    this.#cache.set(row, { family, version });
    return family;
  }
}

/** The children of one row in drawing order, and the sums for one mark that stands for the last of them. */
export type Family = {
  /**
   * Item `i` is this loaded row, or what is gone: {@link goneRow}. The item after the last row, if there is one, is the
   * children that are not loaded.
   */
  readonly rows: Int32Array;
  readonly items: number;
  /** One weight per item, descending except for the last if that is the children that are not loaded. */
  readonly weights: Float64Array;
  /** Sums over items `[i, items)`, and the number of children in them. */
  readonly restNodes: Float64Array;
  readonly restKeywords: Float64Array;
  readonly restVolume: Float64Array;
  /** Children without weight, which have no item. */
  readonly weightless: Amounts;
  /** What the branch has lost since the compared upload, if it has an item. It is not part of any sum. */
  readonly gone: (Amounts & { readonly item: number }) | undefined;
};

/** Cost: the loaded children. @param lost what branches have lost, if that is drawn */
export function familyOf(tree: LoadedTree, row: number, sizeBy: SizeBy, lost?: GoneWeights): Family {
  const remaining = weighChildren(tree, row, sizeBy);
  const { rows, weights, weightless } = lost?.weigh(remaining, row) ?? remaining;
  const items = weights.length;
  const tail = tree.tail(row);
  const rest = () => new Float64Array(items + 1);
  const [restNodes, restKeywords, restVolume] = [rest(), rest(), rest()];
  for (let i = items - 1; i >= 0; i--) {
    const child = rows[i];
    if (child === goneRow) {
      for (const rest of [restNodes, restKeywords, restVolume]) rest[i] = rest[i + 1]!;
      continue;
    }
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
  const item = rows.indexOf(goneRow);
  const gone = lost && item !== -1 ? { item, ...lost.at(row) } : undefined;
  return {
    rows,
    items,
    weights,
    restNodes,
    restKeywords,
    restVolume,
    weightless: withoutItem,
    gone,
  };
}

/** Makes a mark stand for items `[first, end)` of a family: for its children, or for what is gone if there are none. */
export function standFor(marks: MarksBuffer, mark: number, family: Family, first: number, end: number): void {
  standForAmounts(marks, mark, amountsIn(family, first, end), family, first, end);
}

/** The same for children of which some may have no item. */
export function standForAmounts(
  marks: MarksBuffer,
  mark: number,
  { nodes, keywords, volume }: Amounts,
  { gone }: Family,
  first: number,
  end: number,
): void {
  if (nodes === 0 && gone && first <= gone.item && gone.item < end) {
    marks.hide(mark, gone.nodes, gone.keywords, gone.volume);
    marks.isGone[mark] = 1;
  } else marks.hide(mark, nodes, keywords, volume);
}

/** The children in items `[first, end)` of a family. */
export const amountsIn = ({ restNodes, restKeywords, restVolume }: Family, first: number, end: number): Amounts => ({
  nodes: restNodes[first]! - restNodes[end]!,
  keywords: restKeywords[first]! - restKeywords[end]!,
  volume: restVolume[first]! - restVolume[end]!,
});

/** Whether the items before `end` include children that are not loaded. */
export function includesUnloaded({ items, rows }: Family, end: number): boolean {
  return end === items && items > rows.length;
}

/** Makes a mark stand for all children of its row. */
export function standForAll(marks: MarksBuffer, mark: number, tree: LoadedTree): void {
  const row = marks.row[mark]!;
  marks.hide(mark, tree.childCount[row]!, tree.childKeywords[row]!, tree.childVolume[row]!);
}

/**
 * A cache of values computed per row of a tree. It is cleared when the content of the tree changes, because row numbers
 * then identify other nodes.
 */
export class RowCache<Value> {
  readonly #values = new Map<number, Value>();
  #content: Content | undefined;

  /** Call before every use: sets the tree that the rows belong to. */
  begin({ content }: LoadedTree): void {
    if (content !== this.#content) this.clear();
    this.#content = content;
  }

  get(row: number): Value | undefined {
    return this.#values.get(row);
  }

  set(row: number, value: Value): void {
    this.#values.set(row, value);
  }

  clear(): void {
    this.#values.clear();
  }
}

/**
 * The weights of what is gone. Undefined if nothing is compared, if it is not loaded for every row, if rows that a
 * filter excludes are drawn as well, and for sizes that gone nodes do not have.
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
