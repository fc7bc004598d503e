import { expect, test } from 'vitest';
import type { Role, Status } from './account.ts';
import { type GroupRoles, groupsIn, standingByGroups } from './group-roles.ts';

const rules: GroupRoles = { claim: 'groups', admins: ['seo-leads', 'it'], users: ['seo'] };
const builtIn = new Set(['root@example.com']);
const after = (role: Role, status: Status, groups: string[], others = true, email = 'ann@example.com', by = rules) =>
  standingByGroups({ email, role, status }, groups, by, others, builtIn);

test.each<[Role, Status, string[], Role, Status]>([
  ['user', 'pending', ['it'], 'admin', 'approved'],
  ['user', 'approved', ['seo', 'seo-leads'], 'admin', 'approved'],
  ['user', 'pending', ['seo'], 'user', 'approved'],
  ['user', 'pending', ['cooks'], 'user', 'pending'],
  ['user', 'approved', [], 'user', 'approved'],
  ['admin', 'approved', ['it'], 'admin', 'approved'],
  ['admin', 'approved', ['seo'], 'user', 'approved'],
  ['admin', 'approved', [], 'user', 'approved'],
  // Groups are compared exactly.
  ['user', 'pending', ['IT', ' it', 'it '], 'user', 'pending'],
])('SEC-55 a %s who is %s and in %j becomes a %s who is %s', (role, status, groups, nextRole, nextStatus) => {
  expect(after(role, status, groups)).toEqual({ role: nextRole, status: nextStatus, isLast: false });
});

test('SEC-55 a denial stays, whatever the groups', () => {
  expect(after('user', 'denied', ['it'])).toMatchObject({ status: 'denied' });
  expect(after('user', 'denied', ['seo'])).toMatchObject({ status: 'denied' });
});

test('SEC-55 the last administrator keeps the role, and a built-in one as well', () => {
  expect(after('admin', 'approved', [], false)).toEqual({ role: 'admin', status: 'approved', isLast: true });
  // Who is denied or waits does not administer, and so cannot be the last.
  expect(after('admin', 'denied', [], false)).toEqual({ role: 'user', status: 'denied', isLast: false });
  expect(after('admin', 'approved', [], true, 'root@example.com')).toMatchObject({ role: 'admin', isLast: false });
});

test('without groups for administrators, roles are not given by the provider', () => {
  const usersOnly = { ...rules, admins: [] };
  expect(after('admin', 'approved', [], true, 'ann@example.com', usersOnly)).toMatchObject({ role: 'admin' });
  expect(after('user', 'pending', ['seo'], true, 'ann@example.com', usersOnly)).toMatchObject({ status: 'approved' });
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['groups', { groups: ['a', 'b'] }, ['a', 'b']],
  ['groups', { groups: 'a' }, ['a']],
  ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  ['https://example.com/groups', { 'https://example.com/groups': ['a'] }, ['a']],
  ['groups', { groups: ['a', 7, null, { name: 'b' }, 'x'.repeat(257)] }, ['a']],
  ['groups', { groups: { a: true } }, []],
  ['groups', {}, []],
  ['constructor.name', {}, []],
  ['realm_access.roles', { realm_access: 'x' }, []],
])('the claim %s of %j names the groups %j', (claim, claims, groups) => {
  expect(groupsIn(claims, claim)).toEqual(groups);
});
