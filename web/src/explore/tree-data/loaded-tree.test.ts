import { membersOf } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { cutTo, loadTree, partOf, withFields, withRest } from '../../../test/support/tree.ts';
import { notLoaded } from './loaded-fields.ts';
import { LoadedTree } from './loaded-tree.ts';
import { rememberRows } from './slice-loader.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps, 6 trail, 7 road. */
const whole = sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4))');

/** All values of a tree, by node, so that row numbers do not matter. */
function saidBy(tree: LoadedTree) {
  const rows = Array.from({ length: tree.size }, (_, row) => row).sort((a, b) => tree.node[a]! - tree.node[b]!);
  const nodeOf = (row: number) => (row === -1 ? -1 : tree.node[row]!);
  return rows.map((row) => ({
    node: nodeOf(row),
    name: tree.name(row),
    parent: nodeOf(tree.parent[row]!),
    pillar: nodeOf(tree.pillarOf(row)),
    children: Array.from(tree.children(row), nodeOf),
    volume: tree.volume[row],
    address: tree.addressOf(row),
    tail: tree.tail(row),
  }));
}

test('slices merged in any order give the same tree', () => {
  const parts = [partOf(whole, [0, 1, 2]), partOf(whole, [1, 3, 4]), partOf(whole, [3, 6, 7]), partOf(whole, [2, 5])];
  const expected = saidBy(loadTree(whole));
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
    [1, 3, 0, 2],
  ]) {
    const tree = new LoadedTree();
    for (const i of order) tree.merge(parts[i]!);
    expect(saidBy(tree)).toEqual(expected);
  }
});

test('a slice may add rows before, between and after the loaded ones', () => {
  for (const nodes of [[0], [0, 2, 5], [0, 1, 3, 7], [0, 1, 2, 3, 4, 5]]) {
    const tree = loadTree(partOf(whole, nodes));
    tree.merge(whole);
    expect(saidBy(tree)).toEqual(saidBy(loadTree(whole)));
  }
});

test('an invisible character at the start of a name, U+FEFF, belongs to the name', () => {
  const { names, nameStart, ...rest } = sliceOf('shop (xxxshoes)');
  names.set([0xef, 0xbb, 0xbf], nameStart[1]);
  expect(loadTree({ ...rest, names, nameStart }).name(1)).toBe('\ufeffshoes');
});

test('a name that shows nothing is shown as a text, and is known as it is', () => {
  const { names, nameStart, ...rest } = sliceOf('shop (xxx)');
  names.set([0x20, 0x20, 0x20], nameStart[1]);
  const tree = loadTree({ ...rest, names, nameStart });
  expect([tree.name(1), tree.ownName(1)]).toEqual(['(blank)', '   ']);
  tree.showNames(new Map([[1, 'hats']]));
  expect([tree.name(1), tree.ownName(1)]).toEqual(['hats', 'hats']);
  tree.showNames(new Map());
  expect([tree.name(1), tree.ownName(1)]).toEqual(['(blank)', '   ']);
});

test('a slice that starts from a node that is not loaded waits for it', () => {
  const tree = new LoadedTree();
  tree.merge(partOf(whole, [3, 6, 7]));
  expect(tree.size).toBe(0);
  tree.merge(partOf(whole, [0, 1, 3]));
  expect(tree.size).toBe(5);
});

test('the tail is the sum of the children that are not loaded', () => {
  const tree = loadTree(partOf(whole, [0, 1, 4]));
  expect(tree.tail(tree.rowOf(0))).toEqual({ nodes: 1, keywords: 1, volume: 4, leaves: 1 });
  expect(tree.tail(tree.rowOf(1))).toEqual({ nodes: 1, keywords: 2, volume: 50, leaves: 2 });
  tree.merge(partOf(whole, [1, 3]));
  expect(tree.tail(tree.rowOf(1))).toEqual({ nodes: 0, keywords: 0, volume: 0, leaves: 0 });
});

test('an unknown volume adds nothing to the sums, and stays unknown', () => {
  const tree = loadTree(partOf(sliceOf('shop (shoes 10 hats gloves)'), [0, 1, 2]));
  expect(tree.volume[2]).toBeNaN();
  expect(tree.tail(0)).toEqual({ nodes: 1, keywords: 1, volume: 0, leaves: 1 });
});

