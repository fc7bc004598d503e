import { intents } from '../format/figures.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import {
  evaluatorOf,
  type FormulaColumn,
  type FormulaColumns,
  type IntentWeights,
  weightsOf,
} from '../formula/evaluate-formula.ts';
import { type Expression, type FormulaFigure, figuresIn, partsOf } from '../formula/expression.ts';
import { writeFormula } from '../formula/formula-text.ts';
import { wordCounts } from '../match/count-words.ts';
import { growthOf } from '../match/growth.ts';
import type { View } from '../sums/filtered-pack.ts';
import { bestKeywords, sumKept } from '../sums/kept-sums.ts';
import { type KeptTree, wholeTree } from '../sums/kept-tree.ts';
import type { RollUps } from '../sums/roll-ups.ts';
import { placeOf } from './file-figures.ts';
import { type Score, writeScore } from './score.ts';

/** The rows to score, of a pack or a filtered one. */
type ScoredRows = {
  readonly pack: View;
  readonly rows: Uint32Array;
  /** The roll-ups of the rows. */
  readonly totals: RollUps;
  readonly pause: Pause;
};

/**
 * The score of some rows; NaN if unknown, and for a node without keywords.
 *
 * A row without children has the score of its own figures, whatever the roll-up.
 *
 * @param value the array to write to, with one element per row
 */
export async function rowScores(
  scored: ScoredRows,
  score: Score,
  value: Float64Array = new Float64Array(scored.rows.length),
): Promise<Float64Array> {
  const { rows, totals } = scored;
  evaluatorOf(score.expression, await totalColumns(scored, score.expression))(0, rows.length, value);
  if (score.rollUp !== 'branch') await overBranches(scored, score as KeywordRollUp, 'value', value);
  for (const at of await totals.empty()) value[at] = Number.NaN;
  return value;
}

/**
 * The number of distinct keywords of each row for which the score is known. A score of the branch's own figures is known for as
 * many keywords as its least known figure; `ifUnknown` is known for as many as the better known of its two arguments.
 *
 * @param value from {@link rowScores}
 */
export async function knownScores(scored: ScoredRows, score: Score, value: Float64Array): Promise<Uint32Array> {
  const { rows, totals } = scored;
  const keywords = (await totals.column('keywords')) as Uint32Array;
  const known = Uint32Array.from(await knownIn(scored, score.expression, keywords));
  if (score.rollUp !== 'branch') await overBranches(scored, score as KeywordRollUp, 'known', known);
  // A value may be known although no figure is: `0 and volume`.
  for (let at = 0; at < rows.length; at++) known[at] = Number.isNaN(value[at]) ? 0 : Math.max(1, known[at]!);
  return known;
}

/** Replaces the values of rows with children by roll-ups of the scores of their keywords. */
async function overBranches(
  { pack, rows, pause }: ScoredRows,
  score: KeywordRollUp,
  column: 'value' | 'known',
  values: Float64Array | Uint32Array,
): Promise<void> {
  const branches = await pack.branchesOf(rows);
  if (!branches.some((branch) => branch !== noRow)) return;
  const of = (await branchScores(pack, score, pause))[column];
  for (let at = 0; at < rows.length; at++) if (branches[at] !== noRow) values[at] = of[branches[at]!]!;
}

async function totalColumns(scored: ScoredRows, expression: Expression): Promise<FormulaColumns> {
  const columns = new Map<string, FormulaColumn>();
  const visit = async (one: Expression): Promise<void> => {
    for (const part of partsOf(one)) await visit(part);
    if (one.kind !== 'figure' && one.kind !== 'knownShare' && one.kind !== 'intentWeight') return;
    const key = keyOf(one);
    if (!columns.has(key)) columns.set(key, { kind: 'numbers', numbers: await totalsOf(scored, one) });
  };
  await visit(expression);
  return {
    figure: (figure) => columns.get(keyOf({ kind: 'figure', figure }))!,
    knownShare: (figure) => columns.get(keyOf({ kind: 'knownShare', figure }))!,
    intentWeight: (weights) => columns.get(`weights ${weights.join(' ')}`)!,
  };
}

type Read = Expression & { readonly kind: 'figure' | 'knownShare' | 'intentWeight' };

