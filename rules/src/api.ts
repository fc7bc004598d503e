/**
 * Every HTTP call of the product except the raw ones: method, path, shapes, and permission. Paths are under `/api`.
 *
 * Raw calls, whose bodies are not JSON objects: `/api/uploads` (tus 1.0), `/api/visualizations/{id}/slice` (one binary
 * slice, `pack/slice-wire`) and `/rows` (a page of a flat list, `pack/rows-wire`), `/selection-totals`, `/api/visualizations/{id}/original` (the uploaded file), `/api/events` (server-sent
 * events), `/api/avatars/{id}` (a picture), `/api/activity.csv` and `.jsonl` (the audit log as a table, and as JSON lines), the two pages of
 * `google.ts`, and `/api/forceDeleteUser`, whose responses have a fixed wording (`force-delete.ts`). They are listed in
 * `raw-routes.ts` so that the authorization matrix covers them.
 */

import * as z from 'zod/mini';
import { accessTokens } from './access-token-api.ts';
import {
  activityFilter,
  activityLine,
  deletedFiles,
  duplicateReport,
  ownLimits,
  savedSettings,
  screenSettings,
  settings,
  storageSpace,
  userQuota,
} from './admin-shapes.ts';
import { route } from './contract-call.ts';
import { clustering, drafts, listReadings } from './draft-api.ts';
import { imports } from './import-api.ts';
import { changeCalls, levelCalls } from './level-api.ts';
import { limits } from './limits.ts';
import { links, shared, sharing } from './link-api.ts';
import { mails } from './mail-api.ts';
import { plans } from './plan-api.ts';
import { readingCalls } from './reading-api.ts';
import { filterPresets, scores, views } from './saved-api.ts';
import {
  account,
  checkChallenge,
  checkProof,
  fieldMap,
  id,
  month,
  newSession,
  openUpload,
  pageNonce,
  refusal,
  role,
  row,
  session,
  status,
  stepUpWays,
  unfinishedUpload,
  uploadStatus,
  visualization,
} from './shapes.ts';
import { fieldText, secretText, storableText } from './text-shapes.ts';
import { warnings } from './warning-api.ts';
import { webhooks } from './webhook-api.ts';

