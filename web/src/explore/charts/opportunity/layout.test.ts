import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree, withFields, withRest } from '../../../../test/support/tree.ts';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type LayoutOptions, type Marks, markKind, type Plot } from '../layout/layout.ts';
import { hitTest } from '../paint/shapes.ts';
import { axisFor, roundValues } from './axis.ts';
import { createOpportunity } from './layout.ts';
import { opportunityPainter } from './paint.ts';
import { wordPlaces } from './plot.ts';
import { axisTitle, quadrantNames, whyEmpty, whyUnplaced } from './plot-text.ts';

const options: LayoutOptions = {
  focus: 0,
  width: 1000,
  height: 700,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'keywords',
  depth: 2,
  minPx: 3,
  budget: 20_000,
};

/** Children of one root by name: number of keywords, volume and difficulty; an omitted value is unknown. */
type Child = { readonly keywords?: number; readonly volume?: number; readonly difficulty?: number };

function treeOf(children: Readonly<Record<string, Child>>, unloaded = 0): LoadedTree {
  const names = Object.keys(children);
  const slice = sliceOf(`shop (${names.join(' ')}${unloaded > 0 ? ` +${unloaded}` : ''})`);
  for (const [i, name] of names.entries()) {
    const { keywords = 1, volume = Number.NaN, difficulty = Number.NaN } = children[name]!;
    slice.keywords[i + 1] = keywords;
    slice.volume[i + 1] = volume;
    slice.difficulty[i + 1] = difficulty;
  }
  return loadTree(slice);
}

const shop = () =>
  treeOf({
    shoes: { keywords: 400, volume: 9000, difficulty: 40 },
    hats: { keywords: 100, volume: 500, difficulty: 70 },
    caps: { keywords: 25, volume: 4000, difficulty: 10 },
    gloves: { keywords: 7, volume: 300 },
    scarves: { difficulty: 20 },
  });
const many = (count: number) =>
  treeOf(
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`k${i}`, i % 3 === 0 ? {} : { volume: i, difficulty: i % 100 }]),
    ),
  );

/** Built once, because building a large one takes much longer than laying it out. */
const crowds = [10, 1_000, 5_000].map(many);

const draw = (tree: LoadedTree, more: Partial<LayoutOptions> = {}) => {
  const marks = createOpportunity()(tree, { ...options, ...more });
  if (marks.form !== 'scatter') throw new Error('no scatter');
  return marks;
};