const keyOf = (read: Read): string =>
  read.kind === 'intentWeight' ? `weights ${weightsOf(read.weights).join(' ')}` : writeFormula(read);

async function totalsOf(scored: ScoredRows, read: Read): Promise<ArrayLike<number>> {
  if (read.kind === 'figure') return figureTotals(scored, read.figure);
  if (read.kind === 'knownShare') return knownShares(scored, read.figure);
  return intentWeights(scored, read);
}

/** The values of a figure, or the number of keywords of each row for which it is known. */
async function figureTotals(
  scored: ScoredRows,
  figure: FormulaFigure,
  wanted: 'value' | 'known' = 'value',
): Promise<ArrayLike<number>> {
  const { pack, rows, totals } = scored;
  const place = placeOf(figure, pack.metadata);
  switch (place.kind) {
    case 'none':
      return wanted === 'value' ? new Float64Array(rows.length).fill(Number.NaN) : new Uint32Array(rows.length);
    case 'keywords':
      return totals.column('keywords');
    case 'level':
      return wanted === 'value' ? pack.gather('depth', rows) : totals.column('keywords');
    case 'growth':
    case 'words':
      return meanTotals(scored, figure, wanted);
    case 'metric':
      return totals.column(wanted === 'value' ? place.metric : `${place.metric}_known`);
    case 'field':
      return (await totals.field(place.field))[wanted] as ArrayLike<number>;
    case 'intent': {
      const known = await totals.column('intent_known');
      if (wanted === 'known') return known;
      return Float64Array.from(await totals.column(place.intent), (count, at) => count / known[at]!);
    }
  }
}

/** A figure that has no branch columns. The value of a branch is the mean over its keywords. */
async function meanTotals(
  scored: ScoredRows,
  figure: FormulaFigure,
  wanted: 'value' | 'known',
): Promise<ArrayLike<number>> {
  const { pack, rows, pause } = scored;
  const column = await keywordColumn(pack.whole, figure, pause);
  const isKeyword = await pack.gather('is_keyword', rows);
  const own = column.kind === 'numbers' ? column.numbers : undefined;
  const value = Float64Array.from(rows, (row, at) => (isKeyword[at] === 1 && own ? own[row]! : Number.NaN));
  const values = wanted === 'value' ? value : value.map((one) => Number(!Number.isNaN(one)));
  await overBranches(scored, { rollUp: 'mean', expression: { kind: 'figure', figure } }, wanted, values);
  return values;
}

/** The mean over the keywords with a known intent. */
async function intentWeights(scored: ScoredRows, read: Read & { kind: 'intentWeight' }): Promise<Float64Array> {
  const { pack, rows, totals } = scored;
  const weights = weightsOf(read.weights);
  const value = new Float64Array(rows.length).fill(Number.NaN);
  const of = await Promise.all(intents.map((intent) => totals.column(intent)));
  // This is right for single keywords. A branch needs the mean of the keywords' weights instead, so its value is replaced below.
  for (let at = 0; at < rows.length; at++) {
    let [sum, count] = [0, 0];
    for (let intent = 0; intent < of.length; intent++) {
      sum += of[intent]![at]! * weights[intent]!;
      count += of[intent]![at]!;
    }
    value[at] = sum / count;
  }
  await overBranches({ ...scored, pack }, { rollUp: 'mean', expression: read }, 'value', value);
  return value;
}

/**
 * The known share of a figure: the share of the volume whose keywords have a known value. If the volume is known for less than half of the
 * keywords or is zero, the share of the keywords.
 */
async function knownShares(scored: ScoredRows, figure: FormulaFigure): Promise<Float64Array> {
  const { rows, totals } = scored;
  const [keywords, volume, volumeKnown] = [
    await totals.column('keywords'),
    await totals.column('volume'),
    await totals.column('volume_known'),
  ];
  const known = await figureTotals(scored, figure, 'known');
  const covered = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) covered[at] = known[at]! > 0 ? volume[at]! : 0;
  await overBranches(scored, { rollUp: 'sum', expression: coveredVolume(figure) }, 'value', covered);
  return Float64Array.from(keywords, (count, at) => {
    const isByVolume = volumeKnown[at]! * 2 >= count && volume[at]! > 0;
    return isByVolume ? covered[at]! / volume[at]! : known[at]! / count;
  });
}

