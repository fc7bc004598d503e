/** What is wrong with a regular expression, by the reason of a `PatternProblem` of `pack/src/find/name-pattern.ts`. */
const reasons: Readonly<Record<string, string>> = {
  'unclosed-group': 'this parenthesis is never closed',
  'unopened-group': 'this parenthesis was never opened',
  'unclosed-class': 'this bracket is never closed',
  'bad-class': 'this range or class of characters does not exist',
  'nothing-to-repeat': 'there is nothing to repeat before this sign',
  'bad-repeat': 'this repetition cannot be done',
  'bad-escape': 'this backslash escapes nothing known',
  'too-long': 'it is longer than 200 characters',
  'too-large': 'it is too large. Use smaller repetitions',
};

/** The end of a sentence that names the position. Every reason that is not listed is an unsupported construct. */
export const patternReason = (reason: string): string => reasons[reason] ?? 'this sign is not supported';
