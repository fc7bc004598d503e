import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { cutTo, loadTree, partOf, withRest } from '../../../../test/support/tree.ts';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { createIcicle } from '../icicle/layout.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { createTree } from '../tree/layout.ts';
import { chromeOf, namedStripPx } from '../treemap/chrome.ts';
import { createTreemap } from '../treemap/layout.ts';
import { type Layout, type LayoutOptions, type Marks, markKind } from './layout.ts';

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
const rounding = 1e-6;

const shop = () =>
  loadTree(sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4 hoods 2 +7) tail)'));
const wide = (children: number) =>
  loadTree(sliceOf(`shop (${Array.from({ length: children }, (_, i) => `k${i} 1`).join(' ')})`));
const deep = (levels: number) => loadTree(sliceOf(`${'a ('.repeat(levels)}b 1${')'.repeat(levels)}`));

const layouts: readonly (readonly [string, () => Layout])[] = [
  ['treemap', createTreemap],
  ['tree', createTree],
  ['icicle', createIcicle],
  ['bubbles', createBubbles],
  ['sunburst', createSunburst],
];

test.each(layouts.filter(([name]) => name !== 'tree'))(
  'kept and excluded nodes have the same position in the %s as without the filter',
  (_, create) => {
    const whole = sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4 hoods 2))');
    const faint = new LoadedTree();
    faint.merge(withRest(whole, [0, 2, 5]), whole);
    const edges = (tree: LoadedTree) => {
      const { count, row, x0, y0, x1, y1 } = create()(tree, options);
      return Array.from({ length: count }, (_, i) => [tree.name(row[i]!), x0[i], y0[i], x1[i], y1[i]]);
    };
    expect(edges(faint)).toEqual(edges(loadTree(whole)));
  },
);

describe.each(layouts)('every chart: %s', (_, create) => {
  test('an empty tree has no marks', () => {
    expect(create()(new LoadedTree(), options).count).toBe(0);
  });

  test('a single node is one mark', () => {
    expect(create()(loadTree(sliceOf('shop')), options).count).toBe(1);
  });

  test.each([
    ['17,000 children of one node', wide(17_000)],
    ['a thousand levels', deep(1000)],
  ])('%s stay within the budget, every mark with a size', (_name, tree) => {
    const marks = create()(tree, { ...options, budget: 5000 });
    expect(marks.count).toBeGreaterThan(1);
    expect(marks.count).toBeLessThanOrEqual(5002);
    for (let i = 0; i < marks.count; i++) {
      expect(marks.x1[i]! - marks.x0[i]!).toBeGreaterThan(0);
      expect(marks.y1[i]! - marks.y0[i]!).toBeGreaterThan(0);
      expect(marks.row[i]).toBeLessThan(tree.size);
    }
  });
});

describe.each(layouts)('every layout: %s', (_, create) => {
  test('a single node is one mark', () => {
    const marks = create()(loadTree(sliceOf('shop')), options);
    expect([marks.count, marks.kind[0], marks.row[0]]).toEqual([1, markKind.node, 0]);
  });

  test('parents come before their children', () => {
    for (const tree of [shop(), wide(200)]) {
      const marks = create()(tree, options);
      expect(marks.count).toBeGreaterThan(8);
      for (let i = 1; i < marks.count; i++) expect(marks.parent[i]).toBeLessThan(i);
    }
  });

  test('the shown and hidden children and keywords of every open node add up to all of them', () => {
    for (const tree of [shop(), wide(17_000), wide(40), loadTree(sliceOf('shop (a (x 1 +90) b +12)'))]) {
      const marks = create()(tree, { ...options, height: 5000 });
      for (let i = 0; i < marks.count; i++) {
        if (marks.kind[i] === markKind.group)
          expect(childrenBehind(marks, tree, i)).toEqual(childrenOf(marks, tree, i));
      }
    }
  });

  test('a tree a thousand levels deep is laid out', () => {
    const marks = create()(deep(1000), options);
    expect(marks.count).toBeGreaterThan(3);
    for (let i = 0; i < marks.count; i++) expect(Number.isFinite(marks.x1[i]! - marks.x0[i]!)).toBe(true);
  });

  test('depth counts levels below the focus', () => {
    const tree = shop();
    expect(deepest(create()(tree, { ...options, depth: 1 }))).toBe(1);
    expect(deepest(create()(tree, { ...options, depth: 2 }))).toBe(2);
    expect(deepest(create()(tree, { ...options, focus: tree.rowOf(1), depth: 1 }))).toBe(1);
  });

  test('a closed node stands for all its children', () => {
    const tree = shop();
    const marks = create()(tree, { ...options, depth: 1 });
    const shoes = markOf(marks, tree, 'shoes');
    expect([marks.kind[shoes], marks.hidden[shoes], marks.hiddenKeywords[shoes]]).toEqual([markKind.node, 2, 3]);
  });

  test('nodes outside the viewport have no marks of their own', () => {
    const tree = wide(250);
    const all = create()(tree, { ...options, unfolded: new Set([0]) });
    const near = create()(tree, { ...options, unfolded: new Set([0]), camera: { x: 0, y: 0, k: 8 } });
    expect(near.count).toBeLessThan(all.count);
  });

  test('children that are not loaded are requested after the loaded ones', () => {
    const tree = loadTree(sliceOf('shop (shoes (running 1 +3) hats (+4))'));
    const { wants } = create()(tree, options);
    expect(wants.map(({ node, skip }) => ({ node, skip })).sort((a, b) => a.node - b.node)).toEqual([
      { node: 1, skip: 1 },
      { node: 2, skip: 0 },
    ]);
  });

  test('nothing is requested if everything is loaded', () => {
    expect(create()(wide(500), options).wants).toEqual([]);
  });
});