/** The volume of a keyword if a figure is known for it. */
function coveredVolume(figure: FormulaFigure): Expression {
  const zero: Expression = { kind: 'number', value: 0 };
  const volume: Expression = { kind: 'figure', figure: 'volume' };
  const isKnown: Expression = { kind: 'call', name: 'isKnown', args: [{ kind: 'figure', figure }] };
  return { kind: 'call', name: 'if', args: [isKnown, { kind: 'call', name: 'ifUnknown', args: [volume, zero] }, zero] };
}

/** By row; see {@link knownScores}. */
async function knownIn(scored: ScoredRows, expression: Expression, keywords: Uint32Array): Promise<ArrayLike<number>> {
  if (expression.kind === 'figure') return figureTotals(scored, expression.figure, 'known');
  if (expression.kind === 'intentWeight') return scored.totals.column('intent_known');
  const parts: ArrayLike<number>[] = [];
  for (const part of partsOf(expression)) parts.push(await knownIn(scored, part, keywords));
  const isCall = expression.kind === 'call';
  if (parts.length === 0 || (isCall && expression.name === 'isKnown')) return keywords;
  const pick = isCall && expression.name === 'ifUnknown' ? Math.max : Math.min;
  return keywords.map((_, at) => parts.reduce((count, part) => pick(count, part[at]!), parts[0]![at]!));
}

/** By branch: the score computed from those of its distinct keywords, NaN if none is known, and the number of known ones. */
type BranchScores = { readonly value: Float64Array; readonly known: Uint32Array };

/** A score whose values for branches are computed from those of their keywords. */
type KeywordRollUp = Score & { readonly rollUp: Exclude<Score['rollUp'], 'branch'> };

/**
 * Scores are cached with the pack, or with the filtered pack, by their canonical text: 12 bytes per branch
 * each.
 *
 * Cost: a pass over the nodes for the formula, and one over what the filter keeps.
 */
function branchScores(pack: View, score: KeywordRollUp, pause: Pause): Promise<BranchScores> {
  return ofBranches(pack, { score, pause });
}

const ofBranches = oncePerPack(
  (pack: View, { score, pause }: { readonly score: KeywordRollUp; readonly pause: Pause }) =>
    rollUp(pack, score, pause),
  { nameOf: ({ score }) => writeScore(score), sizeOf: ({ value, known }) => value.byteLength + known.byteLength },
);

async function rollUp(pack: View, score: KeywordRollUp, pause: Pause): Promise<BranchScores> {
  const tree = 'kept' in pack ? pack.kept : await wholeTree(pack, pause);
  const scores = await keywordScores(tree.pack, score.expression, pause);
  const { sum, known } = await sumKept(tree, scores, pause);
  if (score.rollUp === 'max') return { value: await highest(tree, scores, pause), known };
  const isSum = score.rollUp === 'sum';
  const value = sum.map((total, branch) => (known[branch] === 0 ? Number.NaN : isSum ? total : total / known[branch]!));
  return { value, known };
}

/**
 * By branch: the greatest known value of its distinct keywords. A keyword has the value of its first occurrence in the branch.
 *
 * A repeat counts only below the branch that also contains an earlier occurrence. So repeats are left out at first, and
 * each is then added to the branches in which it is the first.
 */
async function highest(tree: KeptTree, values: Float64Array, pause: Pause): Promise<Float64Array> {
  const { pack, branches, repeats } = tree;
  const { starts } = branches;
  const firsts = repeats.rows.length > 0 ? values.slice() : values;
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) firsts[repeats.rows[index]!] = Number.NaN;
  });
  const best = await bestKeywords(tree, firsts, () => false, pause);
  const maxima = Float64Array.from(best, (row) => (row === noRow ? Number.NaN : firsts[row]!));
  const parent = await pack.column('parent');
  await eachPiece(repeats.rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      const row = repeats.rows[index]!;
      const until = repeats.branch[index]!;
      let at = starts[row] === starts[row + 1] ? parent[row]! : row;
      for (let branch = starts[at]!; branch !== until; branch = starts[at]!) {
        maxima[branch] = better(maxima[branch]!, values[row]!);
        at = parent[at]!;
      }
    }
  });
  return maxima;
}

/** The greater of two values; NaN only if both are. */
const better = (one: number, other: number): number => (other > one || Number.isNaN(one) ? other : one);

