import { type Axes, usualAxes } from '../../model/encodings.ts';
import { knownVolume } from '../../model/weights.ts';
import { type Figures, figuresOf, type Metric } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { standForAll } from '../layout/families.ts';
import { type Edges, type Layout, type LayoutOptions, markKind, type Plot, type Tick } from '../layout/layout.ts';
import { MarksBuffer } from '../layout/marks-buffer.ts';
import { type Axis, axisFor, kindOfAxis, medianOf, placeOf, roundValues } from './axis.ts';
import { tieShifts } from './ties.ts';

/** Margins for the axes and around the points, in CSS pixels. */
const axisWidth = 56;
/** The figures of the lower axis, and its title below them. */
const axisHeight = 52;
const margin = 16;
/** The list of nodes without a position is beside the plot, or over it if the view is narrower than this. */
const narrowPx = 640;
const listWidth = 204;
const listHeight = 34;
/** Height of the lines of the list of unplottable branches and of its heading. */
const listHead = 44;
const listLine = 24;
/** Radii of points, in CSS pixels; the largest is a share of the plot's shorter side, within limits. */
const smallest = 3.5;
const biggestShare = 0.07;
const biggestLeast = 12;
const biggestMost = 40;
/** Share of the plot that points may cover if none overlap. */
const maxCovered = 0.08;
/** Minimum distance between ticks, in CSS pixels. */
const tickWidth = 70;
const tickHeight = 48;

type Split = { readonly placed: readonly number[]; readonly others: readonly number[] };

/**
 * A scatter plot of the branches one level below the focus by two metrics, with areas in proportion to the size
 * encoding. Amounts, and what is skewed, are on a logarithmic scale if none is chosen. Zooming spreads the points without enlarging them.
 *
 * A branch without a value for one of the metrics has no position: it is listed beside the plot as far as there is
 * room, and otherwise counted there.
 *
 * Cost: the loaded children of the focus.
 */
export function createOpportunity(): Layout {
  const marks = new MarksBuffer();
  return (tree, options) => {
    const { focus, width, height, budget } = options;
    marks.reset(budget + 3);
    if (tree.size === 0 || width <= 0 || height <= 0) {
      return marks.marks({ form: 'scatter', plot: emptyPlot }, { width: 0, height: 0 });
    }
    const axes = options.axes ?? usualAxes;
    const [x, y] = [placedBy(tree, axes.x), placedBy(tree, axes.y)];
    const { placed, others } = splitByPlace(tree, options, x?.value, y?.value);
    const hasList = others.length > 0 || tree.tail(focus).nodes > 0;
    const { area, listArea } = rooms(options, hasList);
    const root = marks.add(markKind.node, focus, -1, 0, area.x0, area.y0, area.x1, area.y1);
    standForAll(marks, root, tree);
    if (tree.childCount[focus] === 0) return marks.marks({ form: 'scatter', plot: emptyPlot }, { width, height });
    marks.kind[root] = markKind.group;
    marks.hide(root, 0, 0, 0);
    const points = x && y && placed.length > 0 ? addPoints(marks, tree, options, placed, area, [axes, x, y]) : noPoints;
    const listedFrom = marks.count;
    const plot: Plot = {
      ...points,
      axes,
      rollUps: x && y && { x: x.rollUp, y: y.rollUp },
      area,
      listArea: listArea && addList(marks, tree, options, others, listArea),
      isWide: isWide(options),
      listedFrom,
      unplottableCount: others.length,
    };
    return marks.marks({ form: 'scatter', plot }, { width, height });
  };
}

const nowhere = { x0: 0, y0: 0, x1: 0, y1: 0 };
const noPoints = { points: 0, xTicks: [], yTicks: [], medians: undefined };
const emptyPlot: Plot = {
  ...noPoints,
  axes: usualAxes,
  rollUps: undefined,
  area: nowhere,
  listArea: undefined,
  isWide: true,
  listedFrom: 1,
  unplottableCount: 0,
};

/** For nodes that a filter excludes, their figures without the filter: otherwise they would have no position. */
function placedBy(tree: LoadedTree, metric: Metric): Figures | undefined {
  const figures = figuresOf(tree, metric);
  const whole = figuresOf(tree.shape, metric);
  if (tree.shape === tree || !figures || !whole) return figures;
  const value = Float64Array.from(
    { length: tree.size },
    (_, row) => (tree.isLeftOut(row) ? whole : figures).value[row]!,
  );
  return { ...figures, value };
}