test.each([
  ['treemap', createTreemap],
  ['bubbles', createBubbles],
] as const)(
  'if the %s has marks for only some of 17,000 equal children, one mark stands for the others',
  (_, create) => {
    const tree = wide(17_000);
    const marks = create()(tree, { ...options, budget: 5000 });
    expect(marks.count).toBeGreaterThan(2500);
    expect(childrenBehind(marks, tree, 0)).toEqual(childrenOf(marks, tree, 0));
  },
);

describe('treemap', () => {
  const draw = (tree: LoadedTree, more: Partial<LayoutOptions> = {}) => createTreemap()(tree, { ...options, ...more });

  test('children are inside their parents, below the header', () => {
    const marks = draw(shop());
    for (let i = 1; i < marks.count; i++) {
      const parent = marks.parent[i]!;
      expect(marks.x0[i]! - marks.x0[parent]!).toBeGreaterThan(-rounding);
      expect(marks.y0[i]! - marks.y0[parent]! - marks.header[parent]!).toBeGreaterThan(-rounding);
      expect(marks.x1[parent]! - marks.x1[i]!).toBeGreaterThan(-rounding);
      expect(marks.y1[parent]! - marks.y1[i]!).toBeGreaterThan(-rounding);
    }
  });

  test('the areas of siblings, including the tail, are in proportion to their weights', () => {
    const tree = loadTree(sliceOf('shop 100 (a 40 b 20 c 10 +5)'));
    const marks = draw(tree, { sizeBy: 'volume' });
    const areas = ['a', 'b', 'c'].map((name) => areaOf(marks, markOf(marks, tree, name)));
    const tail = areaOf(marks, marks.kind.subarray(0, marks.count).indexOf(markKind.tail));
    expect(areas[0]! / areas[1]!).toBeCloseTo(2, 9);
    expect(areas[0]! / areas[2]!).toBeCloseTo(4, 9);
    expect(tail / areas[1]!).toBeCloseTo(1.5, 9);
  });

  test('the focus opens for children so small that another branch would stay closed', () => {
    const crumbs = Array.from({ length: 5000 }, (_, i) => `k${i} 1`).join(' ');
    const size = { width: 420, height: 420 };
    expect(draw(loadTree(sliceOf(`shop (${crumbs})`)), size).kind[0]).toBe(markKind.group);
    const tree = loadTree(sliceOf(`shop (branch (${crumbs}))`));
    const marks = draw(tree, size);
    expect(marks.kind[markOf(marks, tree, 'branch')]).toBe(markKind.node);
  });

  test('the focus fills the viewport', () => {
    const marks = draw(shop());
    expect([marks.x0[0], marks.y0[0], marks.x1[0], marks.y1[0]]).toEqual([0, 0, 1440, 900]);
  });

  test('leaves are counted if no volume is known', () => {
    const tree = loadTree(sliceOf('shop (a (x y z) b)'));
    const marks = draw(tree, { sizeBy: 'volume', depth: 1 });
    expect(areaOf(marks, markOf(marks, tree, 'a')) / areaOf(marks, markOf(marks, tree, 'b'))).toBeCloseTo(3, 9);
  });

  test('children without a volume have no area beside those with one, but are counted', () => {
    const tree = loadTree(sliceOf('shop (a 10 b c)'));
    const marks = draw(tree, { sizeBy: 'volume' });
    expect([marks.count, marks.hidden[0], marks.hiddenKeywords[0]]).toEqual([2, 2, 2]);
  });

  test('boxes never change places while zooming', () => {
    const tree = shop();
    const treemap = createTreemap();
    const isBeside = (k: number) => {
      const marks = treemap(tree, { ...options, camera: { x: 0, y: 0, k } });
      return marks.x0[markOf(marks, tree, 'shoes')]! >= marks.x1[markOf(marks, tree, 'hats')]! - rounding;
    };
    expect([1, 0.97, 0.7, 0.4, 0.2].map(isBeside)).toEqual([true, true, true, true, true]);
  });

  test('a branch with room for its name but not for a header stays closed until the names of its children fit', () => {
    const tree = loadTree(sliceOf('shop (shoes (a b c d))'));
    const shoes = (width: number, height: number) => {
      const marks = draw(tree, { width, height });
      return marks.kind[markOf(marks, tree, 'shoes')];
    };
    expect(shoes(60, 40)).toBe(markKind.node);
    expect(shoes(40, 40)).toBe(markKind.group);
    expect(shoes(240, 40)).toBe(markKind.group);
  });

  test('a header grows continuously, and is too low for its name only briefly', () => {
    const chrome = { header: 0, margin: 0 };
    const headers = Array.from({ length: 200 }, (_, i) => {
      chromeOf(1, 500, 40 + i / 10, chrome);
      return chrome.header;
    });
    const grows = headers.slice(1).map((header, i) => header - headers[i]!);
    expect(Math.min(...grows)).toBe(0);
    expect(Math.max(...grows)).toBeLessThan(3.5);
    expect(headers.at(-1)).toBe(24);
    const nameless = headers.filter((header) => header > 0 && header < namedStripPx);
    expect(nameless.length / 10).toBeLessThan(1.5);
  });

  test('a branch stays closed if its children could not be told apart', () => {
    const marks = draw(wide(17_000), { width: 60, height: 60 });
    expect([marks.count, marks.hidden[0]]).toEqual([1, 17_000]);
  });
});

