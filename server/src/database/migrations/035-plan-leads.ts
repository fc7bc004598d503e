import { type Kysely, sql } from 'kysely';

/** How many months before its peak a page is to be published, for all uploads of a data set. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plans add column lead_months smallint not null default 2 check (lead_months between 0 and 6)`.execute(
    db,
  );
}
