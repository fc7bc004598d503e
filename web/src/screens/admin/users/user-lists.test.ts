import type { ListedAccount } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { account } from '../../../../test/support/account.ts';
import { accountsOf, matching, nextSort, pendingCount } from './user-lists.ts';

const everybody = [
  account('denied@example.com', { status: 'denied' }),
  account('old@example.com', { createdAt: 1 }),
  account('new@example.com', { createdAt: 2, displayName: 'Nova' }),
  account('waiting@example.com', { status: 'pending' }),
  account('admin@example.com', { role: 'admin', createdAt: 3 }),
];
const emails = (accounts: readonly ListedAccount[]) => accounts.map((one) => one.email.split('@')[0]);

test('everybody stands pending first, then approved, then denied, the newest first', () => {
  expect(emails(accountsOf('all', everybody))).toEqual(['waiting', 'admin', 'new', 'old', 'denied']);
});

test('the other lists keep the people they name', () => {
  expect(emails(accountsOf('admins', everybody))).toEqual(['admin']);
  expect(emails(accountsOf('regular', everybody))).toEqual(['waiting', 'new', 'old', 'denied']);
  expect(emails(accountsOf('pending', everybody))).toEqual(['waiting']);
});

test.each([
  ['email', 'admin denied new old waiting'],
  ['status', 'waiting admin new old denied'],
  ['role', 'admin denied new old waiting'],
  ['created', 'denied waiting old new admin'],
] as const)('a list is sorted by %s, and the other way round', (by, order) => {
  const sorted = (descending: boolean) => emails(accountsOf('all', everybody, { by, descending })).join(' ');
  expect(sorted(false)).toBe(order);
  expect(sorted(true)).toBe(order.split(' ').reverse().join(' '));
});

test('a header asks for its order, then the other way round, then the usual one', () => {
  const up = nextSort(undefined, 'email');
  const down = nextSort(up, 'email');
  expect([up, down, nextSort(down, 'email')]).toEqual([
    { by: 'email', descending: false },
    { by: 'email', descending: true },
    undefined,
  ]);
  expect(nextSort(down, 'role')).toEqual({ by: 'role', descending: false });
});

test('the sample waits for nobody', () => {
  expect(pendingCount([...everybody, account('sample@example.com', { status: 'pending', isSample: true })])).toBe(1);
});

test('people are found by a part of their email or name, whatever the case', () => {
  expect(emails(matching(' NOV', everybody))).toEqual(['new']);
  expect(emails(matching('old@', everybody))).toEqual(['old']);
  expect(matching('  ', everybody)).toHaveLength(5);
});
