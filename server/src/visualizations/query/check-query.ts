import { compilePattern, isProblem } from '@kc/pack/find/name-pattern';
import type { TextQuery } from '@kc/pack/find/text-query';
import { asError } from '../../http/refusals.ts';

/** @throws the refusal of a regular expression that cannot be compiled, with the index of the first wrong character */
export function checkQuery({ mode, text }: TextQuery): void {
  if (mode !== 'regex' || text === '') return;
  const compiled = compilePattern(text);
  if (isProblem(compiled)) throw asError({ code: 'visualization/pattern-invalid', params: { ...compiled } });
}
