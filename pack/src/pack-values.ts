import { type NumberColumn, noRow } from './pack-format.ts';
import type { OwnMetrics, Sum, Tree, WeightedSum } from './tree.ts';
import type { MetricColumns } from './upload-tables.ts';

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Writes a column's values for some rows to the front of `target`. */
type Fill = (target: Numbers, rows: Uint32Array) => void;

/** A column for nodes, and for entries of the `keywords` array that no node names. */
export type ColumnValues = { readonly nodes: Fill; readonly entries: Fill };

/**
 * The values of every column of numbers. Columns of 64 bits take two numbers a row, low half first.
 *
 * A column is filled by plain loops over arrays, one call a block of rows; leaves, most of a tree, never cost a call
 * each, which would be more than all the rest.
 * Source: docs/pack-format.md.
 */
export function columnValues(tree: Tree): Record<NumberColumn, ColumnValues> {
  return { ...placeValues(tree), ...ownValues(tree), ...rolledUpValues(tree), ...wideValues(tree) };
}

function placeValues(tree: Tree) {
  const { rowOf, childCount, depth, own } = tree;
  const { parent, type } = tree.tables.nodes;
  return {
    parent: { nodes: pickedTwice(rowOf, parent), entries: always(noRow) },
    first_child: { nodes: picked(firstChildren(tree)), entries: always(noRow) },
    child_count: { nodes: picked(childCount), entries: always(0) },
    depth: { nodes: picked(depth), entries: always(0) },
    type: { nodes: picked(type), entries: always(0) },
    is_keyword: { nodes: picked(own.isKeyword), entries: always(1) },
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
  const both = (of: keyof MetricColumns) => ({ nodes: picked(own[of]), entries: picked(metrics[of]) });
  return {
    own_volume: both('volume'),
    own_difficulty: both('difficulty'),
    own_cpc: both('cpc'),
    own_competition: both('competition'),
    own_position: both('position'),
    own_intent: both('intent'),
  };
}

function rolledUpValues(tree: Tree) {
  const { rollUp: totals, own, rowOf, tables } = tree;
  const leaf = singleValues(own);
  const entry = singleValues({
    ...tables.keywords.metrics,
    isKeyword: new Uint8Array(tables.keywords.rows).fill(1),
  });
  const over = (below: Fill, ofBranch: (branch: number) => number): Fill =>
    branchesOver(below, totals.branch, ofBranch);
  const rolled = (of: keyof typeof leaf, ofBranch: (branch: number) => number) => ({
    nodes: over(leaf[of], ofBranch),
    entries: entry[of],
  });
  const intents = (kind: number) => (branch: number) => totals.intent[4 * branch + kind]!;
  return {
    leaves: { nodes: over(always(1), (branch) => totals.leaves[branch]!), entries: always(0) },
    nodes: { nodes: over(always(1), (branch) => totals.nodes[branch]!), entries: always(0) },
    keywords: { nodes: over(picked(own.isKeyword), (branch) => totals.keywords[branch]!), entries: always(1) },
    repeats: { nodes: over(always(0), (branch) => totals.repeats[branch]!), entries: always(0) },
    volume: rolled('volume', (branch) => (totals.volume.known[branch] === 0 ? Number.NaN : totals.volume.sum[branch]!)),
    volume_known: rolled('volume_known', (branch) => totals.volume.known[branch]!),
    difficulty: rolled('difficulty', mean(totals.difficulty)),
    difficulty_weighted: rolled('difficulty_weighted', weightedMean(totals.difficulty)),
    difficulty_known: rolled('difficulty_known', (branch) => totals.difficulty.known[branch]!),
    cpc: rolled('cpc', mean(totals.cpc)),
    cpc_weighted: rolled('cpc_weighted', weightedMean(totals.cpc)),
    cpc_known: rolled('cpc_known', (branch) => totals.cpc.known[branch]!),
    competition: rolled('competition', mean(totals.competition)),
    competition_known: rolled('competition_known', (branch) => totals.competition.known[branch]!),
    position: rolled('position', mean(totals.position)),
    position_known: rolled('position_known', (branch) => totals.position.known[branch]!),
    informational: rolled('informational', intents(0)),
    navigational: rolled('navigational', intents(1)),
    commercial: rolled('commercial', intents(2)),
    transactional: rolled('transactional', intents(3)),
    intent_known: rolled('intent_known', (branch) => totals.intentKnown[branch]!),
    top_keyword: {
      nodes: over(ownRow(own, rowOf), (branch) => (totals.top[branch]! < 0 ? noRow : rowOf[totals.top[branch]!]!)),
      entries: always(noRow),
    },
    child_keywords: { nodes: over(always(0), (branch) => totals.childKeywords[branch]!), entries: always(0) },
    child_volume: { nodes: over(always(0), (branch) => totals.childVolume[branch]!), entries: always(0) },
  };
}

type Single = MetricColumns & { readonly isKeyword: Uint8Array };

/** Roll-ups of rows with nothing below them. */
function singleValues(of: Single) {
  return {
    volume: known(of, of.volume),
    volume_known: isKnown(of, of.volume),
    difficulty: known(of, of.difficulty),
    difficulty_weighted: weighted(of, of.difficulty),
    difficulty_known: isKnown(of, of.difficulty),
    cpc: known(of, of.cpc),
    cpc_weighted: weighted(of, of.cpc),
    cpc_known: isKnown(of, of.cpc),
    competition: known(of, of.competition),
    competition_known: isKnown(of, of.competition),
    position: known(of, of.position),
    position_known: isKnown(of, of.position),
    informational: hasIntent(of, 1),
    navigational: hasIntent(of, 2),
    commercial: hasIntent(of, 4),
    transactional: hasIntent(of, 8),
    intent_known: hasIntent(of, 15),
  };
}

function known({ isKeyword }: Single, column: Float64Array | Float32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = isKeyword[row] === 1 ? column[row]! : Number.NaN;
    }
  };
}