describe('tree', () => {
  test('no two boxes overlap', () => {
    for (const tree of [shop(), wide(500)]) expect(overlap(createTree()(tree, options))).toBeLessThan(rounding);
  });

  test('parents are midway between their first and last child', () => {
    const tree = shop();
    const marks = createTree()(tree, options);
    const middle = (name: string) => (marks.y0[markOf(marks, tree, name)]! + marks.y1[markOf(marks, tree, name)]!) / 2;
    expect(middle('running')).toBeCloseTo((middle('trail') + middle('road')) / 2, 9);
    expect(middle('shoes')).toBeCloseTo((middle('running') + middle('walking')) / 2, 9);
  });

  test('on a phone, the focus leaves room for the names of its children', () => {
    const drawn = (child: string, width: number) => {
      const tree = loadTree(sliceOf(`a-garden-shop-and-all-it-sells (${child} (a b) hats (c d))`));
      const { x0, x1 } = createTree()(tree, { ...options, width });
      return { end: x1[1]!, ofFocus: x1[0]! - x0[0]!, ofChild: x1[1]! - x0[1]! };
    };
    const [wide, phone] = [drawn('pests-and-seasons', 1440), drawn('pests-and-seasons', 390)];
    expect(phone.end).toBeLessThan(390);
    expect(phone.ofChild).toBe(wide.ofChild);
    const long = drawn('cross-browser-testing-browserstack', 390);
    expect(long.end).toBeLessThan(390);
    expect(long.ofFocus).toBeCloseTo(100, 9);
  });

  test('under a filter, a box has room for the kept and the total count', () => {
    const whole = sliceOf('shop (trail-running-shoes (a b) hats (c d))');
    const width = (tree: LoadedTree) => {
      const { x0, x1 } = createTree()(tree, options);
      return x1[1]! - x0[1]!;
    };
    expect(width(loadTree(cutTo(whole, [0, 1, 2])))).toBeGreaterThan(width(loadTree(whole)) + 40);
  });

  test('a long run shows its heaviest 60 unless it is unfolded', () => {
    const tree = wide(500);
    expect(createTree()(tree, { ...options, height: 20_000 }).count).toBe(62);
    expect(createTree()(tree, { ...options, height: 20_000, unfolded: new Set([0]) }).count).toBe(501);
  });

  test('the user opens and closes a branch', () => {
    const tree = shop();
    const [shoes, hats] = [tree.rowOf(1), tree.rowOf(2)];
    const names = (more: Partial<LayoutOptions>) => namesOf(createTree()(tree, { ...options, ...more }), tree);
    expect(names({ depth: 1, opened: new Set([hats]) })).toContain('caps');
    expect(names({ closed: new Set([shoes]) })).not.toContain('running');
  });

  test('branches open automatically within one screen, evenly on each level', () => {
    const tree = bushy(5);
    // 24 lines are visible. Five branches of five children need 25, so each shows three and a line for the others.
    const [lines, names] = drawn(tree, { height: 700 });
    expect(lines).toBeLessThanOrEqual(700 / 28);
    expect(names).toEqual(expect.arrayContaining(['k0-2', 'k4-2']));
    expect(names).not.toContain('k0-3');
    expect(names).not.toContain('k4-3');
    expect(drawn(tree, { height: 800 })[1]).toEqual(expect.arrayContaining(['k0-4', 'k4-4']));
  });

  test('if a level has no room for a few children of each branch, its heaviest branches open', () => {
    const [lines, names] = drawn(bushy(20), { height: 700 });
    expect(lines).toBe(23);
    expect(names).toContain('k0-2');
    expect(names).not.toContain('k0-3');
    expect(names).not.toContain('k1-0');
  });

  test('a branch with hardly more children than the limit shows all of them', () => {
    expect(drawn(bushy(4), { height: 12 * 28 + 24 })[0]).toBe(10);
    const [lines, names] = drawn(bushy(4), { height: 16 * 28 + 24 });
    expect(lines).toBe(16);
    expect(names).toContain('k3-3');
  });

  test('a closed branch shows how many keywords it contains, however little room there is', () => {
    const tree = bushy(20);
    const marks = createTree()(tree, { ...options, height: 700 });
    const last = markOf(marks, tree, 'k19');
    expect([marks.kind[last], marks.hidden[last]]).toEqual([markKind.node, 20]);
  });

  test('the focus is open in any view, however low', () => {
    expect(drawn(bushy(20), { height: 100 })[0]).toBe(20);
  });

  test('a branch that the user opens is added with all its children, and closing a branch opens no other', () => {
    const tree = bushy(20);
    const [first, last] = [tree.children(0)[0]!, tree.children(0)[19]!];
    const [before, names] = drawn(tree, { height: 700 });
    expect(drawn(tree, { height: 700, opened: new Set([last]) })[0]).toBe(before + 19);
    expect(drawn(tree, { height: 700, opened: new Set([first]) })[1]).toContain('k0-19');
    const closed = drawn(tree, { height: 700, closed: new Set([first]) });
    expect(closed[0]).toBe(20);
    expect(names).toEqual(expect.arrayContaining(closed[1]));
  });

  test('a branch whose children load later takes no room from another', () => {
    const whole = loadTree(sliceOf(`shop (${branch('a', 30)} ${branch('b', 29)} ${branch('c', 28)})`));
    const waiting = loadTree(sliceOf(`shop (a (+30) ${branch('b', 29)} ${branch('c', 28)})`));
    const late = drawn(waiting, { height: 700 })[1];
    expect(late).toEqual(drawn(whole, { height: 700 })[1].filter((name) => !name.startsWith('a-')));
  });

  test('entries too fine to be told apart share one mark with their count', () => {
    const tree = wide(500);
    const marks = createTree()(tree, { ...options, unfolded: new Set([0]), camera: { x: 0, y: 0, k: 0.02 } });
    const tails = Array.from({ length: marks.count }, (_, i) => i).filter((i) => marks.kind[i] === markKind.tail);
    expect(tails.length).toBeGreaterThan(1);
    expect(tails.reduce((sum, i) => sum + marks.hidden[i]!, 0)).toBe(500);
  });
});

