import { type FieldKey, type Figures, fieldKey } from '../tree-data/figures.ts';
import { isKnown, unknown } from './numbers.ts';

/** How surely a cluster belongs together: the share of its keywords' similarity that stays inside, 0 to 100. */
export type Confidence = { readonly percent: number; readonly word: 'strong' | 'fair' | 'weak' };

const strongFrom = 80;
const fairFrom = 50;

export function confidenceOf(percent: number): Confidence {
  return { percent, word: percent >= strongFrom ? 'strong' : percent >= fairFrom ? 'fair' : 'weak' };
}

/** The words for a step of the legend, from the first number up to the second: "fair", "weak to fair". */
export function confidenceSpan({
  from,
  to,
}: {
  readonly from: number | undefined;
  readonly to: number | undefined;
}): string {
  const [first, last] = [confidenceOf(from ?? 0), confidenceOf(to === undefined ? 100 : Math.ceil(to) - 1)];
  return first.word === last.word ? first.word : `${first.word} to ${last.word}`;
}

/** What the words mean, for the legend. */
export const confidenceWords = `Strong from ${strongFrom} %, fair from ${fairFrom} %, weak below`;

/** Whether a field is the confidence that clustering gives to clusters, and not a figure of keywords with this name. */
export const isConfidence = (key: string, { rollUp }: Pick<Figures, 'rollUp'>): key is FieldKey =>
  key === fieldKey('confidence') && rollUp === 'own';

/** "66 %, fair"; "unknown" if it is. */
export function confidenceText(value: number): string {
  if (!isKnown(value)) return unknown;
  const { percent, word } = confidenceOf(Math.round(value));
  return `${percent} %, ${word}`;
}
