import {
  type BranchColumn,
  type FieldColumn,
  noRow,
  type OptionalColumn,
  type PackField,
  type rowColumns,
} from '../format/pack-format.ts';
import { previousNodes } from '../tree/occurrences.ts';
import { type Categories, isWeight, type MeanSum, type Sum, type WeightedSum } from '../tree/sums.ts';
import type { RollUp, Tree } from '../tree/tree.ts';
import type { MetricName } from '../upload/upload-tables.ts';

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Writes the values of a column for some rows to the start of `target`. */
export type Fill = (target: Numbers, rows: Uint32Array) => void;

/** The values of a column for nodes, and for entries of the `keywords` array that no node names. */
export type ColumnValues = { readonly nodes: Fill; readonly entries: Fill };

type ValueColumn = Exclude<(typeof rowColumns)[number]['name'], 'name' | 'folded' | 'branch'> | FieldColumn;

/**
 * The values of the columns that belong to a single row; an optional column without known values is absent. 64-bit
 * columns take two numbers per row, low half first.
 *
 * Columns are filled by plain loops over arrays, with one call per block of rows instead of one per row.
 * Source: docs/pack-format.md.
 */
export function rowValues(tree: Tree): Partial<Record<ValueColumn, ColumnValues>> {
  const { rowOf, keyword, address, tables, fields } = tree;
  const { nodes, keywords } = tables;
  return {
    depth: { nodes: depths(tree), entries: always(0) },
    parent: { nodes: pickedTwice(rowOf, nodes.parent), entries: always(noRow) },
    type: { nodes: picked(nodes.type), entries: always(0) },
    address: { nodes: pairs(address), entries: pairsOf(0) },
    is_keyword: { nodes: isKeyword(keyword), entries: always(1) },
    ...((tree.rollUp.repeats[0] ?? 0) > 0 && { previous: { nodes: previousRows(tree), entries: always(noRow) } }),
    ...ownValues(tree),
    ...Object.fromEntries(
      fields.map(({ field, at }) => [
        `field:${field.name}`,
        field.kind === 'set'
          ? { nodes: askedPairs(at), entries: field.keywords ? pairs(field.keywords) : pairsOf(0) }
          : { nodes: asked(at), entries: field.keywords ? picked(field.keywords) : always(unknownOf(field)) },
      ]),
    ),
    node_start: { nodes: picked(nodes.byteStart), entries: always(0) },
    node_end: { nodes: picked(nodes.byteEnd), entries: always(0) },
    ...(keywords.rows > 0 && {
      keyword_start: { nodes: joined(tree, keywords.byteStart), entries: picked(keywords.byteStart) },
      keyword_end: { nodes: joined(tree, keywords.byteEnd), entries: picked(keywords.byteEnd) },
    }),
  };
}

/** The metadata of the fields in the upload. */
export function fieldsOf({ fields, rollUp }: Tree): PackField[] {
  return fields.map(({ field }, index): PackField => {
    const { name, kind } = field;
    if (kind === 'number') {
      const least = Math.min(minIn(field.nodes), minIn(field.keywords));
      const role = roleOf(fields, rollUp, index);
      return { name, kind, rollUp: field.rollUp, least: Number.isFinite(least) ? least : 0, ...(role && { role }) };
    }
    return { name, kind, values: field.values, counts: [...(rollUp.fields[index] as Categories).counts] };
  });
}

function roleOf(fields: Tree['fields'], rollUp: RollUp, index: number): 'weight' | 'weighed' | undefined {
  if (fields.findIndex(({ field }) => isWeight(field)) === index) return 'weight';
  const totals = rollUp.fields[index]!;
  return 'byImpressions' in totals ? 'weighed' : undefined;
}

/** Infinity if nothing is known. */
function minIn(column: Float64Array | undefined): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of column ?? []) if (value < least) least = value;
  return least;
}

/** The optional columns of this tree's pack, in order. */
export function optionalOf(tree: Tree, all: readonly OptionalColumn[]): OptionalColumn[] {
  const values = rowValues(tree);
  return all.filter((name) => values[name]);
}

