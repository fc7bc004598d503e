import { type Kysely, sql } from 'kysely';

/** What people corrected in the reading of lists, remembered for lists with the same header. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table list_readings (
      account_id text not null references accounts (id) on delete cascade,
      header_hash text not null check (header_hash ~ '^[0-9a-f]{64}$'),
      corrections jsonb not null,
      corrected_at timestamptz not null,
      primary key (account_id, header_hash)
    )`.execute(db);
}
