import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree, partOf } from '../../../../test/support/tree.ts';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { bubblesPainter } from '../bubbles/paint.ts';
import { createIcicle } from '../icicle/layout.ts';
import { iciclePainter } from '../icicle/paint.ts';
import { hitTest } from '../paint/shapes.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { sunburstPainter } from '../sunburst/paint.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { treemapPainter } from '../treemap/paint.ts';
import { type Layout, type LayoutOptions, type Marks, markKind } from './layout.ts';

const options: LayoutOptions = {
  focus: 0,
  width: 800,
  height: 700,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'volume',
  depth: Number.POSITIVE_INFINITY,
  autoLevels: 2,
  minPx: 3,
  budget: 20_000,
};

const keywords = (name: string, count: number, volume: (i: number) => number | '') =>
  `${name} (${Array.from({ length: count }, (_, i) => `${name}-${i} ${volume(i)}`).join(' ')})`;
/** As in real keyword lists: a few large volumes, many small ones. */
const longTail = (i: number) => Math.max(1, Math.round(1_000 / (i + 1)));
const equal = (count: number) => loadTree(sliceOf(keywords('shop', count, () => 10)));
/** Six pillars of very different sizes, down to clusters of thousands of keywords. */
const uneven = loadTree(
  sliceOf(
    `shop (${Array.from({ length: 6 }, (_, p) => {
      const clusters = Array.from({ length: 5 }, (_, c) => keywords(`p${p}c${c}`, 700 >> (p + c), longTail));
      return `p${p} (${clusters.join(' ')})`;
    }).join(' ')})`,
  ),
);

/** The smallest mark with some room for its name, in CSS pixels: height, radius, or length and breadth. */
const nested = [
  { name: 'treemap', create: createTreemap, painter: treemapPainter, minPx: 13 },
  { name: 'bubbles', create: createBubbles, painter: bubblesPainter, minPx: 16 },
  { name: 'icicle', create: createIcicle, painter: iciclePainter, minPx: 15 },
  { name: 'sunburst', create: createSunburst, painter: sunburstPainter, minPx: 15 },
] as const;

