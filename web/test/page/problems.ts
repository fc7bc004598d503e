const found: string[] = [];
let expected: RegExp[] = [];

/**
 * Notes what fails the running test at its end: a console error or warning, or a call that no handler answers. Returns
 * whether the test expects it.
 */
export function noteProblem(problem: string): boolean {
  const isExpected = expected.some((pattern) => pattern.test(problem));
  if (!isExpected) found.push(problem);
  return isExpected;
}

/** Declares a problem that the running test provokes. */
export function expectProblem(pattern: RegExp): void {
  expected.push(pattern);
}

/** The problems since the last call. Forgets the expected ones. */
export function takeProblems(): string[] {
  expected = [];
  return found.splice(0);
}

for (const level of ['error', 'warn'] as const) {
  const print = console[level];
  console[level] = (...said: unknown[]) => {
    const [format, ...rest] = said.map((part) => (part instanceof Error ? (part.stack ?? String(part)) : String(part)));
    if (!noteProblem(`${level}: ${[format, ...rest].join(' ')}`)) print.apply(console, said);
  };
}
