import { type Figures, figuresOf, type Metric } from '../tree-data/figures.ts';
import type { LoadedTree, Tail } from '../tree-data/loaded-tree.ts';
import type { SizeBy } from './encodings.ts';

/** The children of one row with their weights, heaviest first, equal ones in the order of the pack. */
export type WeighedChildren = {
  /** Loaded children with a weight above 0; `rows[i]` weighs `weights[i]`. */
  readonly rows: Int32Array;
  /** One longer than `rows` if children that are not loaded have weight: their sum comes last. */
  readonly weights: Float64Array;
  /** Loaded children without weight. */
  readonly weightless: Int32Array;
};

/**
 * The weights with which the children of a row are drawn. If the metric is zero or unknown for all of them, the number
 * of leaves replaces it, so that the structure shows even without figures; while a field of the file loads, the number
 * of keywords does. If excluded nodes are shown faintly, all weights are those without the filter.
 */
export function weighChildren(drawn: LoadedTree, row: number, sizeBy: SizeBy): WeighedChildren {
  const tree = drawn.shape;
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
 * The weight of children that are not loaded, for a metric without known sums over children: the difference to the
 * branch's sum, which counts repeats once, or the average of the branch for each. Used only until they are loaded.
 */
function tailOf({ value, rollUp }: Figures, row: number, rows: Int32Array, nodes: number): number {
  const whole = value[row]!;
  if (Number.isNaN(whole)) return 0;
  if (rollUp === 'mean' || rollUp === 'own') return Math.max(0, whole * nodes);
  let loaded = 0;
  for (const child of rows) loaded += value[child]! || 0;
  return Math.max(0, whole - loaded);
}

const nothing: WeighedChildren = {
  rows: new Int32Array(0),
  weights: new Float64Array(0),
  weightless: new Int32Array(0),
};

/** Undefined if nothing has weight. */
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
