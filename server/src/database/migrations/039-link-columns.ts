import { type Kysely, sql } from 'kysely';

/** The columns of the file that a client link shows. Links from before show those that do not look personal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table share_links add column columns jsonb check (jsonb_typeof(columns) = 'array')`.execute(db);
}
