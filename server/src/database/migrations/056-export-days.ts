import { type Kysely, sql } from 'kysely';

/** The day that a tool exported the list that a map is made of, as its name or a line above its header says: `2026-04-30`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table visualizations add column exported_on text
      check (exported_on ~ '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$')`.execute(db);
}