export const contract = {
  session: {
    get: route('GET', '/session', { who: 'anyone', scope: 'read' }).output(session),
    signIn: route('POST', '/session', { who: 'anyone' })
      .input(z.strictObject({ email: fieldText, password: secretText, remember: z.boolean() }))
      .output(newSession),
    /** Confirms the password again, for a new step-up handle. */
    stepUp: route('POST', '/session/step-up', { who: 'admin' })
      .input(z.strictObject({ password: secretText }))
      .output(z.object({ stepUp: z.string() })),
    stepUpWays: route('GET', '/session/step-up', { who: 'admin' }).output(stepUpWays),
    /**
     * The new handle after confirmation with Google (`purpose=step-up`), for the page that started it; once, within a
     * minute.
     */
    takeStepUp: route('POST', '/session/step-up/google', { who: 'admin' })
      .input(z.strictObject({ nonce: pageNonce }))
      .output(z.object({ stepUp: z.string() })),
    /** A token for one deletion within a minute, in exchange for a step-up handle of this session. */
    idToken: route('POST', '/session/id-token', { who: 'admin' })
      .input(z.strictObject({ stepUp: secretText }))
      .output(z.object({ idToken: z.string() })),
    signOut: route('DELETE', '/session', { who: 'anyone' }).output(session),
    /** Ends every session of the user, including this one. */
    signOutEverywhere: route('DELETE', '/session/all', { who: 'signed-in' }).output(session),
    setName: route('PUT', '/session/name', { who: 'signed-in' })
      .input(z.strictObject({ displayName: fieldText }))
      .output(session),
  },
  people: {
    /**
     * Whether sign-up is open now. It is shown before the form is filled in, and checked again when the form is sent.
     */
    registration: route('GET', '/sign-up', { who: 'anyone' }).output(z.object({ isOpen: z.boolean() })),
    signUp: route('POST', '/sign-up', { who: 'anyone' })
      .input(
        z.strictObject({
          email: fieldText,
          password: secretText,
          displayName: fieldText,
          /** Required after `sign-up/check-needed`; valid once. */
          proof: z.optional(checkProof),
        }),
      )
      .output(z.object({ email: z.string(), isApproved: z.boolean() })),
    /** Proof of work required before a sign-up while sign-ups are frequent; bound to the client's network address. */
    signUpCheck: route('POST', '/sign-up/check', { who: 'anyone' }).output(checkChallenge),
    /** The email of a claim link, while the link is valid. A POST, so that the token is not in a URL. */
    readClaim: route('POST', '/claim/read', { who: 'anyone' })
      .input(z.strictObject({ token: secretText }))
      .output(z.object({ email: z.string() })),
    /** Sets the built-in admin's password, proves the email and signs in. */
    claim: route('POST', '/claim', { who: 'anyone' })
      .input(z.strictObject({ token: secretText, password: secretText }))
      .output(newSession),
    /** Mails a reset link if there is an account with this email; the response is the same if there is none. */
    requestReset: route('POST', '/reset-password/request', { who: 'anyone' })
      .input(z.strictObject({ email: fieldText }))
      .output(z.object({ email: z.string() })),
    /** The account and the minimum password length of a reset link, while the link is valid. */
    readReset: route('POST', '/reset-password/read', { who: 'anyone' })
      .input(z.strictObject({ token: secretText }))
      .output(z.object({ email: z.string(), minPasswordLength: z.number() })),
    /** Sets the password and ends every session of the account, but not its access tokens: says how many work. It does not sign in. */
    resetPassword: route('POST', '/reset-password', { who: 'anyone' })
      .input(z.strictObject({ token: secretText, password: secretText }))
      .output(z.object({ email: z.string(), accessTokens: z.optional(z.number()) })),
    /** Mails the current user a link that proves their email. */
    requestVerification: route('POST', '/verify-email/request', { who: 'signed-in' }).output(
      z.object({ email: z.string() }),
    ),
    /** Proves the email of the current user: the link was sent to their mailbox, and they know the password. */
    verifyEmail: route('POST', '/verify-email', { who: 'signed-in' })
      .input(z.strictObject({ token: secretText }))
      .output(session),
  },
  accounts: {
    list: route('GET', '/users', { who: 'admin', scope: 'admin' }).output(z.array(account)),
    create: route('POST', '/users', { who: 'admin' })
      .input(z.strictObject({ email: fieldText, password: secretText, role }))
      .output(account),
    setStatus: route('PUT', '/users/{id}/status', { who: 'admin', scope: 'admin' })
      .input(z.strictObject({ id, status }))
      .output(account),
    setRole: route('PUT', '/users/{id}/role', { who: 'admin', scope: 'admin' })
      .input(z.strictObject({ id, role }))
      .output(account),
    /**
     * Changes statuses and roles in one transaction, in the given order. A refused change does not stop the others. The
     * response has one result per change, in the same order.
     */
    changeMany: route('POST', '/users/changes', { who: 'admin', scope: 'admin' })
      .input(
        z.strictObject({
          changes: z
            .array(z.union([z.strictObject({ id, status }), z.strictObject({ id, role })]))
            .check(z.minLength(1), z.maxLength(limits.maxBulkChanges)),
        }),
      )
      .output(z.object({ results: z.array(z.union([z.object({ account }), z.object({ refusal })])) })),
    /**
     * Whether an account can be created with this email now; `recently-deleted`: it is in use, and was deleted a short
     * time ago.
     */
    availability: route('GET', '/users/availability', { who: 'admin', scope: 'admin' })
      .input(z.object({ email: fieldText }))
      .output(
        z.object({ email: z.string(), availability: z.enum(['available', 'in-use', 'recently-deleted', 'invalid']) }),
      ),
    /** The fallback of deletion: removes account and visualizations, and locks the credential permanently. */
    deleteRecords: route('POST', '/users/{id}/delete-records', { who: 'admin' })
      .input(z.strictObject({ id, idToken: secretText }))
      .output(z.object({ authRemains: z.boolean() })),
    /** Removes the locked credential that {@link deleteRecords} left. */
    deleteUserAuth: route('POST', '/deleteUserAuth', { who: 'admin' })
      .input(z.strictObject({ userId: id }))
      .output(z.object({ success: z.boolean(), error: z.optional(z.string()) })),
    /** A preview of {@link cleanDuplicates}. */
    duplicates: route('GET', '/users/duplicates', { who: 'admin', scope: 'admin' }).output(duplicateReport),
    /** Marks all but one account of each email as migrated, and returns their number. A second call finds none. */
    cleanDuplicates: route('POST', '/users/clean-duplicates', { who: 'admin', scope: 'admin' }).output(
      z.object({ marked: z.number() }),
    ),
  },
  quotas: {
    /** What a user stores, and may. */
    get: route('GET', '/users/{id}/quota', { who: 'admin', scope: 'admin' }).input(z.object({ id })).output(userQuota),
    /** Sets the limits of one user; null: those of the settings. */
    set: route('PUT', '/users/{id}/quota', { who: 'admin', scope: 'admin' })
      .input(z.strictObject({ id, own: ownLimits }))
      .output(userQuota),
  },
  adminCheck: {
    /** Stores that the current user is an administrator; `updated` only if their email is built-in and proven. */
    fix: route('POST', '/admin-check/fix', { who: 'approved' }).output(z.object({ updated: z.boolean() })),
  },
  settings: {
    get: route('GET', '/settings', { who: 'admin', scope: 'admin' }).output(savedSettings),
    /** Refused as a conflict if `version` is not the stored one. */
    save: route('PUT', '/settings', { who: 'admin', scope: 'admin' })
      .input(z.strictObject({ version: z.number(), settings, enforce: z.boolean() }))
      .output(savedSettings),
    /** The settings that affect every user's screen. */
    screen: route('GET', '/settings/screen', { who: 'approved', scope: 'read' }).output(screenSettings),
  },
  storage: {
    /** Free space, and what deleted files still take; `free` is absent if nobody knows a limit. In bytes. */
    use: route('GET', '/storage', { who: 'admin', scope: 'admin' }).output(storageSpace),
    /** Removes the deleted files within a minute, or after the backup that is running, instead of after a day. */
    purge: route('POST', '/storage/purge', { who: 'admin', scope: 'admin' }).output(deletedFiles),
  },
  activity: {
    /** Newest first, a page at a time; `next` is the `before` of the next page, absent at the end. */
    list: route('GET', '/activity', { who: 'admin', scope: 'admin' })
      .input(z.object({ ...activityFilter, before: z.optional(row) }))
      .output(z.object({ lines: z.array(activityLine), next: z.optional(z.number()) })),
    /** Removes the emails of the deleted account with this ID from the log. Returns the number of lines changed. */
    forget: route('POST', '/activity/forget', { who: 'admin', scope: 'admin' })
      .input(z.strictObject({ id }))
      .output(z.object({ lines: z.number() })),
  },
  uploads: {
    status: route('GET', '/uploads/{id}/status', { who: 'admin', scope: 'import' })
      .input(z.object({ id }))
      .output(uploadStatus),
    /** Corrects how the members of the administrator's own upload are read: before, during and after ingest. */
    mapFields: route('PUT', '/uploads/{id}/field-map', { who: 'admin', scope: 'import' })
      .input(z.strictObject({ id, fieldMap }))
      .output(uploadStatus),
    /** Uploads for an account within the last day that are not visualizations: in progress or failed. Newest first. */
    list: route('GET', '/users/{id}/uploads', { who: 'admin', scope: 'import' })
      .input(z.object({ id }))
      .output(z.array(openUpload)),
    /** The current administrator's own incomplete uploads, for any user. Newest first. */
    unfinished: route('GET', '/unfinished-uploads', { who: 'admin', scope: 'import' }).output(
      z.array(unfinishedUpload),
    ),
  },
  visualizations: {
    /**
     * The user's own (and the sample, last), newest first, the active one first; an administrator may name another
     * user.
     */
    list: route('GET', '/visualizations', { who: 'approved', scope: 'read' })
      .input(z.object({ userId: z.optional(id) }))
      .output(z.array(visualization)),
    get: route('GET', '/visualizations/{id}', { who: 'approved', scope: 'read' })
      .input(z.object({ id }))
      .output(visualization),
    activate: route('POST', '/visualizations/{id}/activate', { who: 'approved', scope: 'import' })
      .input(z.object({ id }))
      .output(visualization),
    describe: route('PUT', '/visualizations/{id}/description', { who: 'approved', scope: 'import' })
      .input(z.strictObject({ id, description: storableText({ max: limits.maxDescriptionLength }) }))
      .output(visualization),
    /** Corrects how the members of the file are read. The original stays; what is shown follows in the background. */
    mapFields: route('PUT', '/visualizations/{id}/field-map', { who: 'approved', scope: 'import' })
      .input(z.strictObject({ id, fieldMap }))
      .output(visualization),
    /** Says which month the newest of the twelve in the file's trends is, for a file that only numbers them. */
    nameNewestMonth: route('PUT', '/visualizations/{id}/newest-month', { who: 'approved', scope: 'import' })
      .input(z.strictObject({ id, month: z.nullable(month) }))
      .output(visualization),
    /**
     * Removes record, original, pack and lists. Deleting the active visualization activates no other. Users may delete
     * what they imported themselves.
     */
    remove: route('DELETE', '/visualizations/{id}', { who: 'approved', scope: 'import' })
      .input(z.strictObject({ id }))
      .output(z.object({ id })),
    ...readingCalls,
    ...levelCalls,
    ...changeCalls,
  },
  views,
  plans,
  drafts,
  clustering,
  listReadings,
  imports,
  mails,
  filterPresets,
  scores,
  warnings,
  links,
  sharing,
  shared,
  accessTokens,
  webhooks,
};
