import { expect, test } from 'vitest';
import { withMetric } from '../../test/support/columns.ts';
import { tablesOf, treeOf } from '../../test/support/trees.ts';
import type { Tree } from './tree.ts';
import { buildTree } from './tree-builder.ts';

function nameOf(tree: Tree, node: number): string {
  const { names, nameStart, nameLength } = tree.tables.nodes;
  return new TextDecoder().decode(names.subarray(nameStart[node]!, nameStart[node]! + nameLength[node]!));
}

const inOrder = (tree: Tree) => Array.from(tree.order, (node) => nameOf(tree, node));

/** The roll-up row of the branch with this name. */
function branchNamed(tree: Tree, name: string): number {
  const node = [...tree.rowOf.keys()].find((candidate) => nameOf(tree, candidate) === name);
  return tree.rollUp.branch[node!]!;
}

test('rows are breadth first, siblings together, the heaviest first', () => {
  const tree = treeOf('shoes (running (sand 1 trail 30 road 20) walking 60 (slow 60) socks 0)');
  expect(inOrder(tree)).toEqual(['shoes', 'walking', 'running', 'socks', 'slow', 'trail', 'road', 'sand']);
});

test('siblings are sorted by volume, then by keywords, then by leaves, then in file order', () => {
  expect(inOrder(treeOf('r (a (b 1 c 1) d 3 (e 3)  f (g 1 h 2 i 0) j:cluster k:cluster (l:cluster))'))).toEqual([
    ...['r', 'f', 'd', 'a', 'j', 'k'],
    ...['h', 'g', 'i', 'e', 'b', 'c', 'l'],
  ]);
});

// Shows P10.5.
test('a leaf gets the metrics of the keyword with its text and keeps its own', () => {
  const tables = tablesOf('r (Trail 5 ROAD café)', '"trail" 90 "  road " 20 "CAFÉ" 7');
  const keywords = withMetric(tables.keywords, 'difficulty', [41, 42, 43]);
  const { own } = buildTree({ ...tables, keywords }, [1, 2]);
  expect([...own.volume!.subarray(1)]).toEqual([5, 20, 7]);
  expect([...own.difficulty!.subarray(1)]).toEqual([41, 42, 43]);
});

// Shows P10.8.
test('keywords that no node names are listed, heaviest first, and counted', () => {
  const tree = treeOf('r (a b)', 'a 1 x 2 y 9 z');
  expect([...tree.unplaced]).toEqual([2, 1, 3]);
  expect(tree.counts).toEqual({ nodes: 3, keywords: 4, distinct: 5, notInHierarchy: 3, merged: 0, depth: 1 });
});

test('an empty group is not a keyword, unless the keywords array names it', () => {
  const tree = treeOf('r (a:cluster b:cluster c:whatever d e:keyword)', 'b');
  expect([...tree.keyword].map((keyword) => keyword >= 0)).toEqual([false, false, true, true, true, true]);
  expect(tree.rollUp.keywords[0]).toBe(4);
  expect(tree.rollUp.leaves[0]).toBe(5);
});

// Shows P10.6.
test('a keyword that occurs twice under a branch counts once there, with its first values', () => {
  const tree = treeOf('r (a (x 10 y 1) b (X 99 z 2))');
  const { rollUp } = tree;
  expect([rollUp.keywords[0], rollUp.repeats[0], rollUp.volume!.sum[0]]).toEqual([3, 1, 13]);
  const b = branchNamed(tree, 'b');
  expect([rollUp.keywords[b], rollUp.repeats[b], rollUp.volume!.sum[b]]).toEqual([2, 0, 101]);
  expect([rollUp.childKeywords[0], rollUp.childVolume[0]]).toEqual([4, 112]);
});

// Shows P10.4.
test('unknown is not zero: it is not in any sum, mean or known count', () => {
  const tables = tablesOf('r (a 100 b c 300)');
  const nodes = withMetric(tables.nodes, 'difficulty', [Number.NaN, 10, 20, Number.NaN]);
  const { difficulty, volume, cpc } = buildTree({ ...tables, nodes }, [1, 2]).rollUp;
  expect([volume!.sum[0], volume!.known[0]]).toEqual([400, 2]);
  expect([difficulty!.sum[0], difficulty!.known[0]]).toEqual([30, 2]);
  expect([difficulty!.weighted[0], difficulty!.weight[0]]).toEqual([1000, 100]);
  expect(cpc).toBeUndefined();
});

test('the top keyword has the highest known volume; the first in the file wins a tie', () => {
  const tree = treeOf('r (a (x 5 y 9) b (z 9) c (u v))');
  expect(nameOf(tree, tree.rollUp.top[0]!)).toBe('y');
  expect(tree.rollUp.top[branchNamed(tree, 'c')]).toBe(-1);
});

test('intents are counted per keyword, with the number of keywords that have one', () => {
  const tables = tablesOf('r (a b c)');
  const nodes = withMetric(tables.nodes, 'intent', [0, 1, 1 | 8, 0]);
  const { intent } = buildTree({ ...tables, nodes }, [1, 2]).rollUp;
  expect([...intent!.counts, intent!.known[0]]).toEqual([2, 0, 0, 1, 2]);
});

test('node IDs do not depend on order, figures or the rest of the file', () => {
  const one = treeOf('r (a (x 1) b (x 2))');
  const other = treeOf('r:root (b (y 5 x 9) a 3 (x))');
  const addressOf = (tree: Tree, path: string) => {
    const node = [...tree.rowOf.keys()].find((candidate) => pathOf(tree, candidate) === path)!;
    return [...tree.address.slice(2 * node, 2 * node + 2)];
  };
  for (const path of ['r', 'r/a', 'r/a/x', 'r/b', 'r/b/x'])
    expect(addressOf(one, path)).toEqual(addressOf(other, path));
  expect(addressOf(one, 'r/a/x')).not.toEqual(addressOf(one, 'r/b/x'));
});

function pathOf(tree: Tree, node: number): string {
  const names = [nameOf(tree, node)];
  for (let at = node; at > 0; at = tree.tables.nodes.parent[at]!)
    names.unshift(nameOf(tree, tree.tables.nodes.parent[at]!));
  return names.join('/');
}

test('node IDs distinguish siblings of the same name, and ignore how a name is composed', () => {
  const tree = treeOf('r (x x x)');
  expect(new Set([1, 2, 3].map((node) => tree.address[2 * node])).size).toBe(3);
  expect(treeOf('r (caf\u00e9)').address).toEqual(treeOf('r (cafe\u0301)').address);
});

test('a tree 100,000 levels deep is built', () => {
  const levels = 100_000;
  const tables = tablesOf(`r ${'(x '.repeat(levels)}${')'.repeat(levels)}`);
  const tree = buildTree(tables, [1, 2]);
  expect(tree.counts.depth).toBe(levels);
  expect(tree.rollUp.keywords[0]).toBe(1);
  expect(tree.rollUp.leaves[0]).toBe(1);
});

test('a chain of 100,000 equal keywords counts one keyword and the rest as duplicates', () => {
  const levels = 100_000;
  const tree = treeOf(`r ${'(x:keyword 7 '.repeat(levels)}${')'.repeat(levels)}`);
  expect(tree.rollUp.keywords[0]).toBe(1);
  expect(tree.rollUp.repeats[0]).toBe(levels - 1);
  expect(tree.rollUp.volume!.sum[0]).toBe(7);
});
