import { type Kysely, sql } from 'kysely';

/** Addresses of other programs that are told what happens, and what is or was sent to each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id text primary key,
      url text not null,
      events text[] not null,
      made_at timestamptz not null,
      off_at timestamptz,
      off_because text check (off_because in ('person', 'failures')),
      failing_since timestamptz
    )`.execute(db);
  await sql`
    create table webhook_deliveries (
      id text primary key,
      webhook_id text not null references webhooks (id) on delete cascade,
      event text not null,
      subject text,
      data jsonb not null,
      made_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      is_by_hand boolean not null default false,
      next_at timestamptz not null,
      attempts integer not null default 0,
      failed_at timestamptz,
      last_at timestamptz,
      status integer,
      fault text
    )`.execute(db);
  await sql`create index webhook_deliveries_of on webhook_deliveries (webhook_id, made_at)`.execute(db);
}
