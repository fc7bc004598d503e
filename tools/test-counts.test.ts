import { expect, test } from 'vitest';
import { countTests, secondTries, sum, summary } from './test-counts.ts';

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

test('a run without a report, and one that failed beside its tests, is a failure', () => {
  expect(countTests(undefined, true).failed).toBe(1);
  expect(countTests(report({ numPassedTests: 3 }), false)).toEqual({ passed: 3, failed: 1, skipped: 0 });
});

test('a test that passed on its second try is named with what its first one said', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'opens', failureMessages: [] },
    { status: 'passed', fullName: 'signs in', failureMessages: ['TimeoutError: no button\n    at line 3'] },
    { status: 'failed', fullName: 'signs out', failureMessages: ['Error: still here', 'Error: still here'] },
  ];
  const testResults = [{ name: '/home/ann/kc/e2e/login.spec.ts', status: 'failed', assertionResults }];
  const lines = ['e2e/login.spec.ts: signs in: TimeoutError: no button'];
  expect(secondTries(report({ testResults }), '/home/ann/kc/')).toEqual(lines);
  expect(secondTries(undefined, '/home/ann/kc/')).toEqual([]);
});

test('the last line names skipped tests only where there are some', () => {
  const run = { passed: 2, failed: 0, skipped: 0 };
  expect(summary(sum([run, run]))).toBe('4 passed, 0 failed');
  expect(summary(sum([run, { passed: 0, failed: 1, skipped: 3 }]))).toBe('2 passed, 1 failed, 3 skipped');
});