const branch = (name: string, children: number) =>
  `${name} (${Array.from({ length: children }, (_, i) => `${name}-${i} 1`).join(' ')})`;

/** A root with so many children, each with so many, each with one. */
function bushy(children: number): LoadedTree {
  const below = (name: string) => Array.from({ length: children }, (_, i) => `${name}-${i} (${name}-${i}-0 1)`);
  return loadTree(
    sliceOf(`shop (${Array.from({ length: children }, (_, i) => `k${i} (${below(`k${i}`).join(' ')})`).join(' ')})`),
  );
}

/**
 * Height of the whole tree in lines, and the names in it: the camera is far enough out to show all, and near enough to
 * tell them apart.
 */
function drawn(tree: LoadedTree, more: Partial<LayoutOptions>): [number, string[]] {
  const marks = createTree()(tree, { ...options, ...more, camera: { x: 0, y: 0, k: 0.15 } });
  return [Math.round((marks.extent.height - 24) / 28), namesOf(marks, tree)];
}

const areaOf = (marks: Marks, i: number) => (marks.x1[i]! - marks.x0[i]!) * (marks.y1[i]! - marks.y0[i]!);
const deepest = (marks: Marks) => Math.max(...marks.level.subarray(0, marks.count));

function namesOf(marks: Marks, tree: LoadedTree): string[] {
  return Array.from({ length: marks.count }, (_, i) => i)
    .filter((i) => marks.kind[i] !== markKind.tail)
    .map((i) => tree.name(marks.row[i]!));
}

