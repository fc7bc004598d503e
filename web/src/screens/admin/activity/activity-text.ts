import type { ActivityKind, ActivityResult } from '@kc/rules/activity';
import type { ActivityFilter } from '@kc/rules/admin-shapes';
import type { Tone } from '../../../ui/badge.tsx';

/** Display names of the logged actions, used by the list and its filter. */
export const kindNames: Readonly<Record<ActivityKind, string>> = {
  'sign-up': 'Signed up',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'sign-out-everywhere': 'Signed out everywhere',
  claim: 'Claimed a built-in account',
  'reset-password': 'Reset a password',
  'verify-email': 'Confirmed an email',
  link: 'Linked a Google account',
  migrate: 'Took over an unproven account',
  email: 'Came with a new email',
  name: 'Changed a name',
  'step-up': 'Confirmed password',
  create: 'Created a user',
  status: 'Changed a status',
  role: 'Changed a role',
  quota: 'Changed the limits of a user',
  delete: 'Deleted a user',
  'delete-records': 'Deleted a user and locked the credential',
  'delete-auth': 'Removed a locked credential',
  forget: 'Removed a deleted email',
  'forget-activity': 'Removed old activity',
  'admin-fix': 'Fixed admin status',
  duplicate: 'Marked a duplicate',
  settings: 'Changed the settings',
  upload: 'Uploaded a file',
  import: 'Imported keyword lists',
  publish: 'Published a draft',
  'take-over': 'Took over a draft',
  discard: 'Discarded a draft',
  'map-fields': 'Corrected the fields of a file',
  'newest-month': 'Named the newest month of a file',
  activate: 'Made a visualization active',
  describe: 'Described a visualization',
  'delete-visualization': 'Deleted a visualization',
  purge: 'Purged deleted files',
  export: 'Downloaded an export',
  share: 'Made a link to a visualization',
  'open-share': 'Opened a link to a visualization',
  'end-share': 'Revoked a link to a visualization',
  token: 'Made an access token',
  'token-address': 'Used an access token from a new address',
  'end-token': 'Revoked an access token',
  webhook: 'Added a webhook',
  'webhook-on': 'Switched a webhook on',
  'webhook-off': 'Switched a webhook off',
  'end-webhook': 'Removed a webhook',
  backup: 'Made a backup',
  restore: 'Restored a backup',
  refused: 'Asked without permission',
  'rate-limit': 'Reached a rate limit',
};

export const resultWords: Readonly<Record<ActivityResult, { readonly label: string; readonly tone: Tone }>> = {
  ok: { label: 'OK', tone: 'ok' },
  refused: { label: 'Refused', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** The URL of the CSV export of the filtered activity. */
export function exportAddress({ kind, text }: ActivityFilter): string {
  const query = new URLSearchParams({ ...(kind ? { kind } : {}), ...(text ? { text } : {}) }).toString();
  return `/api/activity.csv${query && `?${query}`}`;
}
