import { expect, test } from 'vitest';
import { messages, say, sayRefusal } from './messages.ts';

/** Texts as the specification quotes them, section by section. Typed from the specification, never copied from the code. */
const quoted: Readonly<Record<string, string>> = {
  // §5
  'sign-in/both-required': 'Please enter both email and password',
  'sign-up/password-short': 'Password must be at least 6 characters',
  'sign-up/mismatch': 'Passwords do not match',
  'create-user/both-required': 'Email and password are required',
  'upload/no-file': 'No file selected',
  'upload/no-user': 'Please select a user first',
  'upload/not-json': 'Only JSON files are supported',
  'upload/signed-out': 'You must be logged in to upload files',
  'account/own-role': 'You cannot change your own role',
  'account/own-status': 'You cannot change your own status',
  'account/primary-admin': 'Cannot change status for primary admin user',
  // §2
  'sign-up/match': 'Passwords match',
  'upload/choose-user': 'Please select a user before uploading a file.',
  // §6
  'admin/only': 'Unauthorized: Only admins can perform this action',
  // §8 sign-in and sign-up
  'sign-in/invalid-email': 'Invalid email format',
  'sign-in/not-found': 'No account found with this email address',
  'sign-in/wrong-password': 'Incorrect password',
  'sign-in/disabled': 'This account has been disabled',
  'sign-up/in-use': 'An account with this email already exists',
  'sign-up/weak': 'Password is too weak. Please use a stronger password',
  'sign-up/success':
    'Account created successfully! You will be able to use the application once an administrator approves your account.',
  'sign-in/success': 'Login successful! Redirecting...',
  'account/own-delete': 'Cannot delete your own account while logged in',
  // §8 admin
  'account/delete-missing': 'Cannot delete user: Missing user ID or email',
  'account/not-found': 'User not found',
  'create-user/invalid-email': 'Please enter a valid email address.',
  'account/list-failed': 'Failed to load users. Please try again or check the backend connection.',
  'account/list-failed-upload': 'Failed to load users. Please try again.',
  // §8 upload
  'upload/read-failed': 'Failed to read file',
  'upload/storage-refused': 'Failed to create storage reference',
  'upload/task-failed': 'Failed to create upload task',
  'upload/failed': 'Upload failed',
  'upload/unreadable': 'Failed to get download URL',
  'upload/not-saved': 'Failed to save visualization data',
  'upload/not-activated':
    'File uploaded but there was an issue updating other visualizations. The user may need to manually select it.',
  'fault/other-version': 'Backend SDK not available. Please refresh the page and try again.',
  // §2 and §4 admin check
  'admin-check/signed-out': 'Please log in to check admin status',
  'admin-check/fixed': 'Successfully updated to admin! Refreshing page...',
  'admin-check/not-fixed': 'Failed to update admin status. Your email might not be in the admin list.',
  // §8 pages
  'admin-check/admin': 'You have admin privileges!',
  'admin-check/listed':
    'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
  'admin-check/unlisted': 'Your email is not in the admin list. Admin status check failed.',
  'session/required': 'You are not logged in. Please log in first.',
  // Decisions §1
  'sign-in/google-off': 'Google sign-in is not set up on this server',
};

test.each(Object.entries(quoted))('%s reads %j', (code, text) => {
  expect(messages).toHaveProperty([code], text);
});

test('texts with a name, a number or a reason in them put it where the specification does', () => {
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

test('a broken file is told with what, byte, line and column', () => {
  const where = { byte: 10, line: 2, column: 3 };
  expect(say('upload/invalid-json', { what: 'a comma is missing', ...where, excerpt: '' })).toBe(
    'Invalid JSON file: a comma is missing at byte 10 (line 2, column 3)',
  );
  expect(say('upload/invalid-json', { what: 'a comma is missing', ...where, excerpt: '"a" "b"' })).toBe(
    'Invalid JSON file: a comma is missing at byte 10 (line 2, column 3), near "a" "b"',
  );
});

test('a refusal from the wire is said in the words of the catalogue', () => {
  expect(sayRefusal({ code: 'account/no-such-id', params: { id: '42' } })).toBe('User with ID 42 not found');
  expect(sayRefusal({ code: 'admin/only' })).toBe('Unauthorized: Only admins can perform this action');
});

test('an unknown code is shown as it is, also one that every object has', () => {
  expect(sayRefusal({ code: 'strange/new' })).toBe('strange/new');
  expect(sayRefusal({ code: 'constructor' })).toBe('constructor');
});