test('the newest numbers win; equal ones change nothing', () => {
  const tree = loadTree(whole);
  const before = tree.version;
  tree.merge(whole);
  expect(tree.version).toBe(before);
  tree.merge({ ...whole, keywords: whole.keywords.map((count) => count + 1) });
  expect(tree.version).toBeGreaterThan(before);
  expect(tree.keywords[0]).toBe(whole.keywords[0]! + 1);
  expect(tree.size).toBe(whole.rows);
});

test('children keep the order of the pack, whichever arrived first', () => {
  const tree = loadTree(partOf(whole, [0, 2]));
  tree.merge(partOf(whole, [0, 1]));
  expect(Array.from(tree.children(0), (row) => tree.name(row))).toEqual(['shoes', 'hats']);
});

test('under a filter a branch keeps its position among its siblings when its own slice arrives', () => {
  const ranked = { ...whole, order: Uint32Array.of(0, 1, 0, 0, 1, 0, 0, 1) };
  const tree = loadTree(partOf(ranked, [0, 1, 2]));
  tree.merge({ ...partOf(ranked, [1, 3, 4]), order: Uint32Array.of(0, 0, 1) });
  tree.merge({ ...partOf(ranked, [4]), order: Uint32Array.of(0) });
  expect(Array.from(tree.children(0), (row) => tree.name(row))).toEqual(['hats', 'shoes']);
  expect(Array.from(tree.children(tree.rowOf(1)), (row) => tree.name(row))).toEqual(['running', 'walking']);
});

test('a node ID is 16 hex digits, high half first', () => {
  const tree = loadTree({ ...sliceOf('shop'), address: Uint32Array.of(0xab, 0x1) });
  expect(tree.addressOf(0)).toBe('000000ab00000001');
});

test('rows can be shown under other names until these are taken back', () => {
  const tree = loadTree(whole);
  const [hats, shoes] = Array.from(tree.children(0)).toSorted((a, b) => (tree.name(a) < tree.name(b) ? -1 : 1));
  const { version } = tree;
  expect(tree.showNames(new Map([[hats!, 'headwear']]))).toBe(true);
  expect([tree.name(hats!), tree.name(shoes!), tree.version]).toEqual(['headwear', 'shoes', version + 1]);
  expect([tree.touched(hats!), tree.touched(0)]).toEqual([version + 1, version + 1]);
  expect(tree.showNames(new Map([[hats!, 'headwear']]))).toBe(false);
  expect(tree.showNames(new Map())).toBe(true);
  expect(tree.name(hats!)).toBe('hats');
});

test('rows are found by node IDs', () => {
  const tree = loadTree({ ...sliceOf('shop (a b)'), address: Uint32Array.of(0, 1, 0xab, 2, 0xab, 3) });
  const values = new Map([
    ['000000ab00000003', 'x'],
    ['000000ab00000004', 'y'],
  ]);
  expect([...tree.rowsAt(values)].map(([row, of]) => [tree.name(row), of])).toEqual([['b', 'x']]);
});

test('a tree grows beyond its initial capacity', () => {
  const names = Array.from({ length: 9000 }, (_, i) => `keyword${i} 1`).join(' ');
  const tree = loadTree(partOf(sliceOf(`shop (${names})`), [0]));
  tree.merge(sliceOf(`shop (${names})`));
  expect(tree.size).toBe(9001);
  expect(tree.name(tree.rowOf(9000))).toBe('keyword8999');
  expect(tree.tail(0).nodes).toBe(0);
});

test('set fields are stored per row, as whole lists', () => {
  const tree = new LoadedTree();
  const values = ['', ...Array.from({ length: 64 }, (_, at) => `f${at + 1}`)];
  const lists = Array.from({ length: whole.rows }, (_, row) => [row + 1, 64 - row]);
  const slice = withFields(whole, { Features: { values, lists } });
  tree.merge(partOf(slice, [0, 1, 2]));
  tree.merge(slice);
  const field = tree.field('Features');
  if (field?.kind !== 'set') throw new Error('no set');
  for (let row = 0; row < tree.size; row++) {
    const at = tree.node[row]!;
    expect(membersOf(field, row)).toEqual([`f${at + 1}`, `f${64 - at}`]);
  }
  tree.merge(withFields(whole, { Features: { values, lists: lists.map((_, row) => (row === 1 ? [] : [7])) } }));
  expect([0, 1, 2].map((row) => membersOf(field, row))).toEqual([['f7'], [], ['f7']]);
});

