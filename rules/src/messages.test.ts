import { expect, test } from 'vitest';
import { say, sayRefusal } from './messages.ts';

// Shows P19.9.
test('texts with a name, a number or a reason have it at the specified position', () => {
  const email = 'ann@example.com';
  expect([
    say('upload/too-large', { maxMb: 3072 }),
    say('upload/succeeded', { email }),
    say('create-user/in-use', { email }),
    say('create-user/created', { email }),
    say('account/no-such-id', { id: '42' }),
    say('account/role-changed', { role: 'Administrator' }),
    say('account/role-changed', { role: 'Regular User' }),
    say('account/status-changed', { status: 'Active' }),
    say('account/status-changed', { status: 'Pending' }),
    say('account/status-changed', { status: 'Disabled' }),
    say('account/role-failed', { reason: 'x' }),
    say('account/status-failed', { reason: 'x' }),
    say('admin/invalid-tab', { tab: 'attic' }),
    say('account/deleted', { email }),
    say('account/delete-failed', { reason: 'x' }),
  ]).toEqual([
    'File size exceeds 3072MB limit',
    'File uploaded and processed successfully for ann@example.com',
    'Email ann@example.com is already in use. Please choose another email.',
    'User ann@example.com created successfully',
    'User with ID 42 not found',
    'User role updated successfully to Administrator',
    'User role updated successfully to Regular User',
    'User status updated successfully to Active',
    'User status updated successfully to Pending',
    'User status updated successfully to Disabled',
    'Failed to change user role: x',
    'Failed to change user status: x',
    'Invalid tab: attic',
    'User ann@example.com has been completely deleted. The email is now immediately available for reuse.',
    'Error deleting user: x',
  ]);
});

// Shows P8.3.
test('a recently deleted email refers to support only if there is a support address', () => {
  const told = (more: { support?: string }) =>
    say('create-user/recently-deleted', { email: 'ann@example.com', ...more });
  const both =
    'Email ann@example.com is already in use. Please choose another email. If it was deleted just now, wait a few minutes';
  expect(told({ support: 'help@example.com' })).toBe(`${both} or contact support.`);
  expect(told({})).toBe(`${both} and try again.`);
});

test('the message for a broken file has the error, byte, line and column', () => {
  const where = { byte: 10, line: 2, column: 3 };
  expect(say('upload/invalid-json', { what: 'a comma is missing', ...where, excerpt: '' })).toBe(
    'Invalid JSON file: a comma is missing at byte 10 (line 2, column 3)',
  );
  expect(say('upload/invalid-json', { what: 'a comma is missing', ...where, excerpt: '"a" "b"' })).toBe(
    'Invalid JSON file: a comma is missing at byte 10 (line 2, column 3), near "a" "b"',
  );
});

test('the message for an empty file has no position', () => {
  const start = { byte: 0, line: 1, column: 1, excerpt: '' };
  expect(say('upload/invalid-json', { what: 'the file is empty', ...start })).toBe(
    'Invalid JSON file: the file is empty',
  );
});

test('a refusal from the server has the text of the catalogue', () => {
  expect(sayRefusal({ code: 'account/no-such-id', params: { id: '42' } })).toBe('User with ID 42 not found');
  expect(sayRefusal({ code: 'admin/only' })).toBe('Unauthorized: Only admins can perform this action');
});

test('an unknown code is shown unchanged, even a property name of every object', () => {
  expect(sayRefusal({ code: 'strange/new' })).toBe('strange/new');
  expect(sayRefusal({ code: 'constructor' })).toBe('constructor');
});

test('the access tokens that a new password leaves are counted', () => {
  const rest = ' If somebody else may have known your password, revoke them under “Access tokens” in the user menu.';
  expect(say('reset/tokens', { count: 1 })).toBe(`One access token of your account still works.${rest}`);
  expect(say('reset/tokens', { count: 2 })).toBe(`2 access tokens of your account still work.${rest}`);
});
