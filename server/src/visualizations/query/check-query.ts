import type { TextQuery } from '@kc/pack/find/text-query';
import { asError } from '../../http/refusals.ts';
import type { PackQueries } from './pack-queries.ts';

/**
 * Compiles regular expressions in the query thread, where nobody's request to the server waits for it.
 *
 * @throws the refusal of a regular expression that cannot be compiled, with the index of the first wrong character
 */
export async function checkQuery(
  packQueries: Pick<PackQueries, 'patternProblem'>,
  { mode, text }: TextQuery,
): Promise<void> {
  if (mode !== 'regex' || text === '') return;
  const problem = await packQueries.patternProblem({ pattern: text });
  if (problem) throw asError({ code: 'visualization/pattern-invalid', params: { ...problem } });
}
