import { type Figures, figuresOf, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree, Tail } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';

/** The children of one row with their weights, heaviest first; ties keep the pack order. */
export type WeighedChildren = {
  /** Loaded children with a weight above 0; `rows[i]` has the weight `weights[i]`. */
  readonly rows: Int32Array;
  /** Has one more element than `rows` if children that are not loaded have a weight: the last element is their sum. */
  readonly weights: Float64Array;
  /** Loaded children without a weight. */
  readonly weightless: Int32Array;
};

/**
 * The display sizes of a row's children. If the metric is zero or unknown for all of them, their leaf count is used, so
 * that the structure is visible without figures. While a field of the file loads, the keyword count is used. If
 * excluded nodes are shown faintly, sizes are the same as without the filter.
 */
export function weighChildren(held: LoadedTree, row: number, sizeBy: SizeBy): WeighedChildren {
  const tree = held.shape;
  const rows = tree.children(row);
  const tail = tree.tail(row);
  const byMetric = sizeBy === 'equal' ? undefined : weighByMetric(tree, row, rows, sizeBy, tail);
  return byMetric ?? weigh(rows, tree.leaves, tail.leaves) ?? nothing;
}

function weighByMetric(
  tree: LoadedTree,
  row: number,
  rows: Int32Array,
  metric: Metric,
  tail: Tail,
): WeighedChildren | undefined {
  const figures = figuresOf(tree, metric);
  if (!figures || metric === 'keywords') return weigh(rows, tree.keywords, tail.keywords);
  if (metric === 'volume') return weigh(rows, tree.volume, tail.volume);
  return weigh(rows, figures.value, tail.nodes === 0 ? 0 : tailOf(figures, row, rows, tail.nodes));
}

/**
 * The weight of the children that are not loaded, for a metric without sums over children. It is the branch total,
 * which counts duplicates once, minus the loaded children; for a mean, the branch average times their number. It only
 * reserves space until they load.
 */
function tailOf({ value, rollUp }: Figures, row: number, rows: Int32Array, nodes: number): number {
  const whole = value[row]!;
  if (Number.isNaN(whole)) return 0;
  if (rollUp === 'mean') return Math.max(0, whole * nodes);
  let held = 0;
  for (const child of rows) held += value[child]! || 0;
  return Math.max(0, whole - held);
}

const nothing: WeighedChildren = {
  rows: new Int32Array(0),
  weights: new Float64Array(0),
  weightless: new Int32Array(0),
};

/** Undefined if no child has a weight. */
function weigh(rows: Int32Array, column: Figures['value'], tailWeight: number): WeighedChildren | undefined {
  // Unknown values have no weight: NaN is not above 0.
  const heavy = rows.filter((row) => column[row]! > 0);
  if (!isDescending(heavy, column)) heavy.sort((a, b) => column[b]! - column[a]!);
  const hasTail = tailWeight > 0;
  if (heavy.length === 0 && !hasTail) return undefined;
  const weights = new Float64Array(heavy.length + (hasTail ? 1 : 0));
  for (let i = 0; i < heavy.length; i++) weights[i] = column[heavy[i]!]!;
  if (hasTail) weights[heavy.length] = tailWeight;
  const weightless = heavy.length === rows.length ? nothing.weightless : rows.filter((row) => !(column[row]! > 0));
  return { rows: heavy, weights, weightless };
}

function isDescending(rows: Int32Array, column: Figures['value']): boolean {
  for (let i = 1; i < rows.length; i++) if (column[rows[i]!]! > column[rows[i - 1]!]!) return false;
  return true;
}

/** The volume that a row contributes to a sum. */
export function knownVolume(tree: LoadedTree, row: number): number {
  const volume = tree.volume[row]!;
  return Number.isNaN(volume) ? 0 : volume;
}