/**
 * The score of every keyword node from its own figures, by row; NaN for other nodes and where it is unknown.
 *
 * Cached with the pack by the canonical text of the formula: 8 bytes per node.
 */
export function keywordScores(pack: PackReader, expression: Expression, pause: Pause): Promise<Float64Array> {
  return ofKeywords(pack, { expression, pause });
}

const ofKeywords = oncePerPack(
  (pack: PackReader, { expression, pause }: { readonly expression: Expression; readonly pause: Pause }) =>
    computeScores(pack, expression, pause),
  { nameOf: ({ expression }) => writeFormula(expression), sizeOf: ({ byteLength }) => byteLength },
);

async function computeScores(pack: PackReader, expression: Expression, pause: Pause): Promise<Float64Array> {
  await pause();
  const evaluate = evaluatorOf(expression, await keywordColumns(pack, expression, pause));
  const isKeyword = await pack.column('is_keyword');
  const scores = new Float64Array(pack.metadata.nodes);
  await eachPiece(scores.length, pause, (from, end) => {
    evaluate(from, end, scores.subarray(from, end));
    for (let row = from; row < end; row++) if (isKeyword[row] === 0) scores[row] = Number.NaN;
  });
  return scores;
}

const unknown: FormulaColumn = { kind: 'same', number: Number.NaN };

/** The own values of all nodes for the figures of a formula. */
async function keywordColumns(pack: PackReader, expression: Expression, pause: Pause): Promise<FormulaColumns> {
  const columns = new Map<FormulaFigure, FormulaColumn>();
  for (const figure of figuresIn(expression)) columns.set(figure, await keywordColumn(pack, figure, pause));
  const bits = await pack.column('own_intent');
  return {
    figure: (figure) => columns.get(figure)!,
    knownShare: (figure) => knownColumn(columns.get(figure)!),
    intentWeight: (weights) => (bits ? { kind: 'table', indexes: bits, table: intentTable(weights) } : unknown),
  };
}

/** The own values of all nodes for a figure. */
async function keywordColumn(pack: PackReader, figure: FormulaFigure, pause: Pause): Promise<FormulaColumn> {
  const place = placeOf(figure, pack.metadata);
  switch (place.kind) {
    case 'none':
      return unknown;
    case 'keywords':
      return { kind: 'same', number: 1 };
    case 'level':
      return { kind: 'numbers', numbers: await pack.column('depth') };
    case 'growth': {
      const growth = await growthOf(pack, { pause });
      return growth ? { kind: 'numbers', numbers: growth } : unknown;
    }
    case 'words':
      return { kind: 'numbers', numbers: await wordCounts(pack, { pause }) };
    case 'metric':
      return { kind: 'numbers', numbers: (await pack.column(`own_${place.metric}`))! };
    case 'field':
      return { kind: 'numbers', numbers: (await pack.column(`field:${place.field.name}`))! };
    case 'intent':
      return { kind: 'table', indexes: (await pack.column('own_intent'))!, table: hasIntent(place.bit) };
  }
}

/** By the bits of `own_intent`: 1 with this intent, 0 with others only, NaN without any. */
function hasIntent(bit: number): Float64Array {
  const table = new Float64Array(256).fill(Number.NaN);
  for (let bits = 1; bits < 16; bits++) table[bits] = (bits >> bit) & 1;
  return table;
}

/** By the bits of `own_intent`: the mean weight of the intents, NaN without any. */
function intentTable(weights: IntentWeights): Float64Array {
  const table = new Float64Array(256).fill(Number.NaN);
  for (let bits = 1; bits < 16; bits++) {
    const chosen = weights.filter((_, at) => (bits & (1 << at)) !== 0);
    table[bits] = chosen.reduce((sum, weight) => sum + weight, 0) / chosen.length;
  }
  return table;
}

/** 1 where a column is known, 0 elsewhere. */
function knownColumn(column: FormulaColumn): FormulaColumn {
  if (column.kind === 'same') return { kind: 'same', number: Number(!Number.isNaN(column.number)) };
  if (column.kind === 'numbers')
    return { kind: 'numbers', numbers: Float64Array.from(column.numbers, (value) => Number(!Number.isNaN(value))) };
  return { ...column, table: column.table.map((value) => Number(!Number.isNaN(value))) };
}
