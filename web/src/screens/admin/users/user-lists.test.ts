import type { ListedAccount } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { account } from '../../../../test/support/account.ts';
import { inTime } from '../../../api/in-time.ts';
import { matching } from '../../../ui/person-select.tsx';
import { accountsOf, loadUsers, nextSort, pendingCount, readAddress, writeAddress } from './user-lists.ts';

const everybody = [
  account('denied@example.com', { status: 'denied' }),
  account('old@example.com', { createdAt: 1 }),
  account('new@example.com', { createdAt: 2, displayName: 'Nova' }),
  account('waiting@example.com', { status: 'pending' }),
  account('admin@example.com', { role: 'admin', createdAt: 3 }),
];
const emails = (accounts: readonly ListedAccount[]) => accounts.map((one) => one.email.split('@')[0]);

test('users are sorted pending, approved, denied, and newest first within each', () => {
  expect(emails(accountsOf('all', everybody))).toEqual(['waiting', 'admin', 'new', 'old', 'denied']);
});

// Shows P7.1.
test('the other lists contain the users they name', () => {
  expect(emails(accountsOf('admins', everybody))).toEqual(['admin']);
  expect(emails(accountsOf('regular', everybody))).toEqual(['waiting', 'new', 'old', 'denied']);
  expect(emails(accountsOf('pending', everybody))).toEqual(['waiting']);
});

test.each([
  ['email', 'admin denied new old waiting'],
  ['status', 'waiting admin new old denied'],
  ['role', 'admin denied new old waiting'],
  ['created', 'denied waiting old new admin'],
] as const)('a list is sorted by %s, and in reverse', (by, order) => {
  const sorted = (descending: boolean) => emails(accountsOf('all', everybody, { by, descending })).join(' ');
  expect(sorted(false)).toBe(order);
  expect(sorted(true)).toBe(order.split(' ').reverse().join(' '));
});

test('a column header sorts ascending, then descending, then by default', () => {
  const up = nextSort(undefined, 'email');
  const down = nextSort(up, 'email');
  expect([up, down, nextSort(down, 'email')]).toEqual([
    { by: 'email', descending: false },
    { by: 'email', descending: true },
    undefined,
  ]);
  expect(nextSort(down, 'role')).toEqual({ by: 'role', descending: false });
});

test('the sample does not count as pending', () => {
  expect(pendingCount([...everybody, account('sample@example.com', { status: 'pending', isSample: true })])).toBe(1);
});

// Shows P7.5.
test('users are found by part of their email or name, ignoring case', () => {
  expect(emails(matching(' NOV', everybody))).toEqual(['new']);
  expect(emails(matching('old@', everybody))).toEqual(['old']);
  expect(matching('  ', everybody)).toHaveLength(5);
});

test('an address without parameters shows all users in the default order', () => {
  expect(readAddress({})).toEqual({ subTab: 'all', sort: undefined, text: '' });
  expect(writeAddress({ subTab: 'all', sort: undefined, text: '' })).toEqual({});
});

test.each([
  [{ list: 'pending' }, { subTab: 'pending', sort: undefined, text: '' }],
  [{ sort: 'email' }, { subTab: 'all', sort: { by: 'email', descending: false }, text: '' }],
  [
    { list: 'admins', sort: '-created', q: 'ann ' },
    { subTab: 'admins', sort: { by: 'created', descending: true }, text: 'ann ' },
  ],
  [{ list: 'create' }, { subTab: 'create', sort: undefined, text: '' }],
] as const)('%j is read and written', (parameters, address) => {
  expect(readAddress(parameters)).toEqual(address);
  expect(writeAddress(address)).toEqual(parameters);
});

test('invalid values fall back to the defaults', () => {
  const usual = readAddress({});
  for (const odd of [{ list: 'everyone' }, { list: '' }, { sort: 'age' }, { sort: '-' }, { sort: '--email' }]) {
    expect(readAddress(odd)).toEqual(usual);
  }
});

const someone = { id: 'u1' } as ListedAccount;

/** Runs a load whose calls get these responses in turn; returns the result and the pauses. */
async function load(...responses: readonly (ListedAccount[] | Error)[]) {
  const pauses: number[] = [];
  const left = [...responses];
  const list = async () => {
    const response = left.shift();
    if (response instanceof Error || !response) throw response;
    return response;
  };
  const result = await loadUsers(list, async (ms) => void pauses.push(ms)).catch((error: Error) => error.message);
  return { result, pauses };
}

// Shows P7.7.
test('a list that loads is requested once, after half a second', async () => {
  expect(await load([someone])).toEqual({ result: [someone], pauses: [500] });
});

test('an empty and a failed response are retried a second later', async () => {
  expect(await load([], new Error('down'), [someone])).toEqual({ result: [someone], pauses: [500, 1000, 1000] });
});

test('REL-33 a list that nobody answers is asked for once', async () => {
  const givenUp: Error = await inTime(1, undefined, (signal) => {
    return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }).catch((error: Error) => error);
  expect(await load(givenUp, [someone])).toEqual({ result: 'fault/unavailable', pauses: [500] });
});

// Shows P7.7.
test('after two retries the last response is used, whatever it is', async () => {
  expect(await load([], [], [])).toEqual({ result: [], pauses: [500, 1000, 1000] });
  const down = new Error('down');
  expect(await load(down, down, down)).toEqual({ result: 'down', pauses: [500, 1000, 1000] });
});
