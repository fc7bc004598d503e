/**
 * The site map: every path and who may see it.
 *
 * `open`: everyone. `signed-out`: signed-in users are redirected to their landing path. `unapproved`: signed-in users
 * who are not approved yet; approved ones are redirected. `denied`: denied users; pending ones are redirected to the
 * pending page. `approved`: approved users and administrators. `approved-or-nobody`: the same, and signed-out visitors,
 * who are asked to sign in. `admin`: administrators.
 */
export const paths = {
  index: '/',
  login: '/login',
  claim: '/claim',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  visualization: '/visualization',
  admin: '/admin',
  adminUpload: '/admin/upload/$userId',
  adminCheck: '/admin-check',
  pending: '/pending-approval',
  denied: '/access-denied',
  test: '/test',
  docs: '/docs',
} as const;

/** A text file beside the pages: the licences of third-party software. */
export const noticesPath = '/third-party-notices.txt';

export type PathAccess = 'open' | 'signed-out' | 'unapproved' | 'denied' | 'approved' | 'approved-or-nobody' | 'admin';

export const pathAccess: Readonly<Record<keyof typeof paths, PathAccess>> = {
  index: 'open',
  login: 'signed-out',
  claim: 'open',
  resetPassword: 'open',
  verifyEmail: 'open',
  visualization: 'approved',
  admin: 'admin',
  adminUpload: 'admin',
  adminCheck: 'approved-or-nobody',
  pending: 'unapproved',
  denied: 'denied',
  test: 'open',
  docs: 'open',
};

/** Tabs of the Admin Dashboard; the first one is the default. */
export const adminTabs = ['users', 'upload', 'settings', 'activity'] as const;
export type AdminTab = (typeof adminTabs)[number];
