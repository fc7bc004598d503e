/** The number of tests in a run. */
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
    /** In ms since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
};

/**
 * The counts of a run, from Vitest's JSON report. A file that fails outside its tests counts as one more failure. A run
 * without a report, or one that failed without a reported failure, counts as one failure.
 *
 * @param report the report's text, `undefined` if there is none
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

/** From the start of a file's first test to the end of its last, in ms; without imports and `beforeAll`. */
export type FileTime = { readonly file: string; readonly ms: number };

/**
 * @param report the text of Vitest's JSON report, `undefined` if there is none
 * @param root of the repository; file names are relative to it
 */
export function fileTimes(report: string | undefined, root: string): FileTime[] {
  if (report === undefined) return [];
  return (JSON.parse(report) as Report).testResults.map(({ name, startTime, endTime }) => ({
    file: name.replace(root, ''),
    ms: endTime - startTime,
  }));
}

/** A line for each of the slowest files, the slowest first. */
export const slowest = (times: readonly FileTime[], howMany: number): string[] =>
  [...times]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, howMany)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);

/** The last line of a test run. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
