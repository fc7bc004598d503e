import { expect, test } from 'vitest';
import { account } from '../../../../test/support/account.ts';
import { changed, failureText, planOf, planText, successText, undoOf, withChanges } from './changes.ts';

const approve = { what: 'status', to: 'approved' } as const;
const ann = account('ann@example.com', { status: 'pending' });
const ben = account('ben@example.com', { status: 'denied' });
const cleo = account('cleo@example.com');
const you = account('you@example.com', { isYou: true, role: 'admin', status: 'pending' });
const builtIn = account('admin@example.com', { isPrimaryAdmin: true, role: 'admin', status: 'pending' });
const sample = account('sample@example.com', { isSample: true, status: 'pending' });

test('own row, built-in admin and sample are left out, each with its reason', () => {
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
  [[ann, ben, you], 2, 0, '2 changed, 1 skipped: You cannot change your own status'],
  [[ann, ben], 2, 0, '2 changed'],
  [[ann, cleo], 1, 0, '1 changed, 1 is Active already'],
  [[ann, cleo, cleo], 1, 0, '1 changed, 2 are Active already'],
  [[ann, ben], 1, 1, '1 changed, 1 failed'],
  [
    [you, sample],
    0,
    0,
    '0 changed, 2 skipped: You cannot change your own status; The sample belongs to nobody and cannot be changed',
  ],
])('what became of several is one sentence (%#)', (accounts, done, failed, sentence) => {
  expect(planText(planOf(approve, accounts), done, failed)).toBe(sentence);
});

test('one change says what the specification says', () => {
  expect(successText(approve)).toBe('User status updated successfully to Active');
  expect(successText({ what: 'role', to: 'user' })).toBe('User role updated successfully to Regular User');
  expect(failureText(approve, 'User not found')).toBe('Failed to change user status: User not found');
  expect(failureText({ what: 'role', to: 'admin' }, 'x')).toBe('Failed to change user role: x');
});

test('a change taken back leaves the account as it was', () => {
  for (const change of [{ ...approve, account: ben }, { what: 'role', to: 'admin', account: cleo } as const]) {
    expect(changed(undoOf(change))).toEqual(change.account);
  }
});

test('changes under way show on the accounts, the later over the earlier, the rest untouched', () => {
  const deny = { what: 'status', to: 'denied', account: ann } as const;
  const promote = { what: 'role', to: 'admin', account: ann } as const;
  const shown = withChanges([ann, cleo], [{ ...approve, account: ann }, promote, deny]);
  expect(shown).toEqual([{ ...ann, status: 'denied', role: 'admin' }, cleo]);
  expect(shown[1]).toBe(cleo);
});
