import { addressNodes } from './addresses.ts';
import { type Children, childrenOf } from './children.ts';
import type { HashKey } from './distinct.ts';
import { joinKeywords, type KeywordJoin } from './keyword-join.ts';
import { rollUp } from './roll-up.ts';
import type { OwnMetrics, RollUp, Tree } from './tree.ts';
import type { UploadTables } from './upload-tables.ts';

/**
 * The uploaded hierarchy joined with its keywords, rolled up and put in the pack's order.
 *
 * The same tables give the same tree whatever the key is. No recursion, so any depth works.
 * Cost: a few passes over the nodes, one hash a name. The tables become the tree's: they are kept, not copied, and the
 * nodes' unknown metrics are filled in from their keywords.
 * Source: decisions §4 (3, 4, 9); docs/pack-format.md.
 *
 * @param key random, for the join only
 */
export function buildTree(tables: UploadTables, key: HashKey): Tree {
  const { parent } = tables.nodes;
  const children = childrenOf(parent);
  const childCount = children.count;
  const depth = measureDepth(parent);
  const join = joinKeywords(tables, (node) => childCount[node] === 0, key);
  const own = ownMetrics(tables, join);
  const totals = rollUp(parent, depth, childCount, join.keyword, join.entry.length, own);
  const address = addressNodes(tables.nodes, children);
  const { order, rowOf } = orderBreadthFirst(children, weigher(totals, own));
  return {
    tables,
    order,
    rowOf,
    childCount,
    depth,
    address,
    own,
    rollUp: totals,
    unplaced: heaviestFirst(join.unplaced, tables.keywords.metrics.volume),
    counts: {
      nodes: parent.length,
      keywords: tables.keywords.rows,
      distinct: join.entry.length,
      notInHierarchy: join.unplaced.length,
      depth: depth.reduce((deepest, level) => Math.max(deepest, level), 0),
    },
  };
}

function measureDepth(parent: Uint32Array): Uint32Array {
  const depth = new Uint32Array(parent.length);
  for (let node = 1; node < parent.length; node++) depth[node] = depth[parent[node]!]! + 1;
  return depth;
}

/** Flat columns, so that the many passes over them are plain loops; what a node does not say is filled in where it stands. */
function ownMetrics(tables: UploadTables, join: KeywordJoin): OwnMetrics {
  const mine = tables.nodes.metrics;
  const theirs = tables.keywords.metrics;
  const isKeyword = new Uint8Array(join.keyword.length);
  const entry = new Int32Array(join.keyword.length).fill(-1);
  for (let node = 0; node < entry.length; node++) {
    const keyword = join.keyword[node]!;
    if (keyword < 0) continue;
    isKeyword[node] = 1;
    entry[node] = join.entry[keyword]!;
    if (entry[node]! >= 0 && mine.intent[node] === 0) mine.intent[node] = theirs.intent[entry[node]!]!;
  }
  fillUnknown(mine.volume, theirs.volume, entry);
  fillUnknown(mine.difficulty, theirs.difficulty, entry);
  fillUnknown(mine.cpc, theirs.cpc, entry);
  fillUnknown(mine.competition, theirs.competition, entry);
  fillUnknown(mine.position, theirs.position, entry);
  return { ...mine, isKeyword, entry };
}

function fillUnknown<T extends Float64Array | Float32Array>(mine: T, theirs: T, entry: Int32Array): void {
  for (let node = 0; node < entry.length; node++) {
    if (entry[node]! >= 0 && Number.isNaN(mine[node]!)) mine[node] = theirs[entry[node]!]!;
  }
}

/** Compares siblings: known volume, then keywords, then leaves, the greater first; then document order. */
function weigher(totals: RollUp, own: OwnMetrics): (one: number, other: number) => number {
  const { branch } = totals;
  const keywords = (node: number) => (branch[node]! >= 0 ? totals.keywords[branch[node]!]! : own.isKeyword[node]!);
  const leaves = (node: number) => (branch[node]! >= 0 ? totals.leaves[branch[node]!]! : 1);
  const volume = (node: number) => {
    if (branch[node]! >= 0) return totals.volume.sum[branch[node]!]!;
    return own.isKeyword[node] === 1 ? own.volume[node]! || 0 : 0;
  };
  return (one, other) =>
    volume(other) - volume(one) || keywords(other) - keywords(one) || leaves(other) - leaves(one) || one - other;
}

/** Sorts the children where they stand. */
function orderBreadthFirst(
  { count, start, list }: Children,
  compare: (one: number, other: number) => number,
): { order: Uint32Array; rowOf: Uint32Array } {
  const order = new Uint32Array(count.length);
  const rowOf = new Uint32Array(count.length);
  let end = 1;
  for (let row = 0; row < order.length; row++) {
    const node = order[row]!;
    if (count[node] === 0) continue;
    const run = list.subarray(start[node]!, start[node]! + count[node]!);
    sortRun(run, compare);
    for (const child of run) {
      rowOf[child] = end;
      order[end++] = child;
    }
  }
  return { order, rowOf };
}

/** Files often list the heaviest first already; then nothing moves. */
function sortRun(run: Uint32Array, compare: (one: number, other: number) => number): void {
  for (let index = 1; index < run.length; index++) {
    if (compare(run[index - 1]!, run[index]!) > 0) {
      run.sort(compare);
      return;
    }
  }
}

function heaviestFirst(entries: Uint32Array, volume: Float64Array): Uint32Array {
  return entries.sort((one, other) => (volume[other]! || 0) - (volume[one]! || 0) || one - other);
}
