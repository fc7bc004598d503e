import { type Kysely, sql } from 'kysely';

/** A dismissed warning follows its branch to a new path, and keeps the earlier ones for earlier maps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table dismissed_warnings add column paths jsonb`.execute(db);
  await sql`update dismissed_warnings set paths = jsonb_build_array(path)`.execute(db);
  await sql`alter table dismissed_warnings alter column paths set not null`.execute(db);
  await sql`alter table dismissed_warnings drop column path`.execute(db);
}
