import { checkDeletion } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { sayRefusal } from '@kc/rules/messages';
import { done, type Result, refuse } from '@kc/rules/result';
import { audit } from '../database/audit.ts';
import { notify } from '../database/notifications.ts';
import { inTransaction, isId, type Tx } from '../database/open.ts';
import { consume } from '../http/rate-limits.ts';
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
import type { AccountDeps } from './deps.ts';
import { deletionLimit } from './limits.ts';
import { lockAccounts, type StoredAccount } from './queries.ts';
import type { Person } from './require.ts';
import { toAccount } from './responses.ts';
import { consumeIdToken } from './step-up.ts';

type Asked = { readonly userId: string; readonly idToken: string };

/**
 * Deletes a user in one transaction: account, credential, sessions, tokens, running uploads and visualizations. It
 * queues a job that removes the stored files once running backups no longer need them. The email is free after the
 * commit. Deleting a deleted account has the same result.
 *
 * Source: SECURITY.md, S8, REL-32.
 */
export async function forceDelete(deps: AccountDeps, person: Person, asked: Asked): Promise<Result<true>> {
  return deleteOnce(deps, person, asked, async (tx, account, removeAfter) => {
    const keys = await noteDeletedFiles(tx, account.id, removeAfter);
    await deps.queueFileDeletion(tx, keys, removeAfter);
    await deleteCredentials(tx, account.id);
    return { action: 'delete', files: keys.length };
  });
}

/**
 * The fallback if {@link forceDelete} fails: it needs neither the job queue nor the removal of the credential. The
 * credential is locked permanently; the sweep removes the files once their retention is over.
 *
 * @returns whether a locked credential is left for {@link deleteUserAuth}
 */
export async function deleteRecords(
  deps: AccountDeps,
  person: Person,
  asked: Asked,
): Promise<Result<{ authRemains: boolean }>> {
  const deleted = await deleteOnce(deps, person, asked, async (tx, account, removeAfter) => {
    const keys = await noteDeletedFiles(tx, account.id, removeAfter);
    await lockCredentials(tx, account.id, new Date(deps.now()));
    return { action: 'delete-records', files: keys.length };
  });
  return deleted.ok ? done({ authRemains: await hasCredential(deps.db, asked.userId) }) : deleted;
}

/** The last step of the fallback: deletes the locked credential. */
export async function deleteUserAuth(
  deps: AccountDeps,
  person: Person,
  userId: string,
): Promise<{ success: boolean; error?: string }> {
  if (!isId(userId)) return { success: false, error: sayRefusal({ code: 'account/not-found' }) };
  return inTransaction(deps.db, async (tx) => {
    if (await accountExists(tx, userId)) return { success: false, error: sayRefusal({ code: 'account/auth-remains' }) };
    if (await deleteLockedCredential(tx, userId)) {
      await audit(tx, { actor: person.account.id, action: 'delete-auth', target: userId }, deps.now());
    }
    return { success: true };
  });
}

/** What a kind of deletion does before it deletes the account, and its name in the audit log. */
type Way = (
  tx: Tx,
  account: StoredAccount,
  removeAfter: Date,
) => Promise<{ action: 'delete' | 'delete-records'; files: number }>;

/**
 * Checks the token and the rule, and deletes. Actor and account are locked together, so that of two administrators who
 * delete each other one remains: the actor of a committed deletion is still an administrator.
 */
async function deleteOnce(deps: AccountDeps, person: Person, asked: Asked, way: Way): Promise<Result<true>> {
  const { userId } = asked;
  const now = deps.now();
  const wait = await consume(deps.db, deletionLimit, person.account.id, now);
  if (wait > 0) return refuse('sign-in/too-many', { seconds: wait });
  if (!isId(userId)) return refuse('account/not-found');
  if (await wasDeleted(deps.db, userId)) return done(true);
  const spent = await consumeIdToken(deps.db, person, asked.idToken, now);
  if (!spent.ok) return spent;
  return inTransaction(deps.db, async (tx) => {
    const rows = await lockAccounts(tx, [person.account.id, userId]);
    const actor = rows.find((row) => row.id === person.account.id);
    const account = rows.find((row) => row.id === userId);
    if (!actor) return refuse('session/required');
    if (!account) return (await wasDeleted(tx, userId)) ? done(true) : refuse('account/not-found');
    const target = { ...toAccount(account), isSample: account.is_sample };
    const allowed = checkDeletion(toAccount(actor), target, deps.config.builtInAdmins);
    if (!allowed.ok) return allowed;
    await stopUploads(tx, userId);
    const { action, files } = await way(tx, account, new Date(now + limits.deletedFilesMs));
    await deleteAccount(tx, userId);
    // The ID alone would mean nothing to later readers of the log: its account is gone.
    await audit(tx, { actor: actor.id, action, target: userId, details: { email: account.email, files } }, now);
    await notify(tx, { about: 'session', accountId: userId });
    await notify(tx, { about: 'accounts' });
    deps.log.info({ event: action, actor: actor.id, account: userId, files }, 'Deleted an account');
    return done(true);
  });
}
