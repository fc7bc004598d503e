import { expect, test } from 'vitest';
import { countTests, failedTests, fileTimes, type Report, slowest, sum, summary, timeLines } from './test-counts.ts';

const root = '/home/ann/kc/';
const report = (changes: Partial<Report>): Report => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...changes,
});
const file = (
  name: string,
  statuses: readonly string[],
  status = statuses.includes('failed') ? 'failed' : 'passed',
) => ({
  name: root + name,
  status,
  startTime: 0,
  endTime: 10,
  assertionResults: statuses.map((result, at) => ({ status: result, fullName: `test ${at + 1}` })),
});

test('passed, failed and skipped tests are those of the report', () => {
  const run = report({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
  expect(countTests(run, false)).toEqual({ passed: 5, failed: 2, skipped: 2 });
});

test('a file that fails without a failed test counts as a failure', () => {
  const testResults = [file('a.test.ts', [], 'failed'), file('b.test.ts', ['failed']), file('c.test.ts', ['passed'])];
  const run = report({ numPassedTests: 1, numFailedTests: 1, testResults });
  expect(countTests(run, false)).toEqual({ passed: 1, failed: 2, skipped: 0 });
});

test('a missing report, or a failure outside the tests, counts as a failure', () => {
  expect(countTests(undefined, true).failed).toBe(1);
  expect(countTests(report({ numPassedTests: 3 }), false)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('failed tests, and files that failed outside them, are listed by path', () => {
  const run = report({
    testResults: [
      file('e2e/a.spec.ts', ['passed', 'failed', 'failed']),
      file('e2e/b.spec.ts', ['passed']),
      file('e2e/c.spec.ts', [], 'failed'),
    ],
  });
  expect(failedTests(run, root)).toEqual(['e2e/a.spec.ts > test 2', 'e2e/a.spec.ts > test 3', 'e2e/c.spec.ts']);
  expect(failedTests(undefined, root)).toEqual([]);
});

test('the slowest files are listed by path, the slowest first', () => {
  const testResults = [
    { ...file('e2e/first-use.spec.ts', []), startTime: 1_000, endTime: 2_250 },
    { ...file('pack/src/tree.test.ts', []), startTime: 0, endTime: 90_000 },
    { ...file('rules/src/access.test.ts', []), startTime: 500, endTime: 510 },
  ];
  const times = fileTimes(report({ testResults }), root);
  expect(timeLines(slowest(times, 2))).toBe('   90.0 s  pack/src/tree.test.ts\n    1.3 s  e2e/first-use.spec.ts');
  expect(fileTimes(undefined, root)).toEqual([]);
});

test('the last line mentions skipped tests only if there are any', () => {
  const run = { passed: 2, failed: 0, skipped: 0 };
  expect(summary(sum([run, run]))).toBe('4 passed, 0 failed');
  expect(summary(sum([run, { passed: 0, failed: 1, skipped: 3 }]))).toBe('2 passed, 1 failed, 3 skipped');
});
