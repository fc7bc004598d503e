import type { FormulaProblem } from '@kc/pack/formula/formula-problem';
import { textsOf } from '@kc/rules/catalogue';
import { scoreMessages } from '@kc/rules/score-messages';

export const { say: sayScore, sayRefusal: sayScoreRefusal } = textsOf(scoreMessages);

/** What is wrong with a formula, in one sentence. */
export function problemText({ kind, length, ...params }: FormulaProblem): string {
  return sayScoreRefusal({ code: `score/${kind}`, params: { ...params } });
}

/** Places in a text are characters; those of the browser are UTF-16 units. @param at from 1 */
export const unitsBefore = (text: string, at: number): number =>
  Array.from(text)
    .slice(0, at - 1)
    .join('').length;