function markOf(marks: Marks, tree: LoadedTree, name: string): number {
  for (let i = 0; i < marks.count; i++) {
    if (marks.kind[i] !== markKind.tail && tree.name(marks.row[i]!) === name) return i;
  }
  throw new Error(`No mark of ${name}`);
}

/** The largest overlap of two marks in both directions at once. */
function overlap(marks: Marks): number {
  let widest = 0;
  for (let i = 0; i < marks.count; i++) {
    for (let j = i + 1; j < marks.count; j++) {
      const x = Math.min(marks.x1[i]!, marks.x1[j]!) - Math.max(marks.x0[i]!, marks.x0[j]!);
      const y = Math.min(marks.y1[i]!, marks.y1[j]!) - Math.max(marks.y0[i]!, marks.y0[j]!);
      widest = Math.max(widest, Math.min(x, y));
    }
  }
  return widest;
}

function childrenOf(marks: Marks, tree: LoadedTree, group: number) {
  const row = marks.row[group]!;
  return { nodes: tree.childCount[row], keywords: tree.childKeywords[row] };
}

/** Children with marks of their own and those behind other marks, if the whole group is inside the viewport. */
function childrenBehind(marks: Marks, tree: LoadedTree, group: number) {
  const own = marks.form !== 'links' ? [marks.hidden[group]!, marks.hiddenKeywords[group]!] : [0, 0];
  let [nodes, keywords] = [own[0]!, own[1]!];
  for (let i = group + 1; i < marks.count; i++) {
    if (marks.parent[i] !== group) continue;
    const isTail = marks.kind[i] === markKind.tail;
    nodes += isTail ? marks.hidden[i]! : 1;
    keywords += isTail ? marks.hiddenKeywords[i]! : tree.keywords[marks.row[i]!]!;
  }
  return { nodes, keywords };
}

describe('bubbles with little effort', () => {
  const names = (tree: LoadedTree, { count, row, kind }: Marks) =>
    Array.from({ length: count }, (_, i) => i)
      .filter((i) => kind[i] !== markKind.tail)
      .map((i) => tree.name(row[i]!))
      .sort();

  test('keep a branch closed until it is arranged, and open it in the next call', () => {
    const tree = shop();
    const draw = createBubbles();
    const first = draw(tree, { ...options, effort: 1 });
    expect(first.isUnfinished).toBe(true);
    expect(names(tree, first)).toEqual(['hats', 'shoes', 'shop', 'tail']);
    const second = draw(tree, { ...options, effort: 1 });
    expect(names(tree, second).length).toBeGreaterThan(4);
    expect(second.isUnfinished).toBe(true);
    const last = draw(tree, options);
    expect(last.isUnfinished).toBe(false);
    expect(names(tree, last)).toEqual(names(tree, createBubbles()(tree, options)));
  });

  test('keep the old packing of a branch until there is effort left for new children', () => {
    const whole = sliceOf('shop (shoes (walking 5 running 4 trail 2 road 1))');
    const tree = loadTree(partOf(whole, [0, 1, 2, 3]));
    const draw = createBubbles();
    draw(tree, options);
    tree.merge(whole);
    const before = draw(tree, { ...options, effort: 0 });
    expect(before.isUnfinished).toBe(true);
    expect(names(tree, before)).toEqual(['running', 'shoes', 'shop', 'walking']);
    expect(names(tree, draw(tree, options))).toContain('trail');
  });
});
