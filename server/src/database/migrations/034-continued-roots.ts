import { type Kysely, sql } from 'kysely';

/**
 * To which data set the uploads under a root belong, if a person has chosen: to one that began under another root, or to one of
 * their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table continued_roots (
      owner_id text not null references accounts (id) on delete cascade,
      root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
      data_hash text not null check (data_hash ~ '^[0-9a-f]{64}$'),
      chosen_by text not null,
      chosen_at timestamptz not null,
      primary key (owner_id, root_hash)
    )`.execute(db);
}
