import { normalForm } from '@kc/pack/names/normal-form';

const letters = /\p{L}/gu;
const latinLetters = /\p{Script=Latin}/gu;

/** Whether more than half of the letters of a text are Latin. A text without letters counts as Latin. */
export function isLatin(text: string): boolean {
  const plain = normalForm(text, 'NFKC');
  const all = plain.match(letters)?.length ?? 0;
  return all === 0 || 2 * (plain.match(latinLetters)?.length ?? 0) > all;
}
