import { sql } from 'kysely';
import { stopUpload } from '../database/notifications.ts';
import { changesRow, findsRow, type Queryable, type Tx } from '../database/open.ts';

/** The account and what was merged into it: records of the same person that are marked as migrated to it. */
const recordsOf = (id: string) => sql<string>`(select id from accounts where id = ${id} or migrated_to = ${id})`;

/** Whether this account was deleted before. */
export async function wasDeleted(db: Queryable, id: string): Promise<boolean> {
  return findsRow(
    db
      .selectFrom('audit_log')
      .select('id')
      .where('target', '=', id)
      .where('action', 'in', ['delete', 'delete-records']),
  );
}

/**
 * Lists the stored files that a deletion leaves behind: of the user's visualizations, and of uploads and drafts for or
 * by the user, except files that another user's visualization uses. Nothing removes them before `removeAfter`.
 *
 * @returns their storage keys
 */
export async function noteDeletedFiles(tx: Tx, id: string, removeAfter: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    insert into deleted_files (key, remove_after)
    select key, ${removeAfter} from (
      select unnest(array[file_key, pack_key]) as key from visualizations where user_id in ${recordsOf(id)}
      union
      select unnest(array[file_key, pack_key]) from uploads
        where user_id in ${recordsOf(id)} or uploader_id in ${recordsOf(id)}
      union
      select unnest(array[graph_key, file_key, pack_key]) from drafts
        where owner_id in ${recordsOf(id)} or begun_by in ${recordsOf(id)}
      union
      select l.file_key from visualization_lists l join visualizations v on v.id = l.visualization_id
        where v.user_id in ${recordsOf(id)}
    ) as files
    where files.key is not null and not exists (
      select from visualizations v where files.key in (v.file_key, v.pack_key) and v.user_id not in ${recordsOf(id)}
    )
    on conflict (key) do update set remove_after = excluded.remove_after
    returning key`.execute(tx);
  return rows.map((row) => row.key);
}

/** Aborts the requests that are sending files for this user or as this user. */
export async function stopUploads(tx: Tx, id: string): Promise<void> {
  const uploads = await tx
    .selectFrom('uploads')
    .select('id')
    .where('state', '=', 'receiving')
    .where((e) => e.or([e('user_id', 'in', recordsOf(id)), e('uploader_id', 'in', recordsOf(id))]))
    .execute();
  for (const upload of uploads) await stopUpload(tx, upload.id);
}

export async function deleteCredentials(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('credentials').where('account_id', 'in', recordsOf(id)).execute();
}

/** Locks credentials: from now on no password opens them, even if the rest fails. */
export async function lockCredentials(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('credentials').set({ locked_at: now }).where('account_id', 'in', recordsOf(id)).execute();
}

/** Deletes the account, and with it its sessions, tokens, streams, uploads and visualizations. */
export async function deleteAccount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('accounts').where('id', 'in', recordsOf(id)).execute();
}

/** Whether an account's credential still exists. */
export async function hasCredential(db: Queryable, id: string): Promise<boolean> {
  return findsRow(db.selectFrom('credentials').select('account_id').where('account_id', '=', id));
}

/** @returns whether there was a locked credential to delete */
export async function deleteLockedCredential(db: Queryable, id: string): Promise<boolean> {
  return changesRow(db.deleteFrom('credentials').where('account_id', '=', id).where('locked_at', 'is not', null));
}

export async function accountExists(db: Queryable, id: string): Promise<boolean> {
  return findsRow(db.selectFrom('accounts').select('id').where('id', '=', id));
}