describe('opportunity', () => {
  test.each([
    [1440, 900],
    [390, 500],
  ])('shows every point completely in %i × %i, even the largest ones at the edges', (width, height) => {
    const tree = treeOf({
      shoes: { volume: 9000, difficulty: 100 },
      hats: { volume: 8000, difficulty: 0 },
      caps: { volume: 0, difficulty: 50 },
    });
    const marks = draw(tree, { width, height, sizeBy: 'volume' });
    const { area, points } = marks.plot;
    for (let i = 1; i <= points; i++) {
      expect(marks.x0[i]!).toBeGreaterThanOrEqual(area.x0);
      expect(marks.x1[i]!).toBeLessThanOrEqual(area.x1);
      expect(marks.y0[i]!).toBeGreaterThanOrEqual(area.y0);
      expect(marks.y1[i]!).toBeLessThanOrEqual(area.y1);
    }
  });

  test('difficulty increases to the right, volume upwards, and areas are in proportion to the keywords', () => {
    const tree = shop();
    const marks = draw(tree);
    const at = (name: string) => pointOf(marks, tree, name);
    expect(at('caps').x).toBeLessThan(at('shoes').x);
    expect(at('shoes').x).toBeLessThan(at('hats').x);
    expect(at('shoes').y).toBeLessThan(at('caps').y);
    expect(at('caps').y).toBeLessThan(at('hats').y);
    expect((at('shoes').radius / at('hats').radius) ** 2).toBeCloseTo(4, 9);
  });

  test('branches with an unknown value are in the list of unplottable branches, never at zero', () => {
    const tree = shop();
    const marks = draw(tree);
    expect(namesOf(marks, tree, 1, marks.plot.listedFrom)).toEqual(['shoes', 'hats', 'caps']);
    expect(namesOf(marks, tree, marks.plot.listedFrom, marks.count)).toEqual(['gloves', 'scarves']);
    expect([marks.plot.points, marks.plot.unplottableCount]).toEqual([3, 2]);
  });

  test('what holds strays is no point, and not one that lacks a figure', () => {
    const slice = sliceOf('shop (shoes rest (odd) caps)');
    const row = Array.from({ length: slice.rows }, (_, at) => at).find((at) => slice.childCount[at] === 1)!;
    slice.volume.fill(500);
    slice.difficulty.fill(40);
    const type = slice.type.slice();
    type[row] = slice.types.length;
    const { plot } = draw(loadTree({ ...slice, type, types: [...slice.types, 'stray'] }));
    expect([plot.points, plot.unplottableCount]).toEqual([2, 0]);
  });

  test('nodes that a filter excludes keep their position, below the others, and count in no median', () => {
    const whole = sliceOf('shop (shoes hats caps)');
    for (const [row, volume] of [1, 2, 3].entries()) whole.volume[row + 1] = 1000 * volume;
    whole.difficulty.set([20, 30, 40], 1);
    const tree = new LoadedTree();
    tree.merge(withRest(whole, [0, 2]), whole);
    const marks = draw(tree);
    const names = Array.from({ length: 3 }, (_, i) => tree.name(marks.row[i + 1]!));
    expect(names).toEqual(['shoes', 'caps', 'hats']);
    expect([marks.plot.unplottableCount, marks.plot.medians?.x.value, marks.plot.medians?.y.value]).toEqual([
      0, 30, 2000,
    ]);
    expect(marks.x0[1]).toBeLessThan(marks.x0[3]!);
    expect(marks.x0[3]).toBeLessThan(marks.x0[2]!);
  });

  test('there is no list of unplottable branches if all values are known, and a volume of 0 has a position', () => {
    const tree = treeOf({ a: { volume: 0, difficulty: 0 }, b: { volume: 10, difficulty: 50 } });
    const { plot, ...marks } = draw(tree);
    expect([plot.listArea, plot.points]).toEqual([undefined, 2]);
    expect(marks.y1[2]).toBeLessThanOrEqual(plot.area.y1 + 10);
  });

  test('without known values there are no points and no axes', () => {
    const { plot } = draw(treeOf({ a: {}, b: {} }));
    expect([plot.points, plot.xTicks, plot.medians, plot.unplottableCount]).toEqual([0, [], undefined, 2]);
  });

  test.each(crowds)('with many children, points and unplottable add up to all of them', (tree) => {
    for (const more of [{}, { width: 390 }, { budget: 50 }]) {
      const marks = draw(tree, more);
      expect(marks.count).toBeLessThanOrEqual((more.budget ?? options.budget) + 3);
      expect(countsOf(marks, tree)).toEqual([tree.childCount[0], tree.childKeywords[0]]);
    }
  });

  test('children that are not loaded are counted in the list of unplottable branches and requested', () => {
    const tree = treeOf({ a: { volume: 5, difficulty: 5 } }, 12);
    const marks = draw(tree);
    expect([marks.kind[marks.count - 1], marks.hidden[marks.count - 1]]).toEqual([markKind.tail, 12]);
    expect(marks.wants.map(({ node, skip }) => ({ node, skip }))).toEqual([{ node: 0, skip: 1 }]);
  });

  test('on a narrow screen the list of unplottable branches is one mark with a count', () => {
    const marks = draw(shop(), { width: 390 });
    expect([marks.kind[marks.count - 1], marks.hidden[marks.count - 1]]).toEqual([markKind.tail, 2]);
  });

  test('points of equal values are all seen, close to their place', () => {
    const equal = { volume: 50, difficulty: 30 };
    const names = Array.from({ length: 40 }, (_, at) => `k${at}`);
    const tree = treeOf({
      ...Object.fromEntries(names.map((name) => [name, equal])),
      other: { volume: 9, difficulty: 9 },
    });
    const marks = draw(tree, { sizeBy: 'equal' });
    const middles = names.map((_, at) => [
      (marks.x0[at + 1]! + marks.x1[at + 1]!) / 2,
      (marks.y0[at + 1]! + marks.y1[at + 1]!) / 2,
    ]);
    const [first] = middles as [number[]];
    const distance = ([x, y]: number[], [u, v]: number[]) => Math.hypot(x! - u!, y! - v!);
    for (const [at, middle] of middles.entries()) {
      expect(distance(middle, first)).toBeLessThanOrEqual(24.01);
      for (const other of middles.slice(0, at)) expect(distance(middle, other)).toBeGreaterThan(2);
    }
  });

  test('zooming spreads the points without enlarging them', () => {
    const tree = shop();
    const [whole, near] = [draw(tree), draw(tree, { camera: { x: 0, y: 0, k: 3 } })];
    const apart = (marks: Marks) => pointOf(marks, tree, 'hats').x - pointOf(marks, tree, 'caps').x;
    expect(apart(near) / apart(whole)).toBeCloseTo(3, 9);
    expect(pointOf(near, tree, 'shoes').radius).toBe(pointOf(whole, tree, 'shoes').radius);
  });

  test('tick labels are within the axes, at the position of points with that value', () => {
    const tree = shop();
    const { plot, ...marks } = draw(tree);
    for (const { at } of plot.xTicks) expect(at >= plot.area.x0 && at <= plot.area.x1).toBe(true);
    for (const { at } of plot.yTicks) expect(at >= plot.area.y0 && at <= plot.area.y1).toBe(true);
    const forty = plot.xTicks.find(({ value }) => value === 40);
    expect(forty?.at).toBeCloseTo((marks.x0[1]! + marks.x1[1]!) / 2, 9);
    expect(plot.medians?.x.value).toBe(40);
  });

  test('any two metrics position the branches; a branch with an unknown value has no position', () => {
    const names = ['shoes', 'hats', 'caps'];
    const slice = withFields(sliceOf(`shop (${names.join(' ')})`), { Traffic: [Number.NaN, 10, 40, Number.NaN] });
    const tree = loadTree(slice);
    tree.keywords.set([3, 9, 5, 7]);
    const axes = { x: 'keywords', y: 'field:Traffic' } as const;
    const marks = draw(tree, { axes });
    expect(pointOf(marks, tree, 'hats').x).toBeLessThan(pointOf(marks, tree, 'shoes').x);
    expect(pointOf(marks, tree, 'hats').y).toBeLessThan(pointOf(marks, tree, 'shoes').y);
    expect([marks.plot.points, marks.plot.unplottableCount, marks.plot.rollUps]).toEqual([
      2,
      1,
      { x: 'count', y: 'sum' },
    ]);
    expect(whyUnplaced(marks.plot.axes)).toBe('keywords or Traffic missing');
    expect(axisTitle(marks.plot, 'y')).toBe('Traffic, sum');
  });

  test('an axis whose field is loading says so, and reports no value as unknown', () => {
    const { plot } = draw(shop(), { axes: { x: 'difficulty', y: 'field:Traffic' } });
    expect(plot.points).toBe(0);
    expect(whyEmpty(plot)).toBe('Loading…');
    expect(whyEmpty(draw(treeOf({ a: { volume: 1 } })).plot)).toBe('No branch here has both difficulty and volume');
  });

  test('quadrants say what to do if one axis is a cost and the other a benefit, otherwise what is high and low', () => {
    const mean = { x: 'mean', y: 'mean' } as const;
    expect(quadrantNames({ x: 'difficulty', y: 'volume' }, { x: 'mean', y: 'sum' }).upperLeft).toBe('Write first');
    expect(quadrantNames({ x: 'keywords', y: 'difficulty' }, { x: 'count', y: 'mean' })).toEqual({
      upperLeft: 'Leave for later',
      upperRight: 'Worth the effort',
      lowerLeft: 'Easy extras',
      lowerRight: 'Write first',
    });
    expect(quadrantNames({ x: 'field:Score', y: 'cpc' }, mean).upperLeft).toBe('High CPC, low Score');
    expect(quadrantNames({ x: 'cpc', y: 'keywords' }, { x: 'mean', y: 'count' }).lowerRight).toBe(
      'Few keywords, high CPC',
    );
    expect(quadrantNames({ x: 'difficulty', y: 'field:Score' }, mean).lowerRight).toBe('Low Score, high difficulty');
  });

  test('points and lines are hit at their centre, the plot between them is not a target', () => {
    const marks = draw(shop());
    for (let i = 1; i < marks.count; i++) {
      const { x, y } = opportunityPainter.shape.middle(marks, i);
      expect(hitTest(marks, opportunityPainter.shape, x, y, 0)).toBe(i);
    }
    expect(hitTest(marks, opportunityPainter.shape, marks.plot.area.x0 + 2, marks.plot.area.y0 + 2, 0)).toBe(-1);
  });
});