function isKnown({ isKeyword }: Single, column: Float64Array | Float32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = isKeyword[row] === 1 && !Number.isNaN(column[row]!) ? 1 : 0;
    }
  };
}

/** The mean of one value is that value, unless it weighs nothing. */
function weighted({ isKeyword, volume }: Single, column: Float32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = isKeyword[row] === 1 && volume[row]! > 0 ? column[row]! : Number.NaN;
    }
  };
}

function hasIntent({ isKeyword, intent }: Single, bits: number): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = isKeyword[row] === 1 && (intent[row]! & bits) !== 0 ? 1 : 0;
    }
  };
}

/** A keyword whose volume is known is its own top keyword. */
function ownRow({ isKeyword, volume }: OwnMetrics, rowOf: Uint32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = isKeyword[row] === 1 && !Number.isNaN(volume[row]!) ? rowOf[row]! : noRow;
    }
  };
}

/** `below` for leaves, `ofBranch` for the rest. */
function branchesOver(below: Fill, branchOf: Int32Array, ofBranch: (branch: number) => number): Fill {
  return (target, rows) => {
    below(target, rows);
    for (let at = 0; at < rows.length; at++) {
      const branch = branchOf[rows[at]!]!;
      if (branch >= 0) target[at] = ofBranch(branch);
    }
  };
}

function mean({ sum, known }: Sum): (branch: number) => number {
  return (branch) => sum[branch]! / known[branch]!;
}

function weightedMean({ weighted, weight }: WeightedSum): (branch: number) => number {
  return (branch) => (weight[branch]! > 0 ? weighted[branch]! / weight[branch]! : Number.NaN);
}

function picked(column: Numbers): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = column[rows[at]!]!;
  };
}

/** A column at places that another column has. */
function pickedTwice(column: Uint32Array, places: Uint32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = column[places[rows[at]!]!]!;
  };
}

function always(value: number): Fill {
  return (target, rows) => {
    target.fill(value, 0, rows.length);
  };
}

/** Columns of 64 bits. */
function wideValues({ tables, own, address }: Tree) {
  const { nodes, keywords } = tables;
  const none: Fill = (target, rows) => {
    target.fill(0, 0, 2 * rows.length);
  };
  return {
    address: { nodes: pairs(address), entries: none },
    node_start: { nodes: halves(nodes.byteStart), entries: none },
    node_end: { nodes: halves(nodes.byteEnd), entries: none },
    keyword_start: { nodes: joinedHalves(own, keywords.byteStart), entries: halves(keywords.byteStart) },
    keyword_end: { nodes: joinedHalves(own, keywords.byteEnd), entries: halves(keywords.byteEnd) },
  };
}

function pairs(column: Uint32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      target[2 * at] = column[2 * rows[at]!]!;
      target[2 * at + 1] = column[2 * rows[at]! + 1]!;
    }
  };
}

function halves(column: Float64Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) writeHalves(target, at, column[rows[at]!]!);
  };
}

/** What the joined entry has; 0 without one. */
function joinedHalves({ entry }: OwnMetrics, column: Float64Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const joined = entry[rows[at]!]!;
      writeHalves(target, at, joined < 0 ? 0 : column[joined]!);
    }
  };
}

function writeHalves(target: Numbers, at: number, value: number): void {
  target[2 * at] = value >>> 0;
  target[2 * at + 1] = Math.floor(value / 2 ** 32);
}
