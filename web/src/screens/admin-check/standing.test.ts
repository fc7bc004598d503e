import type { Session } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { standingOf } from './standing.ts';

const session = (isAdmin: boolean, inAdminList: boolean) =>
  ({ isAuthenticated: true, status: 'approved', isAdmin, account: { inAdminList } }) as Session;

test('the check tells an admin, somebody on the list who is none yet, and everybody else', () => {
  expect(standingOf(session(true, true)).text).toBe('You have admin privileges!');
  expect(standingOf(session(true, false)).text).toBe('You have admin privileges!');
  expect(standingOf(session(false, true)).text).toBe(
    'Your email is in the admin list, but your status is not set as admin. Click "Fix Admin Status" to update.',
  );
  expect(standingOf(session(false, false)).text).toBe(
    'Your email is not in the admin list. Admin status check failed.',
  );
});
