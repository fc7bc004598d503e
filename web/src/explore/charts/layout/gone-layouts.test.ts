import { markFields, stampedName } from '@kc/pack/slice/mark-fields';
import type { Slice } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { cutTo, partOf, withFields } from '../../../../test/support/tree.ts';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { createIcicle } from '../icicle/layout.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { familyOf, goneWeights } from './families.ts';
import { goneRow, type LayoutOptions, type Marks, markKind } from './layout.ts';

const options: LayoutOptions = {
  focus: 0,
  width: 1440,
  height: 900,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'volume',
  goneWeights,
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
};

/** Rows: 0 shop, 1 shoes, 2 hats, 3 empty, 4 running, 5 walking, 6 caps, 7 lost. */
const shop = sliceOf('shop (shoes (running 40 walking 10) hats (caps 30) empty (lost 0))');
/** Shoes have lost three nodes and hats one; everything that was in the third branch is gone. */
const lost = {
  nodes: [0, 3, 1, 2, 0, 0, 0, 0],
  keywords: [0, 5, 1, 6, 0, 0, 0, 0],
  volume: [0, 25, 0, 60, 0, 0, 0, 0],
};

const stamp = 'v1';
/** The sums over each row and everything below it. */
function sumsBelow({ rows, parent }: Slice, here: readonly number[]): number[] {
  const sums = [...here];
  for (let row = rows - 1; row > 0; row--) sums[parent[row]!]! += sums[row]!;
  return sums;
}

function withLost(slice: Slice, { nodes, keywords, volume }: typeof lost): Slice {
  return withFields(slice, {
    [stampedName(markFields.goneNodes, stamp)]: nodes,
    [stampedName(markFields.goneKeywords, stamp)]: keywords,
    [stampedName(markFields.goneVolume, stamp)]: volume,
    [stampedName(markFields.goneKeywordsBelow, stamp)]: sumsBelow(slice, keywords),
    [stampedName(markFields.goneVolumeBelow, stamp)]: sumsBelow(slice, volume),
  });
}

function compared(...slices: readonly Slice[]): LoadedTree {
  const tree = new LoadedTree();
  tree.showMarks(new Map([['change', stamp]]));
  for (const slice of slices) tree.merge(slice);
  return tree;
}

function familyIn(tree: LoadedTree, row: number, sizeBy: LayoutOptions['sizeBy'] = 'volume') {
  const { rows, weights, gone } = familyOf(tree, row, sizeBy, goneWeights(tree, sizeBy));
  const names = Array.from(rows, (child) => (child === goneRow ? 'gone' : tree.name(child)));
  return { items: Object.fromEntries(names.map((name, i) => [name, weights[i]])), gone, rest: weights[rows.length] };
}

test('a branch weighs what it has and what it has lost at any depth; an item stands for what it has lost itself', () => {
  const tree = compared(withLost(shop, lost));
  expect(familyIn(tree, 0)).toEqual({ items: { shoes: 75, empty: 60, hats: 30 }, gone: undefined, rest: undefined });
  expect(familyIn(tree, 1)).toEqual({
    items: { running: 40, gone: 25, walking: 10 },
    gone: { item: 1, nodes: 3, keywords: 5, volume: 25 },
    rest: undefined,
  });
  // What had no known volume has no area, and is counted when keywords are the size.
  expect(familyIn(tree, 2)).toMatchObject({ items: { caps: 30 }, gone: undefined });
  expect(familyIn(tree, 2, 'keywords')).toMatchObject({ items: { caps: 1, gone: 1 }, gone: { nodes: 1 } });
});

test('what is gone from children that are not loaded is part of their item', () => {
  const whole = withLost(shop, lost);
  const tree = compared(partOf(whole, [0, 1]));
  expect(familyIn(tree, 0)).toEqual({ items: { shoes: 75 }, gone: undefined, rest: 30 + 60 });
});

