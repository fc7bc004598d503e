import { expect, test } from 'vitest';
import { adminTabs, pathAccess, paths } from './paths.ts';

test('the routes are the specified ones and those of links in mails', () => {
  expect(paths).toMatchObject({
    index: '/',
    login: '/login',
    claim: '/claim',
    resetPassword: '/reset-password',
    verifyEmail: '/verify-email',
    visualization: '/visualization',
    admin: '/admin',
    adminUpload: '/admin/upload/$userId',
    pending: '/pending-approval',
    denied: '/access-denied',
    adminCheck: '/admin-check',
    test: '/test',
    shared: '/shared',
    docs: '/docs',
  });
});

// Shows P1.8.
test('each path defines who may see it', () => {
  expect(Object.keys(pathAccess)).toEqual(Object.keys(paths));
  expect(pathAccess).toMatchObject({ visualization: 'approved', admin: 'admin', adminUpload: 'admin' });
});

// Shows P6.1.
test('the dashboard has the tabs users, upload, settings and activity, in this order', () => {
  expect(adminTabs).toEqual(['users', 'upload', 'settings', 'activity']);
});
