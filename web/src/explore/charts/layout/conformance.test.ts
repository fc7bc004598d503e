import { sliceOf } from '@kc/pack/test/support/trees';
import { hierarchy, partition } from 'd3-hierarchy';
import { describe, expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { bubblesPainter } from '../bubbles/paint.ts';
import { createIcicle } from '../icicle/layout.ts';
import { iciclePainter } from '../icicle/paint.ts';
import type { Painter, Shape } from '../paint/painter.ts';
import { hitTest } from '../paint/shapes.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { sunburstPainter } from '../sunburst/paint.ts';
import { createTree } from '../tree/layout.ts';
import { treePainter } from '../tree/paint.ts';
import { createTreemap } from '../treemap/layout.ts';
import { treemapPainter } from '../treemap/paint.ts';
import { type Arcs, isAround, type Layout, type LayoutOptions, type Marks, markKind } from './layout.ts';

const options: LayoutOptions = {
  focus: 0,
  width: 1440,
  height: 900,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'volume',
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
};

type Contender = { readonly name: string; readonly create: () => Layout; readonly painter: Painter };

const contenders: readonly Contender[] = [
  { name: 'treemap', create: createTreemap, painter: treemapPainter },
  { name: 'bubbles', create: createBubbles, painter: bubblesPainter },
  { name: 'icicle', create: createIcicle, painter: iciclePainter },
  { name: 'sunburst', create: createSunburst, painter: sunburstPainter },
];
const sizes = [10, 1_000, 100_000] as const;
/** Tolerance for touching circles, in CSS pixels. */
const touching = 1e-3;
/** The same tree for every layout: building a large one takes longer than laying it out. */
const trees = new Map(sizes.map((nodes) => [nodes, randomTree(nodes)]));

describe.each(contenders)('$name', ({ create, painter }) => {
  // Shows P14.5.
  test.each(sizes)('with %i nodes, siblings are sized by weight', (nodes) => {
    const tree = trees.get(nodes)!;
    const marks = create()(tree, options);
    for (const siblings of families(marks)) {
      const units = siblings.map((i) => sizeOf(marks, i) / weightOf(marks, tree, i));
      for (const unit of units) expect(unit / units[0]!).toBeCloseTo(1, 6);
    }
  });

  // Shows P14.5.
  test.each(sizes)('with %i nodes, no siblings overlap', (nodes) => {
    const marks = create()(trees.get(nodes)!, options);
    for (const siblings of families(marks)) {
      for (const [at, i] of siblings.entries()) {
        for (const j of siblings.slice(at + 1)) expect(overlapOf(marks, i, j)).toBeLessThan(touching);
      }
    }
  });

  test.each(sizes)('with %i nodes, children are inside their parent', (nodes) => {
    const marks = create()(trees.get(nodes)!, options);
    for (let i = 1; i < marks.count; i++) expect(outsideOf(marks, i, marks.parent[i]!)).toBeLessThan(touching);
  });

  test.each(sizes)('with %i nodes, a hit at the middle of a mark finds it', (nodes) => {
    const marks = create()(trees.get(nodes)!, options);
    const step = Math.ceil(marks.count / 400);
    for (let i = 0; i < marks.count; i += step) {
      // A mark with others inside is hit only beside them.
      if (isAround(marks) && marks.kind[i] !== markKind.node) continue;
      const { x, y } = painter.shape.middle(marks, i);
      expect(hitTest(marks, painter.shape, x, y, 0)).toBe(i);
    }
  });

  // Shows P14.4.
  test.each(sizes)('with %i nodes, shown and hidden nodes add up at every zoom', (nodes) => {
    const tree = trees.get(nodes)!;
    const layout = create();
    for (const k of [0.3, 1]) {
      const marks = layout(tree, { ...options, camera: { x: 0, y: 0, k } });
      for (let group = 0; group < marks.count; group++) {
        if (marks.kind[group] !== markKind.group) continue;
        expect(shownAndHidden(marks, tree, group)).toEqual([
          tree.childCount[marks.row[group]!],
          tree.childKeywords[marks.row[group]!],
        ]);
      }
    }
  });

  test('zooming in shows nodes that were behind a mark before', () => {
    const tree = trees.get(100_000)!;
    const layout = create();
    const marks = layout(tree, options);
    const before = new Set(marks.row.subarray(0, marks.count));
    const { x, y } = painter.shape.middle(marks, marks.count - 1);
    const k = 60;
    const camera = { x: marks.zooms === 'upright' ? 0 : x - options.width / 2 / k, y: y - options.height / 2 / k, k };
    const near = layout(tree, { ...options, camera });
    expect(near.row.subarray(0, near.count).some((row) => !before.has(row))).toBe(true);
  });
});

const views: readonly Contender[] = [...contenders, { name: 'tree', create: createTree, painter: treePainter }];

describe.each(views)('the hit test in $name', ({ create, painter: { shape } }) => {
  // Shows P14.6.
  test.each(sizes)('with %i nodes, finds the mark drawn at any point', (nodes) => {
    const layout = create();
    const random = randomNumbers();
    for (const k of [1, 3]) {
      const marks = layout(trees.get(nodes)!, { ...options, camera: { x: 200, y: 100, k } });
      for (let i = 0; i < 300; i++) {
        const [x, y] = [random(1440_000) / 1000, random(900_000) / 1000];
        expect(hitTest(marks, shape, x, y, 0)).toBe(drawnLast(marks, shape, x, y));
      }
    }
  });

  test.each(sizes)('with %i nodes, finds the nearest mark within the slop of a finger', (nodes) => {
    const marks = create()(trees.get(nodes)!, { ...options, camera: { x: -700, y: -400, k: 0.5 } });
    const random = randomNumbers();
    for (let i = 0; i < 300; i++) {
      const [x, y] = [random(1440_000) / 1000, random(900_000) / 1000];
      if (drawnLast(marks, shape, x, y) !== -1) continue;
      const nearest = minDistance2(marks, shape, x, y);
      const hit = hitTest(marks, shape, x, y, 22);
      expect(hit === -1 ? 'none' : shape.distance2(marks, hit, x, y)).toBe(nearest <= 22 * 22 ? nearest : 'none');
    }
  });
});

test('between small circles the nearest one is hit, between large ones the branch', () => {
  const marks = createBubbles()(trees.get(1_000)!, options);
  const small = marks.row.findIndex((_, i) => marks.kind[i] === markKind.node && marks.x1[i]! - marks.x0[i]! < 12);
  const [x, y] = [(marks.x0[small]! + marks.x1[small]!) / 2, marks.y0[small]! - 0.2];
  expect(drawnLast(marks, bubblesPainter.shape, x, y)).not.toBe(small);
  expect(hitTest(marks, bubblesPainter.shape, x, y, 12)).toBe(small);
  expect(hitTest(marks, bubblesPainter.shape, x, y, 0)).not.toBe(small);
});

/** The result of a scan over all marks: the last one drawn that covers a point. */
function drawnLast(marks: Marks, { distance2 }: Shape, x: number, y: number): number {
  for (let i = marks.count - 1; i >= 0; i--) if (distance2(marks, i, x, y) === 0) return i;
  return -1;
}

function minDistance2(marks: Marks, { distance2 }: Shape, x: number, y: number): number {
  let min = Number.POSITIVE_INFINITY;
  for (let i = 0; i < marks.count; i++) min = Math.min(min, distance2(marks, i, x, y));
  return min;
}

test('bars and arcs have the positions of a d3 partition', () => {
  const tree = trees.get(1_000)!;
  type Datum = { readonly row: number };
  const root = hierarchy<Datum>({ row: 0 }, ({ row }) => Array.from(tree.children(row), (child) => ({ row: child })))
    .sum(({ row }) => (tree.childCount[row] === 0 ? tree.volume[row]! : 0))
    .sort((a, b) => b.value! - a.value!);
  const places = new Map(
    partition<Datum>()
      .size([options.height, 1])(root)
      .descendants()
      .map((node) => [node.data.row, node]),
  );
  for (const create of [createIcicle, createSunburst]) {
    const marks = create()(tree, options);
    let compared = 0;
    for (let i = 0; i < marks.count; i++) {
      if (marks.kind[i] === markKind.tail) continue;
      const place = places.get(marks.row[i]!)!;
      const span = marks.form === 'arcs' ? turnsOf(marks.arcs, i) : uprightOf(marks, i);
      expect(span[0]).toBeCloseTo(marks.form === 'arcs' ? place.x0 / options.height : place.x0, 6);
      expect(span[1]).toBeCloseTo(marks.form === 'arcs' ? place.x1 / options.height : place.x1, 6);
      compared++;
    }
    expect(compared).toBeGreaterThan(100);
  }
});

/** Marks grouped by parent, without groups of one and without tails, which are drawn below circles. */
function families(marks: Marks): number[][] {
  const byParent = new Map<number, number[]>();
  for (let i = 1; i < marks.count; i++) {
    if (marks.form === 'circles' && marks.kind[i] === markKind.tail) continue;
    byParent.set(marks.parent[i]!, [...(byParent.get(marks.parent[i]!) ?? []), i]);
  }
  return [...byParent.values()].filter((siblings) => siblings.length > 1);
}

type Span = readonly [from: number, to: number];
const common = (a: Span, b: Span) => Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
const excess = (inner: Span, outer: Span) => Math.max(outer[0] - inner[0], inner[1] - outer[1]);
const acrossOf = ({ x0, x1 }: Marks, i: number): Span => [x0[i]!, x1[i]!];
const uprightOf = ({ y0, y1 }: Marks, i: number): Span => [y0[i]!, y1[i]!];
const turnsOf = ({ from, to }: Arcs, i: number): Span => [from[i]!, to[i]!];

const radiusOf = ({ x0, x1 }: Marks, i: number) => (x1[i]! - x0[i]!) / 2;
const apart = ({ x0, x1, y0, y1 }: Marks, i: number, j: number) =>
  Math.hypot(x0[i]! + x1[i]! - x0[j]! - x1[j]!, y0[i]! + y1[i]! - y0[j]! - y1[j]!) / 2;

/** How far two siblings overlap. */
function overlapOf(marks: Marks, i: number, j: number): number {
  if (marks.form === 'arcs') return common(turnsOf(marks.arcs, i), turnsOf(marks.arcs, j));
  if (marks.form === 'circles') return radiusOf(marks, i) + radiusOf(marks, j) - apart(marks, i, j);
  return Math.min(common(acrossOf(marks, i), acrossOf(marks, j)), common(uprightOf(marks, i), uprightOf(marks, j)));
}

/** How far a mark extends outside its parent: its box, its part of the column, its part of a turn. */
function outsideOf(marks: Marks, i: number, parent: number): number {
  if (marks.form === 'arcs') return excess(turnsOf(marks.arcs, i), turnsOf(marks.arcs, parent));
  if (marks.form === 'circles') return apart(marks, i, parent) + radiusOf(marks, i) - radiusOf(marks, parent);
  const upright = excess(uprightOf(marks, i), uprightOf(marks, parent));
  return marks.form === 'bars' ? upright : Math.max(upright, excess(acrossOf(marks, i), acrossOf(marks, parent)));
}

/** Area, or length if all siblings have the same breadth. */
function sizeOf(marks: Marks, i: number): number {
  const [width, height] = [marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!];
  if (marks.form === 'arcs') return marks.arcs.to[i]! - marks.arcs.from[i]!;
  return marks.form === 'bars' ? height : width * height;
}

function weightOf(marks: Marks, tree: LoadedTree, i: number): number {
  return marks.kind[i] === markKind.tail ? marks.hiddenVolume[i]! : tree.volume[marks.row[i]!]!;
}

function shownAndHidden(marks: Marks, tree: LoadedTree, group: number): [nodes: number, keywords: number] {
  let [nodes, keywords] = [marks.hidden[group]!, marks.hiddenKeywords[group]!];
  for (let i = group + 1; i < marks.count; i++) {
    if (marks.parent[i] !== group) continue;
    const isTail = marks.kind[i] === markKind.tail;
    nodes += isTail ? marks.hidden[i]! : 1;
    keywords += isTail ? marks.hiddenKeywords[i]! : tree.keywords[marks.row[i]!]!;
  }
  return [nodes, keywords];
}

/** A tree of about so many nodes, deterministic: branches of 2 to 13, volumes between 1 and 1,000. */
function randomTree(nodes: number): LoadedTree {
  const random = randomNumbers();
  let count = 0;
  const branch = (size: number): string => {
    const name = `n${count++}`;
    if (size <= 1) return `${name} ${1 + random(1000)}`;
    const parts = Math.min(size, 2 + random(12));
    const children = Array.from({ length: parts }, () => branch(Math.floor(size / parts)));
    return `${name} (${children.join(' ')})`;
  };
  return loadTree(sliceOf(branch(nodes)));
}

/** Deterministic integers below a bound. */
function randomNumbers(): (below: number) => number {
  let seed = 7;
  return (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}
