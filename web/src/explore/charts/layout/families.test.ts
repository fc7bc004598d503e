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
import { Families } from './families.ts';
import type { LayoutOptions, Marks } from './layout.ts';

const options: LayoutOptions = {
  focus: 0,
  width: 1440,
  height: 900,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'keywords',
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
};

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps, 6 trail, 7 road. */
const whole = sliceOf('shop (shoes (running (trail 20 road 10) walking 5) hats (caps 4))');
const named = (slice: Slice, name: string) => {
  const tree = new LoadedTree();
  tree.merge(slice);
  return Array.from({ length: tree.size }, (_, row) => row).find((row) => tree.name(row) === name)!;
};
const rows = (...names: string[]) => names.map((name) => named(whole, name));

test('a slice changes the version of its rows and their parents', () => {
  const tree = new LoadedTree();
  tree.merge(partOf(whole, rows('shop', 'shoes', 'hats')));
  const before = Array.from({ length: tree.size }, (_, row) => tree.touched(row));
  tree.merge(partOf(whole, rows('shoes', 'running', 'walking')));
  const touched = before.map((version, row) => tree.touched(row) !== version);
  const names = Array.from(before, (_, row) => tree.name(row));
  expect(names.filter((_, row) => touched[row])).toEqual(['shoes']);
});

test('a family is the same object until its children change', () => {
  const tree = new LoadedTree();
  const families = new Families();
  tree.merge(partOf(whole, rows('shop', 'shoes', 'hats')));
  families.begin(tree, { sizeBy: 'keywords' });
  const shop = families.of(0);
  const shoes = families.of(1);
  tree.merge(partOf(whole, rows('shoes', 'running', 'walking')));
  families.begin(tree, { sizeBy: 'keywords' });
  expect(families.of(0)).toBe(shop);
  expect(families.of(1)).not.toBe(shoes);
  expect(families.of(1).items).toBe(2);
  families.begin(tree, { sizeBy: 'equal' });
  expect(families.of(0)).not.toBe(shop);
});

test('a field becomes the weight of children once all rows have it', () => {
  const tree = new LoadedTree();
  const families = new Families();
  tree.merge(partOf(whole, rows('shop', 'shoes', 'hats')));
  families.begin(tree, { sizeBy: 'field:traffic' });
  expect([...families.of(0).weights]).toEqual([3, 1]);
  const traffic = withFields(whole, { traffic: Array.from({ length: whole.rows }, (_, row) => row + 1) });
  tree.merge(partOf(traffic, rows('shop', 'shoes', 'hats')));
  families.begin(tree, { sizeBy: 'field:traffic' });
  expect([...families.of(0).weights]).toEqual([3, 2]);
});

test('in other content, even with the same versions, a family belongs to the node that now has the row', () => {
  const tree = new LoadedTree();
  const families = new Families();
  const itemsOf = (row: number) => {
    families.begin(tree, { sizeBy: 'keywords' });
    return Array.from(families.of(row).rows, (child) => tree.name(child));
  };
  tree.merge(partOf(whole, rows('shop', 'shoes', 'hats')));
  expect(itemsOf(0)).toEqual(['shoes', 'hats']);

  const filtered = new LoadedTree();
  filtered.merge(partOf(cutTo(whole, rows('shop', 'hats', 'caps')), [0, 1]));
  expect(filtered.touched(0)).toBe(tree.touched(0));
  tree.become(filtered);
  expect(itemsOf(0)).toEqual(['hats']);
});

test('a slice that arrives after other content changes the version of its branches again', () => {
  const tree = new LoadedTree();
  const families = new Families();
  tree.merge(partOf(whole, rows('shop', 'shoes', 'hats')));
  const other = new LoadedTree();
  other.merge(partOf(whole, rows('shop', 'shoes', 'hats')));
  other.merge(partOf(whole, rows('hats', 'caps')));
  other.merge(partOf(whole, rows('shoes', 'running')));
  tree.become(other);
  families.begin(tree, { sizeBy: 'keywords' });
  expect(families.of(1).rows).toHaveLength(1);
  tree.merge(partOf(whole, rows('shoes', 'running', 'walking')));
  families.begin(tree, { sizeBy: 'keywords' });
  expect(families.of(1).rows).toHaveLength(2);
});

/** About 400 nodes on four levels, with different weights. */
const forest = sliceOf(
  `all (${Array.from({ length: 7 }, (_, i) => `p${i} (${Array.from({ length: 3 + i }, (_, j) => `c${i}-${j} (${Array.from({ length: 2 + ((i * 5 + j * 3) % 14) }, (_, k) => `k${i}-${j}-${k} ${1 + ((i * 31 + j * 17 + k * 7) % 90)}`).join(' ')})`).join(' ')})`).join(' ')})`,
);
/** The slices of a visit: the top, then one branch after another. */
function visit(): Slice[] {
  const branches = Array.from({ length: forest.rows }, (_, row) => row).filter((row) => forest.childCount[row]! > 0);
  const childrenOf = (branch: number) =>
    Array.from({ length: forest.rows }, (_, row) => row).filter((row) => row > 0 && forest.parent[row] === branch);
  return branches.map((branch) => partOf(forest, [branch, ...childrenOf(branch)]));
}

describe.each([
  ['treemap', createTreemap],
  ['bubbles', createBubbles],
  ['icicle', createIcicle],
  ['sunburst', createSunburst],
  ['tree', createTree],
] as const)('%s', (_, create) => {
  test('caches nothing outdated: after every slice it draws the same as a new one', () => {
    const tree = new LoadedTree();
    const layout = create();
    let drawn = 0;
    for (const slice of visit()) {
      tree.merge(slice);
      for (const camera of [options.camera, { x: 300, y: 200, k: 2 }]) {
        const marks = columnsOf(layout(tree, { ...options, camera }));
        expect(marks).toEqual(columnsOf(create()(tree, { ...options, camera })));
        drawn = Math.max(drawn, marks.count);
      }
    }
    expect(drawn).toBeGreaterThan(7);
  });

  test('draws the same as a new one after a change of content, size encoding, or both', () => {
    const tree = new LoadedTree();
    const layout = create();
    const branches = Array.from({ length: forest.rows }, (_, row) => row).filter((row) => row % 3 > 0 || row < 8);
    const kept = branches.filter((row) => row === 0 || branches.includes(forest.parent[row]!));
    const pictures: unknown[] = [];
    for (const content of [forest, cutTo(forest, kept), forest]) {
      const next = new LoadedTree();
      next.merge(content);
      tree.become(next);
      for (const sizeBy of ['keywords', 'volume', 'equal'] as const) {
        const requested = { ...options, sizeBy };
        const marks = columnsOf(layout(tree, requested));
        expect(marks).toEqual(columnsOf(create()(tree, requested)));
        pictures.push(marks);
      }
    }
    expect(pictures[3]).not.toEqual(pictures[0]);
    expect(pictures[6]).toEqual(pictures[0]);
  });
});

function columnsOf({ count, row, kind, x0, y0, x1, y1, hidden, wants }: Marks) {
  // As texts, which are compared many times faster.
  const cut = (column: ArrayLike<number>) => Array.prototype.slice.call(column, 0, count).join();
  return {
    count,
    row: cut(row),
    kind: cut(kind),
    x0: cut(x0),
    y0: cut(y0),
    x1: cut(x1),
    y1: cut(y1),
    hidden: cut(hidden),
    wants,
  };
}
