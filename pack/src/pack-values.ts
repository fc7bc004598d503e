import { type NumberColumn, noRow } from './pack-format.ts';
import type { OwnMetrics, RollUp, Sum, Tree, WeightedSum } from './tree.ts';

/** What a column holds for a node, or for an entry of the `keywords` array that no node names. */
export type RowValue = { readonly node: (node: number) => number; readonly entry: (entry: number) => number };

/** Columns of one number a row. Those of 64 bits are {@link wideValues}. */
export type PlainColumn = Exclude<NumberColumn, WideColumn>;
export type WideColumn = 'address' | 'node_start' | 'node_end' | 'keyword_start' | 'keyword_end';

/** The value of every column of one number a row. Source: docs/pack-format.md. */
export function plainValues(tree: Tree): Record<PlainColumn, RowValue> {
  return { ...placeValues(tree), ...ownValues(tree), ...rolledUpValues(tree) };
}

/** Both halves of the columns of 64 bits. */
export function wideValues(tree: Tree): Record<WideColumn, { readonly low: RowValue; readonly high: RowValue }> {
  const { nodes, keywords } = tree.tables;
  const joined = (column: Float64Array) => (node: number) => {
    const entry = tree.own.entry(node);
    return entry < 0 ? 0 : column[entry]!;
  };
  return {
    address: {
      low: { node: (node) => tree.address[2 * node]!, entry: () => 0 },
      high: { node: (node) => tree.address[2 * node + 1]!, entry: () => 0 },
    },
    node_start: halves({ node: (node) => nodes.byteStart[node]!, entry: () => 0 }),
    node_end: halves({ node: (node) => nodes.byteEnd[node]!, entry: () => 0 }),
    keyword_start: halves({ node: joined(keywords.byteStart), entry: (entry) => keywords.byteStart[entry]! }),
    keyword_end: halves({ node: joined(keywords.byteEnd), entry: (entry) => keywords.byteEnd[entry]! }),
  };
}

function placeValues(tree: Tree) {
  const { rowOf, childCount, depth, own } = tree;
  const { parent, type } = tree.tables.nodes;
  const firstChild = firstChildren(tree);
  return {
    parent: { node: (node: number) => rowOf[parent[node]!]!, entry: () => noRow },
    first_child: { node: (node: number) => firstChild[node]!, entry: () => noRow },
    child_count: { node: (node: number) => childCount[node]!, entry: () => 0 },
    depth: { node: (node: number) => depth[node]!, entry: () => 0 },
    type: { node: (node: number) => type[node]!, entry: () => 0 },
    is_keyword: { node: (node: number) => Number(own.isKeyword(node)), entry: () => 1 },
  };
}

/** Pack row of each node's first child: runs of children follow each other in the order of their parents. */
function firstChildren({ order, childCount }: Tree): Uint32Array {
  const first = new Uint32Array(order.length);
  let next = 1;
  for (const node of order) {
    first[node] = childCount[node] === 0 ? noRow : next;
    next += childCount[node]!;
  }
  return first;
}

function ownValues({ own, tables }: Tree) {
  const { metrics } = tables.keywords;
  return {
    own_volume: { node: own.volume, entry: (entry: number) => metrics.volume[entry]! },
    own_difficulty: { node: own.difficulty, entry: (entry: number) => metrics.difficulty[entry]! },
    own_cpc: { node: own.cpc, entry: (entry: number) => metrics.cpc[entry]! },
    own_competition: { node: own.competition, entry: (entry: number) => metrics.competition[entry]! },
    own_position: { node: own.position, entry: (entry: number) => metrics.position[entry]! },
    own_intent: { node: own.intent, entry: (entry: number) => metrics.intent[entry]! },
  };
}

