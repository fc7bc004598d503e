import { type Kysely, sql } from 'kysely';

/**
 * Paths keep the names of the file as they are, because node IDs are hashes of them: `json` stores a NUL that the file
 * has, and `jsonb` refuses it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan_entries alter column paths type json using paths::json`.execute(db);
  await sql`
    alter table plan_changes alter column before type json using before::json,
      alter column after type json using after::json`.execute(db);
  await sql`alter table dismissed_warnings alter column paths type json using paths::json`.execute(db);
}