function ownValues({ own, tables }: Tree): Partial<Record<ValueColumn, ColumnValues>> {
  const unknown = (name: MetricName) => (name === 'intent' ? 0 : Number.NaN);
  const both = (name: MetricName): ColumnValues | undefined => {
    const nodes = own[name];
    const entries = tables.keywords.metrics[name];
    if (!nodes && !entries) return undefined;
    return {
      nodes: nodes ? picked(nodes) : always(unknown(name)),
      entries: entries ? picked(entries) : always(unknown(name)),
    };
  };
  const columns: Partial<Record<ValueColumn, ColumnValues>> = {};
  for (const name of ['volume', 'difficulty', 'cpc', 'competition', 'position', 'intent'] as const) {
    const values = both(name);
    if (values) columns[`own_${name}`] = values;
  }
  return columns;
}

/**
 * The values of the columns that branches have; rows are branches in document order.
 *
 * @param firstChild the pack row of each branch's first child
 */
export function branchValues(
  { rollUp, rowOf, fields }: Tree,
  firstChild: Uint32Array,
): Record<BranchColumn, Fill> & { readonly [Name in FieldColumn | 'trend_known']?: Fill } {
  const { volume, difficulty, cpc, competition, position, intent } = rollUp;
  return {
    first_child: picked(firstChild),
    child_count: picked(rollUp.childCount),
    leaves: picked(rollUp.leaves),
    nodes: picked(rollUp.nodes),
    keywords: picked(rollUp.keywords),
    repeats: picked(rollUp.repeats),
    volume: volume ? sums(volume) : always(Number.NaN),
    volume_known: knownOf(volume),
    difficulty: means(difficulty),
    difficulty_weighted: weightedMeans(difficulty),
    difficulty_known: knownOf(difficulty),
    cpc: means(cpc),
    cpc_weighted: weightedMeans(cpc),
    cpc_known: knownOf(cpc),
    competition: means(competition),
    competition_known: knownOf(competition),
    position: meansByImpressions(position),
    position_known: knownOf(position),
    position_weighed: position?.byImpressions ? picked(position.byImpressions.weighed) : always(0),
    informational: intentsOf(intent, 0),
    navigational: intentsOf(intent, 1),
    commercial: intentsOf(intent, 2),
    transactional: intentsOf(intent, 3),
    intent_known: intent ? picked(intent.known) : always(0),
    top_keyword: topRows(rollUp, rowOf),
    child_keywords: picked(rollUp.childKeywords),
    child_volume: picked(rollUp.childVolume),
    ...(rollUp.trend && { trend_known: picked(rollUp.trend.known) }),
    ...Object.fromEntries(fields.flatMap(({ field }, index) => fieldTotals(field.name, rollUp.fields[index]!))),
  };
}

function fieldTotals(name: string, totals: MeanSum | Categories): [FieldColumn, Fill][] {
  const known: [FieldColumn, Fill] = [`known:${name}`, picked(totals.known)];
  if ('sum' in totals) {
    const { byImpressions } = totals;
    const weighed: [FieldColumn, Fill][] = byImpressions
      ? [
          [`mean:${name}`, meansByImpressions(totals)],
          [`weighed:${name}`, picked(byImpressions.weighed)],
        ]
      : [];
    return [[`sum:${name}`, sums(totals)], ...weighed, known];
  }
  return [[`top:${name}`, picked(totals.top)], [`top_count:${name}`, picked(totals.topCount)], known];
}

const unknownOf = ({ kind }: Pick<PackField, 'kind'>) => (kind === 'number' ? Number.NaN : 0);

/** Levels are contiguous rows, and rows ascend. */
function depths({ levels, rowOf }: Tree): Fill {
  return (target, nodes) => {
    let level = 0;
    for (let at = 0; at < nodes.length; at++) {
      const row = rowOf[nodes[at]!]!;
      while (level + 1 < levels.length && levels[level + 1]! <= row) level++;
      target[at] = level;
    }
  };
}

