import { expect, test } from 'vitest';
import { countTests, fileTimes, slowest, sum, summary } from './test-counts.ts';

const report = (changes: object) =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    ...changes,
  });

test('passed, failed and skipped tests are those of the report', () => {
  const text = report({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
  expect(countTests(text, false)).toEqual({ passed: 5, failed: 2, skipped: 2 });
});

test('a file that fails without a failed test counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  const text = report({ numPassedTests: 1, numFailedTests: 1, testResults });
  expect(countTests(text, false)).toEqual({ passed: 1, failed: 2, skipped: 0 });
});

test('a missing report, or a failure outside the tests, counts as a failure', () => {
  expect(countTests(undefined, true).failed).toBe(1);
  expect(countTests(report({ numPassedTests: 3 }), false)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('the slowest files are listed by path, the slowest first', () => {
  const testResults = [
    { name: '/home/ann/kc/e2e/login.spec.ts', startTime: 1_000, endTime: 2_250 },
    { name: '/home/ann/kc/pack/src/tree.test.ts', startTime: 0, endTime: 90_000 },
    { name: '/home/ann/kc/rules/src/access.test.ts', startTime: 500, endTime: 510 },
  ];
  const times = fileTimes(report({ testResults }), '/home/ann/kc/');
  expect(slowest(times, 2)).toEqual(['   90.0 s  pack/src/tree.test.ts', '    1.3 s  e2e/login.spec.ts']);
  expect(fileTimes(undefined, '/home/ann/kc/')).toEqual([]);
});

test('the last line mentions skipped tests only if there are any', () => {
  const run = { passed: 2, failed: 0, skipped: 0 };
  expect(summary(sum([run, run]))).toBe('4 passed, 0 failed');
  expect(summary(sum([run, { passed: 0, failed: 1, skipped: 3 }]))).toBe('2 passed, 1 failed, 3 skipped');
});
