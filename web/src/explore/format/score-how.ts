// With the writer of formulas, so that the first screen does not load it.

import type { Expression, FormulaFigure } from '@kc/pack/formula/expression';
import { writeReadable } from '@kc/pack/formula/formula-text';
import { readScore, writeScore } from '@kc/pack/score/score';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { exact, isKnown, mean, money, type RollUp, rollUpOfScore, unknown } from './figure-text.ts';

/** A parsed score: its canonical text, and how the score of a row was computed. */
export type ReadScore = {
  readonly text: string;
  /** @param field the name under which the score is loaded, and for how many keywords of the row it is known */
  how(tree: LoadedTree, row: number, field: { readonly name: string; readonly known: number }): string;
};

/** Undefined for a text that is no score. The formula need not be in its canonical form. */
export function readScoreText(text: string): ReadScore | undefined {
  const score = readScore(text);
  if (!score) return undefined;
  return { text: writeScore(score), how: (tree, row, field) => scoreHow(tree, row, field, score.expression) };
}

const ofKeywords: Readonly<Record<Exclude<RollUp, 'branch'>, string>> = {
  sum: 'Sum',
  mean: 'Mean',
  max: 'Highest',
};

/**
 * How the score of a row was computed: "= 11,580 × (1 − 36.6 / 100)" from its own figures, or "Sum over 487 of 27,640
 * keywords; 27,153 unknown". A figure that is not loaded has its name.
 *
 * @param known for how many keywords of the row the score is known
 */
function scoreHow(
  tree: LoadedTree,
  row: number,
  score: { readonly name: string; readonly known: number },
  expression: Expression,
): string {
  const rollUp = rollUpOfScore(score.name);
  const keywords = tree.keywords[row]!;
  if (rollUp === 'branch' || tree.childCount[row] === 0)
    return sums(writeReadable(expression, (figure) => figureOf(tree, row, figure)));
  const rest = keywords - score.known;
  return `${ofKeywords[rollUp]} over ${exact(score.known)} of ${exact(keywords)} keywords${rest > 0 ? `; ${exact(rest)} unknown` : ''}`;
}

/** With the signs of arithmetic. */
const sums = (formula: string): string =>
  `= ${formula.replaceAll(' * ', ' × ').replaceAll(' - ', ' − ').replaceAll(' <= ', ' ≤ ').replaceAll(' >= ', ' ≥ ')}`;

/** The value of a figure as the table shows it; its name if it is not among the loaded columns. */
function figureOf(tree: LoadedTree, row: number, figure: FormulaFigure): string {
  const text = (value: number | undefined, write: (value: number | undefined) => string) =>
    isKnown(value) ? write(value) : unknown;
  switch (figure) {
    case 'keywords':
      return exact(tree.keywords[row]);
    case 'volume':
      return text(tree.volume[row], exact);
    case 'difficulty':
      return text(tree.difficulty[row], mean);
    case 'cpc':
      return text(tree.cpc[row], money);
    default:
      return figure.startsWith('field:') ? figure.slice('field:'.length) : figure;
  }
}
