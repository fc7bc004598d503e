/** The path of every page of the product. `$userId` is the router's notation for a parameter. */
export const paths = {
  index: '/',
  login: '/login',
  claim: '/claim',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  visualization: '/visualization',
  /** Where users import keyword lists for themselves. */
  import: '/import',
  admin: '/admin',
  adminUpload: '/admin/upload/$userId',
  /** Where a user can check and fix their own administrator status. */
  adminCheck: '/admin-check',
  pending: '/pending-approval',
  denied: '/access-denied',
  /** Diagnostics: what works between this browser and the server. */
  test: '/test',
  /** What a link to a visualization opens. Its token is in the fragment. */
  shared: '/shared',
  /** The documentation of the HTTP API. */
  docs: '/docs',
} as const;

/** A text file beside the pages: the licences of third-party software. */
export const noticesPath = '/third-party-notices.txt';

/** Text files beside the pages for those who write programs: the pages of `docs` with these names. */
export const guides = ['agents', 'automation', 'webhooks'] as const;
export const guidePath = (guide: (typeof guides)[number]): string => `/guides/${guide}.txt`;

/**
 * Who may see a page; `guard` in `access.ts` redirects everybody else.
 *
 * - `open`: everyone
 * - `signed-out`: visitors who are not signed in; others are redirected to their landing path
 * - `unapproved`: signed-in users who are not approved, pending or denied; approved ones are redirected
 * - `denied`: denied users; pending ones are redirected to the pending page
 * - `approved`: approved users and administrators
 * - `approved-or-nobody`: the same, and signed-out visitors, whom the page asks to sign in
 * - `admin`: administrators
 */
export type PathAccess = 'open' | 'signed-out' | 'unapproved' | 'denied' | 'approved' | 'approved-or-nobody' | 'admin';

export const pathAccess: Readonly<Record<keyof typeof paths, PathAccess>> = {
  index: 'open',
  login: 'signed-out',
  claim: 'open',
  resetPassword: 'open',
  verifyEmail: 'open',
  visualization: 'approved',
  import: 'approved',
  admin: 'admin',
  adminUpload: 'admin',
  adminCheck: 'approved-or-nobody',
  pending: 'unapproved',
  denied: 'denied',
  test: 'open',
  shared: 'open',
  docs: 'open',
};

/** Tabs of the Admin Dashboard; the first one is the default. */
export const adminTabs = ['users', 'upload', 'settings', 'activity'] as const;
export type AdminTab = (typeof adminTabs)[number];
