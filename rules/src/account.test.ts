import { describe, expect, test } from 'vitest';
import {
  type Account,
  byStatusThenNewest,
  canonicalEmail,
  changeRole,
  changeStatus,
  checkDeletion,
  type Duplicate,
  effective,
  isAdmin,
  pickCanonical,
  roleNames,
  type Status,
  shownName,
  statusAfterMerge,
  statusNames,
} from './account.ts';
import { done, refuse } from './result.ts';

const builtIn = new Set(['root@example.com']);

const person = (changes: Partial<Account> = {}): Account => ({
  id: 'p1',
  email: 'person@example.com',
  displayName: 'Person',
  role: 'user',
  status: 'approved',
  emailProven: false,
  createdAt: 0,
  ...changes,
});
const admin = person({ id: 'a1', email: 'admin@example.com', role: 'admin' });
const primary = person({ id: 'r1', email: 'root@example.com', status: 'pending', emailProven: true });

test('an admin approves a pending account', () => {
  const pending = person({ status: 'pending' });
  expect(changeStatus(admin, pending, 'approved', builtIn)).toEqual(done({ ...pending, status: 'approved' }));
});

test('an admin disables one account and revokes the role of another', () => {
  expect(changeStatus(admin, person(), 'denied', builtIn)).toEqual(done(person({ status: 'denied' })));
  expect(changeRole(admin, person({ role: 'admin' }), 'user', builtIn)).toEqual(done(person()));
});

test.each([
  ['a user', person({ id: 'u1' })],
  ['a pending admin', person({ id: 'u1', role: 'admin', status: 'pending' })],
  ['a denied admin', person({ id: 'u1', role: 'admin', status: 'denied' })],
  ['a built-in email that is not proven', { ...primary, emailProven: false }],
])('%s cannot change any account', (_name, actor) => {
  expect(changeStatus(actor, person(), 'denied', builtIn)).toEqual(refuse('admin/only'));
  expect(changeRole(actor, person(), 'admin', builtIn)).toEqual(refuse('admin/only'));
});

// Shows P7.3.
test('no admin can change their own status or role', () => {
  expect(changeStatus(admin, admin, 'approved', builtIn)).toEqual(refuse('account/own-status'));
  expect(changeRole(admin, admin, 'user', builtIn)).toEqual(refuse('account/own-role'));
});

test('the built-in admin cannot be set to anything but approved, proven or not', () => {
  for (const target of [primary, { ...primary, emailProven: false }]) {
    expect(changeStatus(admin, target, 'pending', builtIn)).toEqual(refuse('account/primary-admin'));
    expect(changeStatus(admin, target, 'denied', builtIn)).toEqual(refuse('account/primary-admin'));
    expect(changeStatus(admin, target, 'approved', builtIn)).toEqual(done({ ...target, status: 'approved' }));
  }
});

// Shows P7.3.
test('the built-in admin stays an admin', () => {
  expect(changeRole(admin, primary, 'user', builtIn)).toEqual(refuse('account/primary-admin-role'));
  expect(changeRole(admin, primary, 'admin', builtIn)).toEqual(done({ ...primary, role: 'admin' }));
});

test('a change does not mutate the given account', () => {
  const before = Object.freeze(person({ status: 'pending' }));
  changeStatus(admin, before, 'approved', builtIn);
  expect(before).toEqual(person({ status: 'pending' }));
});

test('a proven built-in email counts as admin and approved, whatever is stored', () => {
  expect(effective({ ...primary, status: 'denied' }, builtIn)).toEqual({
    ...primary,
    role: 'admin',
    status: 'approved',
  });
  expect(isAdmin({ ...primary, status: 'denied' }, builtIn)).toBe(true);
});

// Shows P18.2.
test('an unproven built-in email grants nothing', () => {
  const unproven = { ...primary, emailProven: false };
  expect(effective(unproven, builtIn)).toEqual(unproven);
  expect(isAdmin(unproven, builtIn)).toBe(false);
});

// Shows P18.4.
test('an address removed from the built-in list keeps its stored role and status', () => {
  expect(effective(primary, new Set())).toEqual(primary);
});

// Shows P7.1.
test('accounts are listed pending, approved, denied, then newest first', () => {
  const rows = [
    { name: 'denied', status: 'denied', createdAt: 9 },
    { name: 'old approved', status: 'approved', createdAt: 1 },
    { name: 'old pending', status: 'pending', createdAt: 2 },
    { name: 'new approved', status: 'approved', createdAt: 5 },
    { name: 'new pending', status: 'pending', createdAt: 3 },
  ] as const;
  expect(rows.toSorted(byStatusThenNewest).map((row) => row.name)).toEqual([
    'new pending',
    'old pending',
    'new approved',
    'old approved',
    'denied',
  ]);
});