function rolledUpValues(tree: Tree) {
  const { rollUp: totals, own, rowOf } = tree;
  const { metrics } = tree.tables.keywords;
  const rolled = (ofBranch: (branch: number) => number, ofLeaf: (node: number) => number) => (node: number) => {
    const branch = totals.branch[node]!;
    return branch >= 0 ? ofBranch(branch) : ofLeaf(node);
  };
  const none = () => 0;
  const measured = (of: keyof Omit<OwnMetrics, 'isKeyword' | 'entry' | 'intent'>) => ({
    leaf: (node: number) => (own.isKeyword(node) ? own[of](node) : Number.NaN),
    entry: (entry: number) => metrics[of][entry]!,
  });
  const known = (measure: Sum, of: keyof Omit<OwnMetrics, 'isKeyword' | 'entry' | 'intent'>): RowValue => {
    const { leaf, entry } = measured(of);
    return {
      node: rolled(
        (branch) => measure.known[branch]!,
        (node) => isKnown(leaf(node)),
      ),
      entry: (row) => isKnown(entry(row)),
    };
  };
  const mean = (measure: Sum, of: keyof Omit<OwnMetrics, 'isKeyword' | 'entry' | 'intent'>): RowValue => {
    const { leaf, entry } = measured(of);
    return { node: rolled((branch) => measure.sum[branch]! / measure.known[branch]!, leaf), entry };
  };
  const weighted = (measure: WeightedSum, of: 'difficulty' | 'cpc'): RowValue => {
    const one = measured(of);
    const volume = measured('volume');
    return {
      node: rolled(
        (branch) => weightedMean(measure, branch),
        (node) => (volume.leaf(node) > 0 ? one.leaf(node) : Number.NaN),
      ),
      entry: (entry) => (volume.entry(entry) > 0 ? one.entry(entry) : Number.NaN),
    };
  };
  const volume = measured('volume');
  return {
    leaves: {
      node: rolled(
        (branch) => totals.leaves[branch]!,
        () => 1,
      ),
      entry: none,
    },
    nodes: {
      node: rolled(
        (branch) => totals.nodes[branch]!,
        () => 1,
      ),
      entry: none,
    },
    keywords: {
      node: rolled(
        (branch) => totals.keywords[branch]!,
        (node) => Number(own.isKeyword(node)),
      ),
      entry: () => 1,
    },
    repeats: { node: rolled((branch) => totals.repeats[branch]!, none), entry: none },
    volume: {
      node: rolled(
        (branch) => (totals.volume.known[branch] === 0 ? Number.NaN : totals.volume.sum[branch]!),
        volume.leaf,
      ),
      entry: volume.entry,
    },
    volume_known: known(totals.volume, 'volume'),
    difficulty: mean(totals.difficulty, 'difficulty'),
    difficulty_weighted: weighted(totals.difficulty, 'difficulty'),
    difficulty_known: known(totals.difficulty, 'difficulty'),
    cpc: mean(totals.cpc, 'cpc'),
    cpc_weighted: weighted(totals.cpc, 'cpc'),
    cpc_known: known(totals.cpc, 'cpc'),
    competition: mean(totals.competition, 'competition'),
    competition_known: known(totals.competition, 'competition'),
    position: mean(totals.position, 'position'),
    position_known: known(totals.position, 'position'),
    ...intentValues(tree, rolled),
    top_keyword: {
      node: rolled(
        (branch) => (totals.top[branch]! < 0 ? noRow : rowOf[totals.top[branch]!]!),
        (node) => (Number.isNaN(volume.leaf(node)) ? noRow : rowOf[node]!),
      ),
      entry: () => noRow,
    },
    child_keywords: { node: rolled((branch) => totals.childKeywords[branch]!, none), entry: none },
    child_volume: { node: rolled((branch) => totals.childVolume[branch]!, none), entry: none },
  };
}

function intentValues(
  { own, rollUp: totals, tables }: Tree,
  rolled: (ofBranch: (branch: number) => number, ofLeaf: (node: number) => number) => (node: number) => number,
) {
  const ofEntry = tables.keywords.metrics.intent;
  const intents = (node: number) => (own.isKeyword(node) ? own.intent(node) : 0);
  const count = (kind: number): RowValue => ({
    node: rolled(
      (branch) => totals.intent[4 * branch + kind]!,
      (node) => (intents(node) >> kind) & 1,
    ),
    entry: (entry) => (ofEntry[entry]! >> kind) & 1,
  });
  return {
    informational: count(0),
    navigational: count(1),
    commercial: count(2),
    transactional: count(3),
    intent_known: {
      node: rolled(
        (branch: number) => totals.intentKnown[branch]!,
        (node: number) => Number(intents(node) !== 0),
      ),
      entry: (entry: number) => Number(ofEntry[entry] !== 0),
    },
  };
}

const isKnown = (value: number) => Number(!Number.isNaN(value));

function weightedMean({ weighted, weight }: RollUp['difficulty'], branch: number): number {
  return weight[branch]! > 0 ? weighted[branch]! / weight[branch]! : Number.NaN;
}

function halves(value: RowValue) {
  return {
    low: { node: (node: number) => value.node(node) >>> 0, entry: (entry: number) => value.entry(entry) >>> 0 },
    high: {
      node: (node: number) => Math.floor(value.node(node) / 2 ** 32),
      entry: (entry: number) => Math.floor(value.entry(entry) / 2 ** 32),
    },
  };
}