function asked(at: (node: number) => number): Fill {
  return (target, rows) => {
    for (let index = 0; index < rows.length; index++) target[index] = at(rows[index]!);
  };
}

function askedPairs(at: (node: number, half: 0 | 1) => number): Fill {
  return (target, rows) => {
    for (let index = 0; index < rows.length; index++) {
      target[2 * index] = at(rows[index]!, 0);
      target[2 * index + 1] = at(rows[index]!, 1);
    }
  };
}

function sums({ sum, known }: Sum): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = known[rows[at]!]! > 0 ? sum[rows[at]!]! : Number.NaN;
  };
}

function means(measure: Sum | undefined): Fill {
  if (!measure) return always(Number.NaN);
  const { sum, known } = measure;
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = sum[rows[at]!]! / known[rows[at]!]!;
  };
}

/** Weighted if any keyword has both a value and impressions, otherwise plain. */
function meansByImpressions(measure: MeanSum | undefined): Fill {
  if (!measure?.byImpressions) return means(measure);
  const { sum, known, byImpressions } = measure;
  const { weighted, weight, weighed } = byImpressions;
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = weighed[row]! > 0 ? weighted[row]! / weight[row]! : sum[row]! / known[row]!;
    }
  };
}

function weightedMeans(measure: WeightedSum | undefined): Fill {
  if (!measure) return always(Number.NaN);
  const { weighted, weight } = measure;
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      target[at] = weight[row]! > 0 ? weighted[row]! / weight[row]! : Number.NaN;
    }
  };
}

const knownOf = (measure: Sum | undefined): Fill => (measure ? picked(measure.known) : always(0));

function intentsOf(intent: RollUp['intent'], kind: number): Fill {
  if (!intent) return always(0);
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = intent.counts[4 * rows[at]! + kind]!;
  };
}

function topRows({ top }: RollUp, rowOf: Uint32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const node = top[rows[at]!]!;
      target[at] = node < 0 ? noRow : rowOf[node]!;
    }
  };
}

/** One loop per kind of column, because the compiler generates slow code for a loop that has seen several. */
function picked(column: Numbers): Fill {
  if (column instanceof Uint32Array) {
    return (target, rows) => {
      for (let at = 0; at < rows.length; at++) target[at] = column[rows[at]!]!;
    };
  }
  if (column instanceof Float64Array) {
    return (target, rows) => {
      for (let at = 0; at < rows.length; at++) target[at] = column[rows[at]!]!;
    };
  }
  if (column instanceof Float32Array) {
    return (target, rows) => {
      for (let at = 0; at < rows.length; at++) target[at] = column[rows[at]!]!;
    };
  }
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = column[rows[at]!]!;
  };
}

/** Values of a column at positions given by another column. */
function pickedTwice(column: Uint32Array, places: Uint32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = column[places[rows[at]!]!]!;
  };
}

function isKeyword(keyword: Int32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) target[at] = keyword[rows[at]!]! >= 0 ? 1 : 0;
  };
}

/** The rows of previous occurrences. Computed when the column is written, with 4 bytes per node and 4 per keyword. */
function previousRows({ keyword, entry, rowOf }: Tree): Fill {
  let before: Int32Array | undefined;
  return (target, rows) => {
    before ??= previousNodes(keyword, entry.length);
    for (let at = 0; at < rows.length; at++) {
      const node = before[rows[at]!]!;
      target[at] = node < 0 ? noRow : rowOf[node]!;
    }
  };
}

/** The value of the joined entry; 0 without one. */
function joined({ keyword, entry }: Tree, column: Uint32Array): Fill {
  return (target, rows) => {
    for (let at = 0; at < rows.length; at++) {
      const id = keyword[rows[at]!]!;
      target[at] = id < 0 || entry[id]! < 0 ? 0 : column[entry[id]!]!;
    }
  };
}

function always(value: number): Fill {
  return (target, rows) => {
    target.fill(value, 0, rows.length);
  };
}

function pairsOf(value: number): Fill {
  return (target, rows) => {
    target.fill(value, 0, 2 * rows.length);
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
