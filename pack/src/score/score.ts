import type { Expression } from '../formula/expression.ts';
import type { FormulaProblem } from '../formula/formula-problem.ts';
import { writeFormula } from '../formula/formula-text.ts';
import { type FileFigures, parseFormula } from '../formula/parse-formula.ts';
import { scoreTextIn } from './score-name.ts';

/**
 * How a branch gets its score: from its own figures, or as the sum, mean or highest of the scores of its distinct
 * keywords. A single keyword has the same score in all four ways.
 */
export const scoreRollUps = ['branch', 'sum', 'mean', 'max'] as const;
export type ScoreRollUp = (typeof scoreRollUps)[number];

/** A figure that a user defines by a formula. */
export type Score = { readonly rollUp: ScoreRollUp; readonly expression: Expression };

/** The text of a score in links, such as `branch.volume*(1-difficulty/100)`: equal scores have equal texts. */
export const writeScore = ({ rollUp, expression }: Score): string => `${rollUp}.${writeFormula(expression)}`;

type CheckedScore =
  | { readonly ok: true; readonly score: Score }
  | { readonly ok: false; readonly problem: FormulaProblem };

/** Undefined for an invalid text. The formula need not be in canonical form. */
export function readScore(text: string): Score | undefined {
  const checked = checkText(text);
  return checked.ok ? checked.score : undefined;
}

/**
 * Reads a score, or says what is wrong with it. Positions in a problem count characters of the formula, without the roll-up.
 *
 * @param file refuses figures that this file lacks
 */
export function checkText(text: string, file?: FileFigures): CheckedScore {
  const at = text.indexOf('.');
  const rollUp = scoreRollUps.find((one) => one === text.slice(0, Math.max(0, at)));
  if (!rollUp) return { ok: false, problem: { kind: 'unexpected', at: 1, length: 1, text: Array.from(text)[0] ?? '' } };
  const parsed = parseFormula(text.slice(at + 1), file);
  return parsed.ok ? { ok: true, score: { rollUp, expression: parsed.expression } } : parsed;
}

/** The score that a field stands for, if its name is in canonical form; undefined for other names. */
export function scoreOfField(name: string): Score | undefined {
  const text = scoreTextIn(name);
  const score = text === undefined ? undefined : readScore(text);
  return score && writeScore(score) === text ? score : undefined;
}
