import type { Session } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { adminNoticeOf, unfixed } from './admin-notice.ts';

const session = (isAdmin: boolean, inAdminList: boolean, emailProven = true) =>
  ({ isAuthenticated: true, status: 'approved', isAdmin, account: { inAdminList, emailProven } }) as Session;

test('the check has a message for an admin, for a listed user who is not an admin yet, and for everyone else', () => {
  expect(adminNoticeOf(session(true, true)).text).toBe('You have admin privileges!');
  expect(adminNoticeOf(session(true, false)).text).toBe('You have admin privileges!');
  expect(adminNoticeOf(session(false, true)).text).toBe(
    'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
  );
  expect(adminNoticeOf(session(false, false)).text).toBe(
    'Your email is not in the admin list. Admin status check failed.',
  );
});

// Shows P6.7.
test('a listed user whose email is not proven is sent to the claim link, before and after the fix', () => {
  const unproven = session(false, true, false);
  expect(adminNoticeOf(unproven).text).toBe(
    'Your email is in the admin list, but it is not proven to be yours yet. Open your claim link: the server prints one when it starts, and "npm run claim-link" on the server makes a new one.',
  );
  expect(adminNoticeOf(unproven).stays).toBe(true);
  expect(unfixed(unproven)).toEqual(adminNoticeOf(unproven));
  expect(unfixed(session(false, false)).text).toBe(
    'Failed to update admin status. Your email might not be in the admin list.',
  );
});