test('a field that is not loaded differs from an unknown value', () => {
  const fields = {
    traffic: [9, 5, 4, 5, Number.NaN, 4, 3, 2],
    stage: { values: ['', 'early', 'late'], rows: [2, 1, 2, 1, 0, 2, 1, 1] },
  };
  const tree = loadTree(partOf(whole, [0, 1, 2]));
  expect(tree.field('traffic')).toBeUndefined();
  tree.merge(partOf(withFields(whole, fields), [1, 3, 4]));
  const traffic = tree.field('traffic')!;
  const at = (node: number) => traffic.known[tree.rowOf(node)];
  expect([at(0), at(1), at(2), at(3), at(4)]).toEqual([notLoaded, 1, notLoaded, 1, 0]);
  expect(tree.isWhole('traffic')).toBe(false);
  const { version } = tree;
  tree.merge(partOf(withFields(whole, fields), [0, 1, 2]));
  expect(tree.isWhole('traffic')).toBe(true);
  expect(tree.version).toBeGreaterThan(version);
  const stage = tree.field('stage');
  expect(stage?.kind === 'category' && stage.values[stage.value[tree.rowOf(3)]!]).toBe('early');
  tree.merge(partOf(whole, [2, 5]));
  expect(tree.isWhole('traffic')).toBe(false);
});

test('a tree that becomes another one has only its content, and old rows map to nodes in it', () => {
  const tree = loadTree(whole);
  const before = tree.version;
  const rows = rememberRows(tree);
  const row = (node: number) => Array.from(tree.node.subarray(0, tree.size)).indexOf(node);
  const [hats, walking, trail] = [row(2), row(4), row(6)];
  tree.become(loadTree(cutTo(whole, [0, 1, 2, 3, 6])));
  expect(tree.version).toBeGreaterThan(before);
  expect(saidBy(tree).map(({ name }) => name)).toEqual(['shop', 'shoes', 'hats', 'running', 'trail']);
  expect([tree.name(rows.exactly(hats)), tree.name(rows.exactly(trail))]).toEqual(['hats', 'trail']);
  expect([rows.exactly(walking), rows.exactly(-1), rows.nearest(-1)]).toEqual([-1, -1, -1]);
  expect(tree.name(rows.nearest(walking))).toBe('shoes');
  expect(rows.nodeOf(walking)).toBe(4);
});

test('a tree is complete when every child is loaded', () => {
  expect([loadTree(whole).isComplete, loadTree(partOf(whole, [0, 1])).isComplete]).toEqual([true, false]);
  expect(new LoadedTree().isComplete).toBe(false);
});

test('with excluded rows loaded as well, kept rows have filtered figures and the shape of the unfiltered tree', () => {
  const tree = new LoadedTree();
  // The filter keeps rows 0 shop, 2 hats and 5 caps.
  tree.merge(withRest(whole, [0, 2, 5]), whole);
  const rows = Array.from({ length: tree.size }, (_, row) => row);
  expect(rows.filter((row) => tree.isLeftOut(row)).map((row) => tree.name(row))).toEqual([
    'shoes',
    'running',
    'walking',
    'trail',
    'road',
  ]);
  expect([tree.keywords[0], tree.ofKeywords[0], tree.shape.keywords[0]]).toEqual([1, 4, 4]);
  expect(Array.from(tree.children(0), (row) => tree.name(row))).toEqual(['hats', 'shoes']);
  expect(Array.from(tree.shape.children(0), (row) => tree.name(row))).toEqual(['shoes', 'hats']);
  expect([tree.isComplete, tree.tail(1).nodes]).toEqual([true, 0]);
  tree.become(loadTree(cutTo(whole, [0, 2, 5])));
  expect(tree.shape).toBe(tree);
  expect([0, 1, 2].some((row) => tree.isLeftOut(row))).toBe(false);
});
