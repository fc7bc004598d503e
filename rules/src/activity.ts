/** What the audit log tells of, in the order in which a filter offers it. */
export const activityKinds = [
  'sign-up',
  'sign-in',
  'sign-out',
  'sign-out-everywhere',
  'claim',
  'reset-password',
  'verify-email',
  'set-name',
  'reset-password',
  'verify-email',
  'name',
  'create',
  'status',
  'role',
  'admin-fix',
  'duplicate',
  'settings',
  'upload',
  'activate',
  'export',
  'refused',
  'rate-limit',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** `refused`: a rule said no. `failed`: something broke, or was broken. */
export const activityResults = ['ok', 'refused', 'failed'] as const;
export type ActivityResult = (typeof activityResults)[number];
