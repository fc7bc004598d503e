import { scoreTextIn } from '@kc/pack/score/score-name';
import { lazily } from '../../ui/lazily.ts';
import { exact, isKnown, unknown } from './numbers.ts';

/** A score with enough digits to compare it. */
export const writeScoreValue = (value: number | undefined): string => {
  if (!isKnown(value)) return unknown;
  return Math.abs(value) >= 100 ? exact(Math.round(value)) : digits().format(value);
};
const digits = lazily(() => new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }));

/** How a branch gets its score, as in the name of its field. */
export type RollUp = 'branch' | 'sum' | 'mean' | 'max';
export const rollUpOfScore = (fieldName: string): RollUp =>
  (scoreTextIn(fieldName)?.split('.', 1)[0] ?? 'branch') as RollUp;