describe('an axis', () => {
  const amounts = { least: 0, most: Number.POSITIVE_INFINITY };

  test('is logarithmic for skewed values', () => {
    const values = (big: number) => Float64Array.from({ length: 20 }, (_, i) => (i >= 18 ? big : 10 + i));
    expect(axisFor(values(100), amounts).isLog).toBe(false);
    expect(axisFor(values(10_000), amounts).isLog).toBe(true);
    expect(axisFor(values(100), { least: 0, most: 100 }).isLog).toBe(false);
  });

  test('has round values', () => {
    const line = { isLog: false, low: -4, high: 104, least: 0, most: 100 };
    expect(roundValues(line, 3, 97, 5)).toEqual([20, 40, 60, 80]);
    expect(roundValues(line, 31.2, 31.9, 4)).toEqual([31.2, 31.4, 31.6, 31.8].map((v) => expect.closeTo(v, 9)));
    expect(roundValues(line, -4, 104, 3)).toEqual([0, 50, 100]);
    const magnitudes = { isLog: true, low: 0, high: 5, least: 0, most: Number.POSITIVE_INFINITY };
    expect(roundValues(magnitudes, -0.1, 4.1, 6)).toEqual([0, 1, 10, 100, 1000, 10_000]);
    expect(roundValues(magnitudes, 1.9, 3.1, 6)).toEqual([100, 200, 500, 1000]);
  });

  test('has round values below 0 if there are negative values', () => {
    const values = Float64Array.of(-0.5, 0.1, 0.4);
    const axis = axisFor(values, { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY });
    expect(roundValues(axis, axis.low, axis.high, 6)).toEqual([-0.4, -0.2, 0, 0.2, 0.4]);
    expect(roundValues({ ...axis, least: 0 }, axis.low, axis.high, 6)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  });

  test('has room on both sides of a single value', () => {
    const { low, high } = axisFor(Float64Array.of(30), { least: 0, most: 100 });
    expect(low < 30 && high > 30).toBe(true);
  });
});

type Scatter = Marks & { readonly plot: Plot };

function namesOf(marks: Marks, tree: LoadedTree, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => tree.name(marks.row[from + i]!));
}

