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

/** Vitest's JSON report, as far as it is used here. */
export type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileResult[];
};

type FileResult = {
  readonly name: string;
  readonly status: string;
  /** In ms since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
};

/**
 * The counts of a run. A file that fails outside its tests counts as one more failure. A run without a report, or one
 * that failed without a reported failure, counts as one failure.
 *
 * @param report `undefined` if there is none
 */
export function countTests(report: Report | undefined, runPassed: boolean): Counts {
  if (report === undefined) return { ...noTests, failed: 1 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report;
  const failed = numFailedTests + testResults.filter(failedOutsideTests).length;
  return {
    passed: numPassedTests,
    failed: failed === 0 && !runPassed ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  };
}

const failedOutsideTests = (file: FileResult) =>
  file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed');

/**
 * A line for each failed test, and for each file that failed outside its tests.
 *
 * @param root of the repository; file names are relative to it
 */
export const failedTests = (report: Report | undefined, root: string): string[] =>
  (report?.testResults ?? []).flatMap((file) => {
    const name = file.name.replace(root, '');
    if (failedOutsideTests(file)) return [name];
    return file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${name} > ${fullName}`);
  });

/** How long a part of a run took, in ms. */
export type Time = { readonly name: string; readonly ms: number };

/**
 * Of each file, from the start of its first test to the end of its last; without imports and `beforeAll`.
 *
 * @param report `undefined` if there is none
 * @param root of the repository; file names are relative to it
 */
export const fileTimes = (report: Report | undefined, root: string): Time[] =>
  (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: name.replace(root, ''),
    ms: endTime - startTime,
  }));

/** The slowest first. */
export const slowest = (times: readonly Time[], howMany: number): Time[] =>
  [...times].sort((a, b) => b.ms - a.ms).slice(0, howMany);

/** A line for each time. */
export const timeLines = (times: readonly Time[]): string =>
  times.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`).join('\n');

/** The last line of a test run. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
