import { expect, test } from 'vitest';
import { googleFailures, readGoogleOutcome, readGoogleReport } from './google.ts';
import { messages } from './messages.ts';

const report = { type: 'kc-google', nonce: 'n1' };

test('the page receives whether the sign-in succeeded, or why it failed', () => {
  expect(readGoogleReport(report, 'n1')).toBe('signed-in');
  expect(readGoogleReport({ ...report, failure: 'sign-up/closed' }, 'n1')).toBe('sign-up/closed');
  expect(readGoogleReport({ ...report, failure: 'cancelled' }, 'n1')).toBe('cancelled');
});

test.each([
  ['about another window', { ...report, nonce: 'n2' }],
  ['without a nonce', { type: 'kc-google' }],
  ['with a list for a nonce', { ...report, nonce: ['n1'] }],
  ['of another type', { ...report, type: 'kc-other' }],
  ['that is a text', JSON.stringify(report)],
  ['that is nothing', null],
  ['that is absent', undefined],
])('T22 a message %s is ignored', (_name, message) => {
  expect(readGoogleReport(message, 'n1')).toBeUndefined();
});

test.each(['<img src=x>', 'sign-in/success', 'account/deleted', 'toString', 5, {}])(
  'T22 a report with the unknown failure %j shows the general message',
  (failure) => {
    expect(readGoogleReport({ ...report, failure }, 'n1')).toBe('google/failed');
  },
);

test('a redirect returns with its outcome', () => {
  expect(readGoogleOutcome('done')).toBe('signed-in');
  expect(readGoogleOutcome('cancelled')).toBe('cancelled');
  for (const code of googleFailures) expect(readGoogleOutcome(code)).toBe(code);
});

test.each(['', 'Call 555 now', 'sign-in/success', 'upload/succeeded', '__proto__'])(
  'T53 %j in the address is not shown',
  (text) => {
    expect(readGoogleOutcome(text)).toBe('google/failed');
  },
);

test('every failure has a text without parameters', () => {
  for (const code of googleFailures) expect(typeof messages[code]).toBe('string');
});