test('nothing is gone for sizes that gone nodes do not have, while it loads, and beside what a filter excludes', () => {
  const whole = withLost(shop, lost);
  const tree = compared(whole);
  expect(goneWeights(tree, 'equal')).toBeDefined();
  expect(goneWeights(tree, 'difficulty')).toBeUndefined();
  expect(goneWeights(compared(partOf(whole, [0, 1]), partOf(shop, [0, 2])), 'volume')).toBeUndefined();
  const faint = compared();
  faint.merge(cutTo(whole, [0, 1, 4]), whole);
  expect(goneWeights(faint, 'volume')).toBeUndefined();
  tree.showMarks(new Map());
  expect(goneWeights(tree, 'volume')).toBeUndefined();
});

/** About 400 nodes on four levels. Every branch has lost something, some of them nearly everything. */
const forest = sliceOf(
  `all (${Array.from({ length: 7 }, (_, i) => `p${i} (${Array.from({ length: 3 + i }, (_, j) => `c${i}-${j} (${Array.from({ length: 2 + ((i * 5 + j * 3) % 14) }, (_, k) => `k${i}-${j}-${k} ${1 + ((i * 31 + j * 17 + k * 7) % 90)}`).join(' ')})`).join(' ')})`).join(' ')})`,
);
const ofForest = (() => {
  const here = (max: number) => Array.from(forest.childCount, (count, row) => (count > 0 ? 1 + ((row * 37) % max) : 0));
  return { nodes: here(9), keywords: here(23), volume: here(700) };
})();

const withAreas = [
  ['treemap', createTreemap],
  ['bubbles', createBubbles],
  ['icicle', createIcicle],
  ['sunburst', createSunburst],
] as const;

const goneMarks = (marks: Marks) =>
  Array.from({ length: marks.count }, (_, i) => i).filter((i) => marks.isGone[i] === 1);

describe.each([...withAreas, ['tree', createTree] as const])('%s', (_, create) => {
  const tree = compared(withLost(forest, ofForest));

  test.each([undefined, 2])('each mark of what is gone has the figures of its branch (levels: %s)', (autoLevels) => {
    const marks = create()(tree, { ...options, ...(autoLevels && { autoLevels }) });
    const gone = goneMarks(marks);
    expect(gone.length).toBeGreaterThan(autoLevels ? 0 : 5);
    for (const i of gone) {
      const row = marks.row[i]!;
      expect(marks.kind[i]).toBe(markKind.tail);
      expect(row).toBe(marks.row[marks.parent[i]!]);
      expect([marks.hidden[i], marks.hiddenKeywords[i], marks.hiddenVolume[i]]).toEqual([
        ofForest.nodes[row],
        ofForest.keywords[row],
        ofForest.volume[row],
      ]);
    }
    expect(new Set(gone.map((i) => marks.row[i])).size).toBe(gone.length);
  });

  test('showing and leaving out what is gone draws the same as a new layout', () => {
    const layout = create();
    for (const showsGone of [true, false, true]) {
      for (const sizeBy of ['volume', 'keywords', 'difficulty'] as const) {
        const requested = { ...options, goneWeights: showsGone ? goneWeights : undefined, sizeBy };
        const drawn = columnsOf(layout(tree, requested));
        expect(drawn).toEqual(columnsOf(create()(tree, requested)));
        const isShown = showsGone && sizeBy !== 'difficulty';
        expect(drawn.isGone.some((flag) => flag === 1)).toBe(isShown);
        if (!isShown) expect(drawn).toEqual(columnsOf(create()(compared(forest), requested)));
      }
    }
  });
});

