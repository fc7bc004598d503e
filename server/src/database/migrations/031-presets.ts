import { type Kysely, sql } from 'kysely';

/** Scores are saved beside filters, under names as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table filter_presets rename to presets`.execute(db);
  await sql`alter table presets rename column filter to text`.execute(db);
  await sql`alter index filter_presets_of rename to presets_of`.execute(db);
  await sql`alter table presets add column kind text not null default 'filter'`.execute(db);
  await sql`alter table presets alter column kind drop default`.execute(db);
  await sql`alter table presets add check (kind in ('filter', 'score'))`.execute(db);
}
