import { type Kysely, sql } from 'kysely';

/** The format of each pack: packs of an earlier format are rebuilt from their originals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table visualizations add column pack_version integer not null default 1`.execute(db);
  await sql`create index visualizations_pack_version on visualizations (pack_version)`.execute(db);
}
