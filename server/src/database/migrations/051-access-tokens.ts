import { type Kysely, sql } from 'kysely';

/** Tokens with which programs make the calls of a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table access_tokens (
      id text primary key,
      token_hash bytea not null unique,
      account_id text not null references accounts (id) on delete cascade,
      name text not null,
      scopes text[] not null,
      visualization_id text references visualizations (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      last_used_at timestamptz,
      addresses text[] not null default '{}'
    )`.execute(db);
  await sql`create index access_tokens_of on access_tokens (account_id)`.execute(db);
  await sql`create index access_tokens_in on access_tokens (visualization_id)`.execute(db);
}
