import { type Kysely, sql } from 'kysely';

/** The identity of this database, which its storage carries as well, and the keys of all objects that it has made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table database_identity (id text not null)`.execute(db);
  await sql`create unique index database_identity_once on database_identity ((true))`.execute(db);
  await sql`insert into database_identity (id) values (replace(gen_random_uuid()::text, '-', ''))`.execute(db);
  await sql`create table stored_keys (key text primary key)`.execute(db);
  await sql`
    insert into stored_keys (key)
    select key from (
      select unnest(array[file_key, pack_key]) from uploads
      union select unnest(array[file_key, pack_key]) from visualizations
      union select unnest(array[graph_key, file_key, pack_key]) from drafts
      union select file_key from visualization_lists
      union select unnest(array[file_key, pack_key]) from past_revisions
      union select key from deleted_files
    ) as referred (key)
    where key is not null`.execute(db);
}