// Shows P18.1.
test('an email is stored in lower case and trimmed', () => {
  expect(canonicalEmail('  Some.One@Example.COM\t')).toBe('some.one@example.com');
});

// Shows P2.2.
test('a user without a display name is shown as the part of the email before @', () => {
  expect(shownName({ displayName: ' ', email: 'ann@example.com' })).toBe('ann');
  expect(shownName({ displayName: ' Ann ', email: 'ann@example.com' })).toBe('Ann');
});

// Shows P8.9.
test('an admin can delete every account except their own, a built-in admin and the sample', () => {
  const sample = { ...person({ id: 's1' }), isSample: true };
  const listed = (account: Account) => ({ ...account, isSample: false });
  expect(checkDeletion(admin, listed(person()), builtIn)).toEqual(done(true));
  expect(checkDeletion(primary, listed(admin), builtIn)).toEqual(done(true));
  expect(checkDeletion(admin, listed(admin), builtIn)).toEqual(refuse('account/own-delete'));
  expect(checkDeletion(admin, listed(primary), builtIn)).toEqual(refuse('account/primary-admin-delete'));
  expect(checkDeletion(admin, sample, builtIn)).toEqual(refuse('account/sample-delete'));
  expect(checkDeletion(person({ id: 'u1' }), listed(person()), builtIn)).toEqual(refuse('admin/only'));
});

test('statuses and roles have the names shown on the screens', () => {
  expect(statusNames).toEqual({ pending: 'Pending', approved: 'Active', denied: 'Disabled' });
  expect(roleNames).toEqual({ user: 'Regular User', admin: 'Administrator' });
});

const duplicate = (id: string, changes: Partial<Duplicate> = {}): Duplicate => ({
  id,
  isBuiltInAdmin: false,
  emailProven: false,
  createdBy: 'system',
  lastLogin: undefined,
  createdAt: 0,
  ...changes,
});

// Shows P18.6.
test.each([
  ['a built-in admin goes before one whose email is proven', { isBuiltInAdmin: true }, { emailProven: true }],
  ['proven goes before unproven', { emailProven: true }, { createdBy: 'a1', lastLogin: 9 }],
  ['created by an admin goes before signed up', { createdBy: 'a1' }, { lastLogin: 9 }],
  ['active most recently goes before active earlier', { lastLogin: 9, createdAt: 5 }, { lastLogin: 8 }],
  ['ever active goes before never active', { lastLogin: 1, createdAt: 5 }, {}],
  ['if equally active, the older one stays', { lastLogin: 9, createdAt: 1 }, { lastLogin: 9, createdAt: 2 }],
])('of two accounts with the same email, %s', (_name, better, worse) => {
  const [winner, loser] = [duplicate('z', better), duplicate('b', worse)];
  expect(pickCanonical([winner, loser])).toBe(winner);
  expect(pickCanonical([loser, winner])).toBe(winner);
});

test('otherwise equal accounts with the same email are ranked by ID, in any input order', () => {
  const [a, b, c] = [duplicate('a'), duplicate('b'), duplicate('c')];
  expect(pickCanonical([c, a, b])).toBe(a);
  expect(pickCanonical([b, c, a])).toBe(a);
  expect(pickCanonical([])).toBeUndefined();
});

describe('SEC-06 for several accounts with the same email', () => {
  const of = (status: Status, changes: Partial<Account> = {}) => person({ status, ...changes });

  test.each<[kept: Status, merged: Status[], after: Status]>([
    ['approved', ['denied'], 'denied'],
    ['pending', ['approved', 'denied'], 'denied'],
    ['denied', ['approved'], 'denied'],
    ['approved', ['pending'], 'approved'],
    ['pending', ['approved'], 'pending'],
    ['approved', [], 'approved'],
  ])('the %s account, after %j were merged into it, is %s', (kept, merged, after) => {
    expect(
      statusAfterMerge(
        of(kept),
        merged.map((status) => of(status)),
        builtIn,
      ),
    ).toBe(after);
  });

  test('the account of a built-in admin is denied with the others only while it is unproven', () => {
    const email = [...builtIn][0]!;
    const after = (emailProven: boolean) =>
      statusAfterMerge(of('approved', { email, emailProven }), [of('denied', { email })], builtIn);
    expect([after(true), after(false)]).toEqual(['approved', 'denied']);
  });
});
