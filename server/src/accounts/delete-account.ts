import { checkDeletion } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import { done, type Result, refuse } from '@kc/rules/result';
import type { Transaction } from 'kysely';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import type { Database } from '../database/schema.ts';
import { spend } from '../http/rate-limits.ts';
import {
  accountExists,
  deleteAccount,
  deleteCredentials,
  deleteLockedCredential,
  hasCredential,
  lockCredentials,
  noteDeletedFiles,
  stopUploads,
  wasDeleted,
} from './deletion-queries.ts';
import { deletionLimit } from './limits.ts';
import type { AccountParts } from './parts.ts';
import { toAccount } from './present.ts';
import { isId, lockAccounts, type StoredAccount } from './queries.ts';
import type { Person } from './require.ts';
import { spendIdToken } from './step-up.ts';

type Tx = Transaction<Database>;
type Asked = { readonly userId: string; readonly idToken: string };

/**
 * Deletes a person for good, in one transaction: account, credential, sessions, tokens, uploads on their way and
 * visualizations go, and a job is queued that removes the stored files once a backup that runs now is done with them.
 * The email is free from the commit on. Asking again for somebody who is deleted already answers the same.
 *
 * Source: spec §7 "Force delete", decisions §2.7, security S8, REL-32.
 */
export async function forceDelete(parts: AccountParts, person: Person, asked: Asked): Promise<Result<true>> {
  return deleteOnce(parts, person, asked, async (tx, account, removeAfter) => {
    const keys = await noteDeletedFiles(tx, account.id, removeAfter);
    await parts.queueFileDeletion(tx, keys, removeAfter);
    await deleteCredentials(tx, account.id);
    return { action: 'delete', files: keys.length };
  });
}

/**
 * What deleting falls back to when {@link forceDelete} fails: needs neither the queue of jobs nor the credential's row
 * to go. The credential is locked for good; the files are removed by the sweep once their grace is over.
 *
 * @returns whether a locked credential is left for {@link deleteUserAuth}
 * Source: decisions §2.7.
 */
export async function deleteRecords(
  parts: AccountParts,
  person: Person,
  asked: Asked,
): Promise<Result<{ authRemains: boolean }>> {
  const deleted = await deleteOnce(parts, person, asked, async (tx, account, removeAfter) => {
    const keys = await noteDeletedFiles(tx, account.id, removeAfter);
    await lockCredentials(tx, account.id, new Date(parts.now()));
    return { action: 'delete-records', files: keys.length };
  });
  return deleted.ok ? done({ authRemains: await hasCredential(parts.db, asked.userId) }) : deleted;
}

/** The last step of the fallback: the locked credential goes. Source: spec §7 `deleteUserAuth`. */
export async function deleteUserAuth(
  parts: AccountParts,
  person: Person,
  userId: string,
): Promise<{ success: boolean; error?: string }> {
  if (!isId(userId)) return { success: false, error: sayRefusal({ code: 'account/not-found' }) };
  return inTransaction(parts.db, async (tx) => {
    if (await accountExists(tx, userId)) return { success: false, error: sayRefusal({ code: 'account/auth-remains' }) };
    if (await deleteLockedCredential(tx, userId)) {
      await audit(tx, { actor: person.account.id, action: 'delete-auth', target: userId }, parts.now());
    }
    return { success: true };
  });
}

/** What one way of deleting does before the account itself goes, and how the audit log calls it. */
type Way = (
  tx: Tx,
  account: StoredAccount,
  removeAfter: Date,
) => Promise<{ action: 'delete' | 'delete-records'; files: number }>;

/**
 * The token, the rule and the deletion. Actor and account are locked together, so that of two admins who delete each
 * other one remains: whoever's deletion is committed is an admin still.
 */
async function deleteOnce(parts: AccountParts, person: Person, asked: Asked, way: Way): Promise<Result<true>> {
  const { userId } = asked;
  const now = parts.now();
  const wait = await spend(parts.db, deletionLimit, person.account.id, now);
  if (wait > 0) return refuse('sign-in/too-many', { seconds: wait });
  if (!isId(userId)) return refuse('account/not-found');
  if (await wasDeleted(parts.db, userId)) return done(true);
  const spent = await spendIdToken(parts.db, person, asked.idToken, now);
  if (!spent.ok) return spent;
  return inTransaction(parts.db, async (tx) => {
    const rows = await lockAccounts(tx, [person.account.id, userId]);
    const actor = rows.find((row) => row.id === person.account.id);
    const account = rows.find((row) => row.id === userId);
    if (!actor) return refuse('session/required');
    if (!account) return (await wasDeleted(tx, userId)) ? done(true) : refuse('account/not-found');
    const target = { ...toAccount(account), isSample: account.is_sample };
    const allowed = checkDeletion(toAccount(actor), target, parts.config.builtInAdmins);
    if (!allowed.ok) return allowed;
    await stopUploads(tx, userId);
    const { action, files } = await way(tx, account, new Date(now + limits.deletedFilesMs));
    await deleteAccount(tx, userId);
    // The id alone would say nothing to whoever reads the log later: the account it names is gone.
    await audit(tx, { actor: actor.id, action, target: userId, details: { email: account.email, files } }, now);
    await notify(tx, { about: 'session', accountId: userId });
    await notify(tx, { about: 'accounts' });
    parts.log.info({ event: action, actor: actor.id, account: userId, files }, 'Deleted an account');
    return done(true);
  });
}