describe.each(nested)('with automatic depth, the $name', ({ create, painter, minPx }) => {
  const draw = (tree: LoadedTree, more: Partial<LayoutOptions> = {}, layout: Layout = create()) =>
    layout(tree, { ...options, ...more });

  // Shows P14.15.
  test.each([
    ['a thousand equal keywords', equal(1_000)],
    ['12,000 equal keywords', equal(12_000)],
    ['clusters with a few large and many small keywords', uneven],
  ])('of %s has many marks, all with room for a name, and counts the other nodes', (_, tree) => {
    const marks = draw(tree);
    expect(marks.count).toBeGreaterThan(15);
    expect(marks.count).toBeLessThan(500);
    for (let i = 1; i < marks.count; i++) expect(roomOf(marks, i)).toBeGreaterThanOrEqual(minPx);
    expect(sumsOf(marks, tree)).toEqual(wholeOf(marks, tree));
  });

  test('is the same layout whatever the zoom was before, and nothing in it changes places', () => {
    const layout = create();
    const before = placesOf(draw(uneven, {}, layout), 1);
    for (const k of [2, 5, 0.6]) {
      const camera = { x: 100, y: 80, k };
      const places = placesOf(draw(uneven, { camera }, layout), k, camera);
      const common = [...places].filter(([row]) => before.has(row));
      expect(common.length).toBeGreaterThan(1);
      // Headers, rims and rings have the size of text, so only charts without them match to the pixel.
      if (create === createIcicle)
        for (const [row, place] of common) expect(Math.abs(place - before.get(row)!)).toBeLessThan(1e-6);
    }
    expect(placesOf(draw(uneven, {}, layout), 1)).toEqual(before);
  });

  test('shows the children behind the rest mark when it is enlarged, with no mark too small for a name', () => {
    const tree = equal(3_000);
    const layout = create();
    const marks = draw(tree, {}, layout);
    const before = new Set(marks.row.subarray(0, marks.count));
    const { x, y } = painter.shape.middle(marks, tailsIn(marks)[0]!);
    const k = 25;
    const camera = { x: marks.zooms === 'upright' ? 0 : x - options.width / 2 / k, y: y - options.height / 2 / k, k };
    const near = draw(tree, { camera }, layout);
    expect(near.row.subarray(0, near.count).some((row) => !before.has(row))).toBe(true);
    for (let i = 1; i < near.count; i++) expect(roomOf(near, i)).toBeGreaterThanOrEqual(minPx);
  });

  // Shows P14.15.
  test('leaves a branch closed if the names in it do not fit', () => {
    const tree = loadTree(sliceOf(`shop (big 5000 ${keywords('small', 400, () => 1)})`));
    const small = tree.children(0).find((row) => tree.name(row) === 'small')!;
    const marks = draw(tree, { width: 420, height: 320 });
    const mark = Array.from({ length: marks.count }, (_, i) => i).find((i) => marks.row[i] === small);
    if (mark !== undefined) expect(marks.kind[mark]).toBe(markKind.node);
    expect(Array.from(marks.row.subarray(0, marks.count), (row) => tree.parent[row])).not.toContain(small);
  });

  test('has one mark for the rest, which can be hit and has a count', () => {
    const tree = equal(12_000);
    const marks = draw(tree);
    const tails = tailsIn(marks);
    expect(tails.length).toBe(1);
    const [tail] = tails as [number];
    expect(marks.hidden[tail]).toBe(12_000 - (marks.count - 2));
    const { x, y } = painter.shape.middle(marks, tail);
    expect(hitTest(marks, painter.shape, x, y, 0)).toBe(tail);
  });

  test('counts keywords without a weight in the rest mark', () => {
    const tree = loadTree(sliceOf(`shop (a 60 b 40 ${Array.from({ length: 50 }, (_, i) => `k${i} 0`).join(' ')})`));
    const marks = draw(tree);
    expect(marks.hidden[0]).toBe(0);
    expect(marks.hidden[marks.kind.subarray(0, marks.count).indexOf(markKind.tail)]).toBe(50);
  });

  test('requests only children that would be readable', () => {
    const whole = sliceOf(
      `shop (${keywords('large', 40, () => 50)} ${Array.from({ length: 300 }, (_, i) => keywords(`s${i}`, 3, () => 1)).join(' ')})`,
    );
    const top = [0, ...whole.node.keys()].filter((row) => row === 0 || whole.depth[row] === 1);
    const tree = loadTree(partOf(whole, [...new Set(top)]));
    const { wants } = draw(tree);
    expect(wants.map(({ node }) => tree.name(tree.rowOf(node)))).toContain('large');
    expect(wants.length).toBeLessThan(60);
    expect(draw(loadTree(whole)).wants).toEqual([]);
  });

  test('requests more children while a page has room for them, and then stops', () => {
    const whole = sliceOf(keywords('shop', 2_000, () => 10));
    const partlyLoaded = (rows: number) =>
      loadTree(
        partOf(
          whole,
          Array.from({ length: rows }, (_, row) => row),
        ),
      );
    expect(draw(partlyLoaded(6)).wants).toMatchObject([{ node: 0, skip: 5 }]);
    expect(draw(partlyLoaded(1_000)).wants).toEqual([]);
    const marksOf = (tree: LoadedTree) => {
      const { count, x0, y0, x1, y1, hidden } = draw(tree);
      return [x0, y0, x1, y1, hidden].map((column) => [...column.subarray(0, count)]);
    };
    expect(marksOf(partlyLoaded(1_000))).toEqual(marksOf(loadTree(whole)));
  });

  test('has fewer and larger marks if names are long and cannot be cut', () => {
    const named = (length: number) =>
      draw(loadTree(sliceOf(keywords('k'.repeat(length), 2_000, () => 10))), { width: 500, height: 500 });
    const [short, long] = [named(4), named(40)];
    if (create === createBubbles || create === createSunburst) expect(long.count).toBeLessThan(short.count);
    else expect(long.count).toBe(short.count);
  });

  test('stays within a budget, and is empty for an empty tree', () => {
    expect(draw(equal(12_000), { budget: 40 }).count).toBeLessThanOrEqual(42);
    expect(draw(new LoadedTree()).count).toBe(0);
    expect(draw(loadTree(sliceOf('shop'))).count).toBe(1);
  });
});

