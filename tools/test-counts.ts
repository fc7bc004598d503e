/** How many tests a run had. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const noTests: Counts = { passed: 0, failed: 0, skipped: 0 };

export const sum = (counts: readonly Counts[]): Counts =>
  counts.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    noTests,
  );

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      /** Of a test that passed: what its first try said. */
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/**
 * The counts of a run from Vitest's JSON report. A file that fails before or beside its tests counts as one failure
 * more; a run that left no report, or said that it failed while its report has no failure, as one failure.
 *
 * @param report the report's text, `undefined` when there is none
 */
export function countTests(report: string | undefined, runPassed: boolean): Counts {
  if (report === undefined) return { ...noTests, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report) as Report;
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const failed = numFailedTests + brokenFiles;
  return {
    passed: numPassedTests,
    failed: failed === 0 && !runPassed ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  };
}

/**
 * The tests that failed and then passed, a line each: file, name and what the first try said. They do not fail a run; each
 * is a race to be mended all the same.
 *
 * @param report the text of Vitest's JSON report, `undefined` when there is none
 * @param root of the repository, which the files are named from
 */
export function secondTries(report: string | undefined, root: string): string[] {
  if (report === undefined) return [];
  return (JSON.parse(report) as Report).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ status, fullName, failureMessages: [first] }) => {
      if (status !== 'passed' || first === undefined) return [];
      const [line] = first.split('\n');
      return [`${name.replace(root, '')}: ${fullName}: ${line}`];
    }),
  );
}

/** The last line of a test run. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
