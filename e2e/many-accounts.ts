import pg from 'pg';
import type { RunningServer } from './server.ts';

/**
 * Inserts accounts without a password into the database of a stage's server: `name@example.com` for each name, each
 * newer than the previous one, and all older than the server. Signing them up would take a password hash each, and many
 * sign-ups from one address need a proof of work.
 */
export async function insertAccounts(
  { databaseUrl }: RunningServer,
  names: readonly string[],
  status: 'pending' | 'approved' | 'denied',
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into accounts (id, email, display_name, role, status, created_by, created_at, updated_at)
     select gen_random_uuid()::text, name || '@example.com', name, 'user', $2, 'system',
            made_at, made_at
       from unnest($1::text[]) with ordinality as people (name, n),
            lateral (select timestamptz '2026-01-01' + (n + count(*)) * interval '1 minute' from accounts) made (made_at)`,
    [names, status],
  );
  await client.query(`select pg_notify('kc', '{"about":"accounts"}')`);
  await client.end();
}