const isWide = ({ width }: LayoutOptions) => width >= narrowPx;

/**
 * The loaded children with a position, largest first (those in the filter, then the others), and those without one, in
 * pack order.
 */
function splitByPlace(
  tree: LoadedTree,
  { focus, sizeBy, budget }: LayoutOptions,
  x: Figures['value'] | undefined,
  y: Figures['value'] | undefined,
): Split {
  const placed: number[] = [];
  const others: number[] = [];
  const hasPlace = (row: number) => x !== undefined && y !== undefined && !Number.isNaN(x[row]! + y[row]!);
  for (const row of tree.children(focus)) {
    if (!tree.isStrays(row)) (hasPlace(row) ? placed : others).push(row);
  }
  placed.sort((a, b) => weightOf(tree, b, sizeBy) - weightOf(tree, a, sizeBy) || a - b);
  const shown = placed.slice(0, budget);
  // Nodes that the filter excludes are drawn below the others.
  const isOut = (row: number) => tree.isLeftOut(row);
  const inOrder = [...shown.filter(isOut), ...shown.filter((row) => !isOut(row))];
  return { placed: inOrder, others: [...placed.slice(budget), ...others] };
}

function weightOf(drawn: LoadedTree, row: number, sizeBy: LayoutOptions['sizeBy']): number {
  const tree = drawn.isLeftOut(row) ? drawn.shape : drawn;
  if (sizeBy === 'equal') return 1;
  const figures = figuresOf(tree, sizeBy);
  if (figures && figures.rollUp !== 'count') return Math.max(0, figures.value[row]! || 0);
  return tree.keywords[row]! || tree.leaves[row]!;
}

function rooms(options: LayoutOptions, hasList: boolean) {
  const { width, height } = options;
  const isBeside = isWide(options);
  const area = {
    x0: Math.min(axisWidth, width / 3),
    y0: margin + (hasList && !isBeside ? listHeight : 0),
    x1: width - margin - (hasList && isBeside ? listWidth : 0),
    y1: height - axisHeight,
  };
  if (!hasList) return { area, listArea: undefined };
  const listArea = isBeside
    ? { x0: width - listWidth, y0: margin, x1: width - 8, y1: area.y1 }
    : { x0: margin / 2, y0: margin / 2, x1: width - margin / 2, y1: listHeight };
  return { area, listArea };
}

type Placing = readonly [axes: Axes, x: Figures, y: Figures];

function addPoints(
  marks: MarksBuffer,
  tree: LoadedTree,
  { camera, sizeBy, axisSteps }: LayoutOptions,
  points: readonly number[],
  area: Edges,
  [axes, { value: x, rollUp: xRollUp }, { value: y, rollUp: yRollUp }]: Placing,
) {
  const [xs, ys] = [x, y].map((column) => Float64Array.from(points, (row) => column[row]!)) as [
    Float64Array,
    Float64Array,
  ];
  const xAxis = axisFor(xs, kindOfAxis(axes.x, xs, xRollUp, axisSteps?.x));
  const yAxis = axisFor(ys, kindOfAxis(axes.y, ys, yRollUp, axisSteps?.y));
  const [acrossUnit, upUnit] = [
    (area.x1 - area.x0) / (xAxis.high - xAxis.low),
    (area.y1 - area.y0) / (yAxis.high - yAxis.low),
  ];
  const xOf = (value: number) => (area.x0 + (placeOf(xAxis, value) - xAxis.low) * acrossUnit - camera.x) * camera.k;
  const yOf = (value: number) => (area.y1 - (placeOf(yAxis, value) - yAxis.low) * upUnit - camera.y) * camera.k;
  const unit = radiusUnit(tree, points, sizeBy, area);
  const shifts = tieShifts(xs, ys);
  for (const [at, row] of points.entries()) {
    const [middleX, middleY] = [xOf(x[row]!) + shifts.across[at]!, yOf(y[row]!) + shifts.down[at]!];
    const radius = Math.max(smallest, Math.sqrt(weightOf(tree, row, sizeBy)) * unit);
    const edges = [middleX - radius, middleY - radius, middleX + radius, middleY + radius] as const;
    const mark = marks.add(markKind.node, row, 0, 1, ...edges);
    standForAll(marks, mark, tree);
  }
  const across = (px: number) => xAxis.low + (px / camera.k + camera.x - area.x0) / acrossUnit;
  const up = (px: number) => yAxis.low + (area.y1 - px / camera.k - camera.y) / upUnit;
  return {
    points: points.length,
    xTicks: ticks(xAxis, across(area.x0), across(area.x1), (area.x1 - area.x0) / tickWidth, xOf),
    yTicks: ticks(yAxis, up(area.y1), up(area.y0), (area.y1 - area.y0) / tickHeight, yOf),
    medians: medians(...keptOf(tree, points, xs, ys), xOf, yOf),
  };
}

