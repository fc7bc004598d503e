/**
 * The site map: every path and who may see it.
 *
 * `open`: anyone. `signed-out`: a signed-in visitor is sent to their landing path. `unapproved`: signed-in people who
 * are not approved yet (an approved one is sent on). `denied`: denied people; who waits is sent to the waiting page.
 * `approved`: approved people and admins. `approved-or-nobody`: they,
 * and signed-out visitors, who are told to sign in. `admin`: admins.
 *
 * Source: spec §2 "Route table"; decisions §1 for claim, reset-password and verify-email.
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

/** A text file beside the pages: the licences of other people's software. */
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

/** Tabs of the Admin Dashboard; the first is the default. Source: spec §2; `activity` is ours, decisions §2.12. */
export const adminTabs = ['users', 'upload', 'settings', 'activity'] as const;
export type AdminTab = (typeof adminTabs)[number];
