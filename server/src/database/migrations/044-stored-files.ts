import { type Kysely, sql } from 'kysely';

/**
 * What lists, drafts and their maps take in storage, and for which account that counts. Of what is stored already, the lists and
 * files count; nobody noted the size of its packs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stored_files (
      key text primary key,
      account_id text not null,
      bytes bigint not null check (bytes >= 0)
    )`.execute(db);
  await sql`create index stored_files_account on stored_files (account_id)`.execute(db);
  await sql`
    insert into stored_files (key, account_id, bytes)
    select file_key, uploader_id, size from uploads where kind = 'list'
    union all
    select file_key, begun_by, file_size from drafts where file_key is not null
    union all
    select v.file_key, v.uploaded_by, v.file_size from visualizations v
      where exists (select from visualization_lists l where l.visualization_id = v.id)
    union all
    select l.file_key, v.uploaded_by, l.size from visualization_lists l
      join visualizations v on v.id = l.visualization_id
    on conflict do nothing`.execute(db);
}
