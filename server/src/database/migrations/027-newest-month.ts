import { type Kysely, sql } from 'kysely';

/** The newest of the twelve months of a file that numbers them, as a person says it is: `2026-04`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table visualizations add column newest_month text
      check (newest_month ~ '^\\d{4}-(0[1-9]|1[0-2])$')`.execute(db);
}