/** Radius of a point of weight 1: limited by the size of the largest point and by the area that all points cover. */
function radiusUnit(tree: LoadedTree, points: readonly number[], sizeBy: LayoutOptions['sizeBy'], area: Edges): number {
  const [width, height] = [area.x1 - area.x0, area.y1 - area.y0];
  let [whole, most] = [0, 0];
  for (const row of points) {
    const weight = weightOf(tree, row, sizeBy);
    whole += weight;
    most = Math.max(most, weight);
  }
  if (most === 0) return 0;
  const biggest = Math.min(biggestMost, Math.max(biggestLeast, Math.min(width, height) * biggestShare));
  return Math.min(biggest / Math.sqrt(most), Math.sqrt((width * height * maxCovered) / (Math.PI * whole)));
}

function ticks(axis: Axis, low: number, high: number, most: number, at: (value: number) => number): Tick[] {
  return roundValues(axis, low, high, Math.max(2, Math.floor(most))).map((value) => ({ value, at: at(value) }));
}

/** The values of nodes in the filter, or of all nodes if the filter excludes them all. */
function keptOf(tree: LoadedTree, points: readonly number[], xs: Float64Array, ys: Float64Array) {
  const isKept = (_: number, at: number) => !tree.isLeftOut(points[at]!);
  return points.some((row) => !tree.isLeftOut(row))
    ? ([xs.filter(isKept), ys.filter(isKept)] as const)
    : ([xs, ys] as const);
}

function medians(xs: Float64Array, ys: Float64Array, xOf: (v: number) => number, yOf: (v: number) => number) {
  const [x, y] = [medianOf(xs.slice().sort()), medianOf(ys.slice().sort())];
  return { x: { value: x, at: xOf(x) }, y: { value: y, at: yOf(y) } };
}

/**
 * As many lines as fit, and one for the rest; over the plot, only the one for the rest fits.
 *
 * @returns the part of the list of unplottable branches that is used
 */
function addList(
  marks: MarksBuffer,
  tree: LoadedTree,
  options: LayoutOptions,
  others: readonly number[],
  listArea: Edges,
): Edges {
  const isBeside = isWide(options);
  const unloaded = tree.tail(options.focus).nodes;
  const lines = isBeside ? Math.max(1, Math.floor((listArea.y1 - listArea.y0 - listHead) / listLine)) : 1;
  const isWhole = isBeside && others.length <= lines && unloaded === 0;
  const room = Math.max(0, Math.min(isWhole ? others.length : lines - 1, others.length, options.budget - marks.count));
  const lineAt = (i: number): Edges => {
    const y0 = listArea.y0 + listHead + i * listLine;
    return isBeside ? { ...listArea, y0, y1: y0 + listLine } : listArea;
  };
  for (const [i, row] of others.slice(0, room).entries()) {
    const { x0, y0, x1, y1 } = lineAt(i);
    standForAll(marks, marks.add(markKind.node, row, 0, 1, x0, y0, x1, y1), tree);
  }
  const hasRest = room < others.length || unloaded > 0;
  if (hasRest) addTail(marks, tree, options, others.slice(room), lineAt(room));
  return isBeside ? { ...listArea, y1: lineAt(room + (hasRest ? 1 : 0)).y0 + margin / 2 } : listArea;
}

/** One mark for some loaded children and all that are not loaded, whose positions are unknown. It requests them. */
function addTail(
  marks: MarksBuffer,
  tree: LoadedTree,
  { focus }: LayoutOptions,
  rows: readonly number[],
  { x0, y0, x1, y1 }: Edges,
): void {
  const tail = tree.tail(focus);
  const mark = marks.add(markKind.tail, focus, 0, 1, x0, y0, x1, y1);
  let { nodes, keywords, volume } = tail;
  for (const row of rows) {
    nodes++;
    keywords += tree.keywords[row]!;
    volume += knownVolume(tree, row);
  }
  marks.hide(mark, nodes, keywords, volume);
  if (tail.nodes === 0) return;
  marks.wants.push({ node: tree.node[focus]!, skip: tree.loadedChildren(focus), weight: (x1 - x0) * (y1 - y0) });
}