// Shows P24.13.
test.each(withAreas)(
  '%s: children and what is gone share a branch by their weights, and what is gone is not counted as children',
  (_, create) => {
    const tree = compared(withLost(forest, ofForest));
    const marks = create()(tree, options);
    const below = sumsBelow(forest, ofForest.volume);
    let branches = 0;
    for (const mine of goneMarks(marks)) {
      const group = marks.parent[mine]!;
      let [nodes, keywords] = [marks.hidden[group]!, marks.hiddenKeywords[group]!];
      const units: number[] = [];
      for (let i = marks.firstChild[group]!; i < marks.childEnd[group]!; i++) {
        const row = marks.row[i]!;
        if (i === mine) units.push(sizeOf(marks, i) / ofForest.volume[row]!);
        else if (marks.kind[i] === markKind.tail) {
          nodes += marks.hidden[i]!;
          keywords += marks.hiddenKeywords[i]!;
        } else {
          units.push(sizeOf(marks, i) / (tree.volume[row]! + below[row]!));
          nodes++;
          keywords += tree.keywords[row]!;
        }
      }
      for (const unit of units) expect(unit / units[0]!).toBeCloseTo(1, 6);
      const row = marks.row[group]!;
      expect([nodes, keywords]).toEqual([tree.childCount[row], tree.childKeywords[row]]);
      if (units.length > 2) branches++;
    }
    expect(branches).toBeGreaterThan(5);
  },
);

test('tree: with automatic depth, what is gone has its place on the screen like everything else', () => {
  const wide = sliceOf(`shop (${Array.from({ length: 40 }, (_, i) => `k${i} ${i + 1}`).join(' ')})`);
  const none = () => Array.from({ length: 40 }, () => 0);
  const ofWide = { nodes: [2, ...none()], keywords: [2, ...none()], volume: [9, ...none()] };
  for (const tree of [compared(withLost(forest, ofForest)), compared(withLost(wide, ofWide))]) {
    for (const height of [300, 500, 900]) {
      const marks = createTree()(tree, { ...options, height, autoLevels: 1 });
      expect(goneMarks(marks).length).toBeGreaterThan(0);
      expect(marks.extent.height).toBeLessThanOrEqual(height);
    }
  }
});

test('tree: what is gone is the last entry of its branch, at any zoom, and children are counted without it', () => {
  const tree = compared(withLost(forest, ofForest));
  const layout = createTree();
  let whole = 0;
  for (const k of [1, 0.3, 0.05, 0.004]) {
    const marks = layout(tree, { ...options, camera: { x: 0, y: 0, k } });
    for (let group = 0; group < marks.count; group++) {
      if (marks.kind[group] !== markKind.group) continue;
      const row = marks.row[group]!;
      const [first, end] = [marks.firstChild[group]!, marks.childEnd[group]!];
      let nodes = 0;
      for (let i = first; i < end; i++) {
        if (marks.isGone[i] === 1) expect([i, marks.hidden[i]]).toEqual([end - 1, ofForest.nodes[row]]);
        else nodes += marks.kind[i] === markKind.tail ? marks.hidden[i]! : 1;
      }
      expect(nodes).toBeLessThanOrEqual(tree.childCount[row]!);
      // All of them, unless some are beyond the edge of the screen.
      if (k < 0.1 && end > first) {
        expect(nodes).toBe(tree.childCount[row]);
        whole++;
      }
    }
  }
  expect(whole).toBeGreaterThan(5);
});

function sizeOf(marks: Marks, i: number): number {
  const [width, height] = [marks.x1[i]! - marks.x0[i]!, marks.y1[i]! - marks.y0[i]!];
  if (marks.form === 'arcs') return marks.arcs.to[i]! - marks.arcs.from[i]!;
  return marks.form === 'bars' ? height : width * height;
}

function columnsOf({ count, row, kind, isGone, x0, y0, x1, y1, hidden }: Marks) {
  const cut = (column: ArrayLike<number>) => Array.from(column).slice(0, count);
  return { row: cut(row), kind: cut(kind), isGone: cut(isGone), edges: [x0, y0, x1, y1].map(cut), hidden: cut(hidden) };
}
