import type { ListedAccount } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { accountsOf, matching, pendingCount } from './user-lists.ts';

const account = (email: string, change: Partial<ListedAccount> = {}): ListedAccount => ({
  id: email,
  uniqueId: email,
  email,
  displayName: '',
  role: 'user',
  status: 'approved',
  createdAt: 0,
  updatedAt: 0,
  createdBy: 'system',
  isYou: false,
  isPrimaryAdmin: false,
  isSample: false,
  presence: 'offline',
  ...change,
});

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

test('the sample waits for nobody', () => {
  expect(pendingCount([...everybody, account('sample@example.com', { status: 'pending', isSample: true })])).toBe(1);
});

test('people are found by a part of their email or name, whatever the case', () => {
  expect(emails(matching(' NOV', everybody))).toEqual(['new']);
  expect(emails(matching('old@', everybody))).toEqual(['old']);
  expect(matching('  ', everybody)).toHaveLength(5);
});
