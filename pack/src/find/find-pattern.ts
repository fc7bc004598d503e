import type { Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hitKind, type TextFinder } from './find-fallback.ts';
import { foldedNames, foldedReader } from './folded-names.ts';
import { compilePattern, isProblem, type PatternProblem } from './name-pattern.ts';

/** A pattern that `compilePattern` refuses. Callers check patterns before they search. */
export class PatternError extends Error {
  readonly problem: PatternProblem;

  constructor(problem: PatternProblem) {
    super(`${problem.reason} at ${problem.at}`);
    this.name = 'PatternError';
    this.problem = problem;
  }
}

/** Names between two pauses: a few milliseconds for most patterns. */
const namesAtATime = 2 ** 10;

/**
 * Finds the names that match a regular expression, among `count` rows from `first` on.
 *
 * Cost: linear in the length of each name; about 2 µs for a name, and 7 µs more for one that matches.
 *
 * @throws PatternError
 */
export async function findPattern(
  pack: PackReader,
  { first, count }: { readonly first: number; readonly count: number },
  text: string,
  { find, pause }: { readonly find?: TextFinder | undefined; readonly pause: Pause },
): Promise<{ readonly kinds: Uint8Array; readonly total: number }> {
  const pattern = compilePattern(text);
  if (isProblem(pattern)) throw new PatternError(pattern);
  const nameOf = foldedReader(await foldedNames(pack, find));
  const kinds = new Uint8Array(count);
  let total = 0;
  for (let at = 0; at < count; at++) {
    if (at > 0 && at % namesAtATime === 0) await pause();
    const name = nameOf(first + at);
    if (!pattern.matches(name)) continue;
    kinds[at] = pattern.kindOf(name);
    total += Number(kinds[at] !== hitKind.none);
  }
  return { kinds, total };
}