function pointOf(marks: Marks, tree: LoadedTree, name: string) {
  const i = namesOf(marks, tree, 0, marks.count).indexOf(name);
  const radius = (marks.x1[i]! - marks.x0[i]!) / 2;
  return { x: marks.x0[i]! + radius, y: marks.y0[i]! + radius, radius };
}

function countsOf(marks: Scatter, tree: LoadedTree): [nodes: number, keywords: number] {
  let [nodes, keywords] = [0, 0];
  for (let i = 1; i < marks.count; i++) {
    const isTail = marks.kind[i] === markKind.tail;
    nodes += isTail ? marks.hidden[i]! : 1;
    keywords += isTail ? marks.hiddenKeywords[i]! : tree.keywords[marks.row[i]!]!;
  }
  return [nodes, keywords];
}

test('the name of a quadrant is beside its corner if a point is in the corner', () => {
  const placeOf = (tree: LoadedTree) => {
    const marks = draw(tree);
    const { area, listedFrom } = marks.plot;
    const { x0, y0, x1, y1 } = wordPlaces(marks, marks.plot, (text) => text.length * 8)[0]!;
    const isOver = (i: number) => marks.x0[i]! < x1 && marks.x1[i]! > x0 && marks.y0[i]! < y1 && marks.y1[i]! > y0;
    const points = Array.from({ length: listedFrom - 1 }, (_, i) => i + 1);
    return { isInCorner: x0 === area.x0 && y0 === area.y0, covers: points.filter(isOver).length };
  };
  const others = { caps: { volume: 10, difficulty: 40 }, hats: { volume: 20, difficulty: 80 } };
  const away = treeOf({ ...others, shoes: { volume: 400, difficulty: 80 } });
  expect(placeOf(away)).toEqual({ isInCorner: true, covers: 0 });
  const inCorner = treeOf({ ...others, shoes: { volume: 400, difficulty: 10 } });
  expect(placeOf(inCorner)).toEqual({ isInCorner: false, covers: 0 });
});
