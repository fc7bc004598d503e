import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/database/open.ts';

/** Inserts a pending account without a password. @returns its ID */
export async function insertTestAccount(db: Db, now: number): Promise<string> {
  const id = randomUUID();
  const at = new Date(now);
  await db
    .insertInto('accounts')
    .values({ id, email: `${id}@example.org`, created_at: at, updated_at: at })
    .execute();
  return id;
}
