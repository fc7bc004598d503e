import { randomUUID } from 'node:crypto';
import type { Role, Status } from '@kc/rules/account';
import { notify } from '../../database/notifications.ts';
import type { Tx } from '../../database/open.ts';
import { stopUploads } from '../deletion-queries.ts';
import type { StoredAccount } from '../queries.ts';
import { closeWaysIn } from './identity-queries.ts';

/**
 * Creates a new account with a proven email that takes over the contents of an account with an unproven email:
 * visualizations, plans, judgements of warnings, links, saved views and filters, running uploads, and records merged into it.
 * The old record stays, marked, and nobody
 * can sign in to it. Its name, picture and personal settings may be a stranger's and are not copied.
 *
 * A new table of things that users own must be moved here.
 *
 * Source: SECURITY.md, S3.
 *
 * @param old locked by the caller
 */
export async function migrateAccount(
  tx: Tx,
  old: StoredAccount,
  standing: { readonly role: Role; readonly status: Status },
  at: Date,
): Promise<StoredAccount> {
  const id = randomUUID();
  await stopUploads(tx, old.id);
  // First, because an email is unique among unmarked accounts.
  await tx
    .updateTable('accounts')
    .set({ migrated_to: id, migrated_at: at, updated_at: at })
    .where('id', '=', old.id)
    .execute();
  const account = await tx
    .insertInto('accounts')
    .values({
      id,
      email: old.email,
      ...standing,
      email_proven_at: at,
      created_by: old.created_by,
      created_at: old.created_at,
      updated_at: at,
      migrated_from: old.id,
      migrated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx.updateTable('accounts').set({ migrated_to: id }).where('migrated_to', '=', old.id).execute();
  await tx.updateTable('visualizations').set({ user_id: id }).where('user_id', '=', old.id).execute();
  await tx.updateTable('saved_views').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('presets').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('saved_views').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('plans').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('continued_roots').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('dismissed_warnings').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('dismissed_warnings').set({ dismissed_by: id }).where('dismissed_by', '=', old.id).execute();
  await tx.updateTable('warning_thresholds').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('share_links').set({ maker_id: id }).where('maker_id', '=', old.id).execute();
  await tx.updateTable('share_links').set({ opened_by: id }).where('opened_by', '=', old.id).execute();
  await tx.updateTable('plan_assignments').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await tx.updateTable('uploads').set({ user_id: id }).where('user_id', '=', old.id).execute();
  await tx.updateTable('uploads').set({ uploader_id: id }).where('uploader_id', '=', old.id).execute();
  await tx.updateTable('drafts').set({ owner_id: id }).where('owner_id', '=', old.id).execute();
  await tx.updateTable('drafts').set({ begun_by: id }).where('begun_by', '=', old.id).execute();
  await tx.updateTable('stored_files').set({ account_id: id }).where('account_id', '=', old.id).execute();
  await closeWaysIn(tx, old.id);
  await notify(tx, { about: 'visualizations', accountId: id });
  return account;
}
