import { type Kysely, sql } from 'kysely';

/** Used proofs of work, so that none counts twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table used_proofs (
      signature bytea primary key,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index used_proofs_expiry on used_proofs (expires_at)`.execute(db);
}
