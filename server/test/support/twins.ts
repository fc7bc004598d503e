import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Db } from '../../src/database/open.ts';

type Place = { readonly database: { readonly owner: pg.ClientConfig; readonly db: Db }; readonly clock: number };

/** Drops the index that prevents duplicates, as in a database with imported data. */
export async function allowTwins(server: Place): Promise<void> {
  const owner = new pg.Client(server.database.owner);
  await owner.connect();
  await owner.query('drop index accounts_email');
  await owner.end();
}

export type Twin = {
  email: string;
  proven?: boolean;
  createdBy?: string;
  lastLogin?: number;
  role?: 'admin' | 'user';
  status?: 'approved' | 'pending' | 'denied';
};

/** @returns the ID of the new account */
export async function addTwin(server: Place, twin: Twin): Promise<string> {
  const { email, proven = false, createdBy = 'system', lastLogin, role = 'user', status = 'approved' } = twin;
  const id = randomUUID();
  const at = new Date(server.clock);
  await server.database.db
    .insertInto('accounts')
    .values({
      id,
      email,
      role,
      status,
      created_by: createdBy,
      created_at: at,
      updated_at: at,
      email_proven_at: proven ? at : null,
      last_login: lastLogin === undefined ? null : new Date(lastLogin),
    })
    .execute();
  return id;
}
