import { type Kysely, sql } from 'kysely';

/** What clustering took, for estimates: when the stage of a draft began, how many keywords it has, and the last runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table drafts add column stage_at timestamptz, add column counted integer`.execute(db);
  await sql`
    create table clustering_times (
      id bigint generated always as identity primary key,
      keywords integer not null,
      stages jsonb not null
    )
  `.execute(db);
}
