import { type Kysely, sql } from 'kysely';

/** Moves of branches that nothing has followed yet, because their map was saved without being made active. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pending_moves (
      visualization_id text primary key references visualizations (id) on delete cascade,
      moves jsonb not null
    )`.execute(db);
}
