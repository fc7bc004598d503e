import type { Session } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { type ApprovalStorage, cachedApproval, rememberApproval, sessionState } from './approval.ts';

function storageOf(items: Record<string, string> = {}): ApprovalStorage & { readonly items: Map<string, string> } {
  const stored = new Map(Object.entries(items));
  return {
    items: stored,
    get length() {
      return stored.size;
    },
    key: (index) => [...stored.keys()][index] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  };
}

const server = { version: '1', google: false, supportEmail: '' };
const session = (id: string, isAdmin: boolean) =>
  ({
    isAuthenticated: true,
    status: 'approved',
    isAdmin,
    shouldRedirect: false,
    account: { id },
    server,
  }) as Session;
const signedOut: Session = { isAuthenticated: false, isAdmin: false, shouldRedirect: true, server };

const now = 1_000_000;
const fiveMinutes = 300_000;
const record = (changes: object = {}) => JSON.stringify({ approved: true, admin: true, timestamp: now, ...changes });

test('the server’s approval is stored under the user’s ID, with its time', () => {
  const storage = storageOf();
  rememberApproval(storage, session('p1', false), now);
  expect(JSON.parse(storage.getItem('kc-approval-p1') ?? '')).toEqual({ approved: true, admin: false, timestamp: now });
  expect(cachedApproval(storage, now + fiveMinutes - 1)).toEqual({ approved: true, admin: false });
});

// Shows P18.9.
test('it is valid for five minutes', () => {
  const storage = storageOf({ 'kc-approval-p1': record() });
  expect(cachedApproval(storage, now + fiveMinutes)).toBeUndefined();
});

test('signing out removes it, and so does another user who signs in', () => {
  const storage = storageOf({ theme: 'dark' });
  rememberApproval(storage, session('p1', true), now);
  rememberApproval(storage, session('p2', false), now);
  expect([...storage.items.keys()]).toEqual(['theme', 'kc-approval-p2']);
  rememberApproval(storage, signedOut, now);
  expect([...storage.items.keys()]).toEqual(['theme']);
});

test.each([
  ['from the future', record({ timestamp: now + 1 })],
  ['without a time', record({ timestamp: undefined })],
  ['with an invalid time', record({ timestamp: '9' })],
  ['with a text for a boolean', record({ approved: 'yes' })],
  ['that is a list', '[]'],
  ['that is nothing', 'null'],
  ['cut off', '{"approved":tr'],
])('T25 a record %s is ignored', (_name, text) => {
  expect(cachedApproval(storageOf({ 'kc-approval-p1': text }), now)).toBeUndefined();
});

test('T25 records of two users prove nothing about either', () => {
  expect(cachedApproval(storageOf({ 'kc-approval-p1': record(), 'kc-approval-p2': record() }), now)).toBeUndefined();
});

const admin = { isAuthenticated: true, status: 'approved', isAdmin: true } as const;
const pending = { isAuthenticated: true, status: 'pending', isAdmin: false } as const;
const fail = () => Promise.reject(new Error('down'));

test('the server takes precedence over the cache', async () => {
  const sources = { request: async () => pending, cached: () => ({ approved: true, admin: true }), check: fail };
  expect(await sessionState(sources)).toEqual(pending);
});

test('if the server does not respond, a cached approval is used', async () => {
  const sources = { request: fail, cached: () => ({ approved: true, admin: true }), check: fail };
  expect(await sessionState(sources)).toEqual(admin);
  const refused = { request: fail, cached: () => ({ approved: false, admin: false }), check: fail };
  expect(await sessionState(refused)).toEqual({ isAuthenticated: true, status: undefined, isAdmin: false });
});

test('without either, the server is asked again; if that fails, nothing is known', async () => {
  const sources = { request: fail, cached: () => undefined };
  expect(await sessionState({ ...sources, check: async () => admin })).toEqual(admin);
  await expect(sessionState({ ...sources, check: fail })).rejects.toThrow('down');
});
