/**
 * The site map: every path and who may see it.
 *
 * `open`: anyone. `signed-out`: a signed-in visitor is sent to their landing path. `unapproved`: signed-in people who
 * are not approved yet (an approved one is sent on). `approved`: approved people and admins. `admin`: admins.
 *
 * Source: spec §2 "Route table"; decisions §1 for claim, reset-password and verify-email.
 */
export const paths = {
  index: '/',
  login: '/login',
  claim: '/claim',
  visualization: '/visualization',
  admin: '/admin',
  adminUpload: '/admin/upload/$userId',
  pending: '/pending-approval',
  denied: '/access-denied',
} as const;

export type PathAccess = 'open' | 'signed-out' | 'unapproved' | 'approved' | 'admin';

export const pathAccess: Readonly<Record<keyof typeof paths, PathAccess>> = {
  index: 'open',
  login: 'signed-out',
  claim: 'open',
  visualization: 'approved',
  admin: 'admin',
  adminUpload: 'admin',
  pending: 'unapproved',
  denied: 'unapproved',
};

/** Tabs of the Admin Dashboard; the first is the default. Source: spec §2. */
export const adminTabs = ['users', 'upload', 'settings'] as const;
export type AdminTab = (typeof adminTabs)[number];
