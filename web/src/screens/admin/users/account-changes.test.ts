import { limits } from '@kc/rules/limits';
import { refusedWith } from '@kc/rules/result';
import { expect, test } from 'vitest';
import { account } from '../../../../test/support/account.ts';
import {
  type Change,
  changed,
  failureText,
  planOf,
  planText,
  runChanges,
  successText,
  undoOf,
  withChanges,
} from './account-changes.ts';

const approve = { what: 'status', to: 'approved' } as const;
const ann = account('ann@example.com', { status: 'pending' });
const ben = account('ben@example.com', { status: 'denied' });
const cleo = account('cleo@example.com');
const you = account('you@example.com', { isYou: true, role: 'admin', status: 'pending' });
const builtIn = account('admin@example.com', { isPrimaryAdmin: true, role: 'admin', status: 'pending' });
const sample = account('sample@example.com', { isSample: true, status: 'pending' });

test('the admin’s own row, the built-in admin and the sample are skipped, each with its reason', () => {
  const plan = planOf(approve, [ann, you, ben, builtIn, cleo, sample]);
  expect(plan.changes.map((change) => change.account.email)).toEqual([ann.email, ben.email]);
  expect(plan.already).toBe(1);
  expect([...plan.skipped]).toEqual([
    ['You cannot change your own status', 1],
    ['Cannot change status for primary admin user', 1],
    ['The sample belongs to nobody and cannot be changed', 1],
  ]);
  const roles = planOf({ what: 'role', to: 'admin' }, [ann, you, builtIn]);
  expect(roles.changes.map((change) => change.account.email)).toEqual([ann.email]);
  expect([...roles.skipped.keys()]).toEqual([
    'You cannot change your own role',
    'Cannot change role for primary admin user',
  ]);
});

test.each([
  [[ann, ben, you], 2, 0, '2 users changed, 1 skipped: You cannot change your own status'],
  [[ann, ben], 2, 0, '2 users changed'],
  [[ann, cleo], 1, 0, '1 user changed, 1 is Active already'],
  [[ann, cleo, cleo], 1, 0, '1 user changed, 2 are Active already'],
  [[ann, ben], 1, 1, '1 user changed, 1 could not be changed'],
  [
    [you, sample],
    0,
    0,
    '0 users changed, 2 skipped: You cannot change your own status; The sample belongs to nobody and cannot be changed',
  ],
])('the result of a bulk change is one sentence (%#)', (accounts, done, failed, sentence) => {
  expect(planText(planOf(approve, accounts), done, failed)).toBe(sentence);
});

// Shows P7.2.
test('a single change shows the specified text', () => {
  expect(successText(approve)).toBe('User status updated successfully to Active');
  expect(successText({ what: 'role', to: 'user' })).toBe('User role updated successfully to Regular User');
  expect(failureText(approve, 'User not found')).toBe('Failed to change user status: User not found');
  expect(failureText({ what: 'role', to: 'admin' }, 'x')).toBe('Failed to change user role: x');
});

test('undoing a change restores the account', () => {
  for (const change of [{ ...approve, account: ben }, { what: 'role', to: 'admin', account: cleo } as const]) {
    expect(changed(undoOf(change))).toEqual(change.account);
  }
});

test('pending changes are applied to the accounts in order; other accounts are unchanged', () => {
  const deny = { what: 'status', to: 'denied', account: ann } as const;
  const promote = { what: 'role', to: 'admin', account: ann } as const;
  const shown = withChanges([ann, cleo], [{ ...approve, account: ann }, promote, deny]);
  expect(shown).toEqual([{ ...ann, status: 'denied', role: 'admin' }, cleo]);
  expect(shown[1]).toBe(cleo);
});

const changesOf = (count: number): readonly Change[] =>
  Array.from({ length: count }, (_, n) => ({
    what: 'status',
    to: 'approved',
    account: account(`p${n}@example.com`, { status: 'pending' }),
  }));
const email = (change: Change) => change.account.email;
const saveAll = async (batch: readonly Change[]) => batch.map((change) => ({ account: changed(change) }));
const ignore = () => undefined;

test('all changes are sent in one call, and the saved accounts are reported', async () => {
  const changes = changesOf(189);
  const calls: number[] = [];
  const saved: string[] = [];
  const outcome = await runChanges(
    changes,
    (batch) => {
      calls.push(batch.length);
      return saveAll(batch);
    },
    (accounts) => saved.push(...accounts.map((one) => `${one.email} ${one.status}`)),
  );
  expect(calls).toEqual([189]);
  expect(outcome.done.map(email)).toEqual(changes.map(email));
  expect(saved).toEqual(changes.map((change) => `${email(change)} approved`));
});

test('more changes than a call accepts are sent in several calls, one after the other', async () => {
  const calls: string[][] = [];
  const { done } = await runChanges(
    changesOf(limits.maxBulkChanges + 2),
    (batch) => {
      calls.push(batch.map(email));
      return saveAll(batch);
    },
    ignore,
  );
  expect(calls.map((batch) => batch.length)).toEqual([limits.maxBulkChanges, 2]);
  expect(done).toHaveLength(limits.maxBulkChanges + 2);
});

test('a refused change is reported along with the saved ones', async () => {
  const changes = changesOf(3);
  const refusal = { code: 'account/not-found' } as const;
  const { done, failed } = await runChanges(
    changes,
    async (batch) => batch.map((change, n) => (n === 1 ? { refusal } : { account: changed(change) })),
    ignore,
  );
  expect(done.map(email)).toEqual(['p0@example.com', 'p2@example.com']);
  expect(failed).toEqual([{ change: changes[1], refusal }]);
});

test('a failed call fails each of its changes, and the next call is still made', async () => {
  let calls = 0;
  const { done, failed } = await runChanges(
    changesOf(limits.maxBulkChanges + 1),
    (batch) => {
      if (++calls === 1) throw refusedWith({ code: 'request/offline' });
      return saveAll(batch);
    },
    ignore,
  );
  expect([done.length, failed.length]).toEqual([1, limits.maxBulkChanges]);
});

test('a refusal that ends the session stops the run', async () => {
  const lost = refusedWith({ code: 'session/required' });
  let calls = 0;
  const run = runChanges(
    changesOf(limits.maxBulkChanges + 1),
    async () => {
      calls++;
      throw lost;
    },
    ignore,
  );
  await expect(run).rejects.toBe(lost);
  expect(calls).toBe(1);
});
