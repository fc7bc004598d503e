import { type Kysely, sql } from 'kysely';

/** Identities at OpenID Connect issuers: issuer and subject, never the email. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      iss text not null,
      sub text not null,
      account_id text not null references accounts (id) on delete cascade,
      email text,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      primary key (iss, sub)
    )`.execute(db);
  await sql`create index identities_account on identities (account_id)`.execute(db);
}
