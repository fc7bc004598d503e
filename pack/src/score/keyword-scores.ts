import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import {
  evaluatorOf,
  type FormulaColumn,
  type FormulaColumns,
  type IntentWeights,
} from '../formula/evaluate-formula.ts';
import { type Expression, type FormulaFigure, figuresIn } from '../formula/expression.ts';
import { writeFormula } from '../formula/formula-text.ts';
import { wordCounts } from '../match/count-words.ts';
import { growthOf } from '../match/growth.ts';
import { placeOf } from './file-figures.ts';

/**
 * The score of every keyword node from its own figures, by row; NaN for other nodes and where it is unknown.
 *
 * Cached with the pack by the canonical text of the formula: 8 bytes per node.
 */
export function keywordScores(pack: PackReader, expression: Expression, pause: Pause): Promise<Float64Array> {
  return scoresOfPack(pack, { expression, pause });
}

const scoresOfPack = oncePerPack(
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
export async function keywordColumn(pack: PackReader, figure: FormulaFigure, pause: Pause): Promise<FormulaColumn> {
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