describe('with automatic depth, the tree', () => {
  const bushy = loadTree(
    sliceOf(`shop (${Array.from({ length: 17 }, (_, i) => keywords(`b${i}`, 8, () => 20 - i)).join(' ')})`),
  );
  const draw = (tree: LoadedTree, more: Partial<LayoutOptions> = {}) => createTree()(tree, { ...options, ...more });
  const openIn = (marks: Marks) => marks.kind.subarray(0, marks.count).filter((kind) => kind === markKind.group).length;

  // Shows P14.15.
  test('fills its canvas: as many branches open as fit, the heaviest ones first', () => {
    const marks = draw(bushy);
    expect(openIn(marks)).toBeGreaterThan(10);
    expect(marks.extent.height).toBeLessThanOrEqual(options.height);
    expect(marks.extent.height).toBeGreaterThan(options.height * 0.9);
    expect(marks.extent.width).toBeLessThanOrEqual(options.width);
    expect(sumsOf(marks, bushy)).toEqual(wholeOf(marks, bushy));
  });

  test('opens no level outside a narrow view, but always the first', () => {
    expect(openIn(draw(bushy, { width: 390 }))).toBe(1);
    expect(draw(bushy, { width: 100 }).count).toBe(18);
  });

  test('leaves lines for deeper levels', () => {
    const deep = loadTree(
      sliceOf(
        `shop (${['a', 'b'].map((at) => `${at} (${keywords(`${at}1`, 9, () => 5)} ${keywords(`${at}2`, 9, () => 4)} ${Array.from({ length: 9 }, (_, i) => `${at}${i + 3} 1`).join(' ')})`).join(' ')})`,
      ),
    );
    const marks = draw(deep, { width: 1200 });
    expect(Math.max(...marks.level.subarray(0, marks.count))).toBe(3);
    expect(marks.extent.height).toBeLessThanOrEqual(options.height);
  });

  test('does not depend on earlier sizes, and adds what the user opens', () => {
    const layout = createTree();
    const names = (more: Partial<LayoutOptions>) => {
      const { count, row } = layout(bushy, { ...options, ...more });
      return Array.from(row.subarray(0, count), (at) => bushy.name(at));
    };
    const before = names({});
    expect(names({ width: 390, height: 500 })).not.toEqual(before);
    expect(names({})).toEqual(before);
    expect(before).not.toContain('b0-7');
    expect(names({ opened: new Set([bushy.children(0)[0]!]) })).toContain('b0-7');
  });
});

/** The smaller side of the room that a mark has for its name. */
function roomOf(marks: Marks, i: number): number {
  const [width, height] = [marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!];
  if (marks.form === 'circles') return width / 2;
  if (marks.form !== 'arcs') return height;
  const { radii, from, to } = marks.arcs;
  const level = marks.level[i]!;
  return (to[i]! - from[i]!) * Math.PI * (radii[level]! + radii[level + 1]!);
}

/** Where each row begins, in layout units. */
function placesOf(marks: Marks, k: number, { x, y } = { x: 0, y: 0 }): Map<number, number> {
  const nodes = Array.from({ length: marks.count }, (_, i) => i).filter((i) => marks.kind[i] !== markKind.tail);
  if (marks.form === 'arcs') {
    const { from } = marks.arcs;
    return new Map(nodes.map((i) => [marks.row[i]!, from[i]!]));
  }
  const across = marks.form === 'bars' ? 0 : marks.x0[0]! / k + x;
  return new Map(nodes.map((i) => [marks.row[i]!, marks.y0[i]! / k + y + across]));
}

/** For every open branch, its shown and hidden children. */
function sumsOf(marks: Marks, { keywords: of }: LoadedTree): [nodes: number, keywords: number][] {
  return groupsIn(marks).map((group) => {
    const sums: [number, number] = [marks.hidden[group]!, marks.hiddenKeywords[group]!];
    for (let i = marks.firstChild[group]!; i < marks.childEnd[group]!; i++) {
      const isTail = marks.kind[i] === markKind.tail;
      sums[0] += isTail ? marks.hidden[i]! : 1;
      sums[1] += isTail ? marks.hiddenKeywords[i]! : of[marks.row[i]!]!;
    }
    return sums;
  });
}

const wholeOf = (marks: Marks, tree: LoadedTree) =>
  groupsIn(marks).map((i) => [tree.childCount[marks.row[i]!], tree.childKeywords[marks.row[i]!]]);

const tailsIn = ({ count, kind }: Marks) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => kind[i] === markKind.tail);

const groupsIn = ({ count, kind }: Marks) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => kind[i] === markKind.group);
