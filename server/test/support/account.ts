import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/database/open.ts';

/** Somebody without a password, who waits. @returns their id */
export async function insertTestAccount(db: Db, now: number): Promise<string> {
  const id = randomUUID();
  const at = new Date(now);
  await db
    .insertInto('accounts')
    .values({ id, email: `${id}@example.org`, created_at: at, updated_at: at })
    .execute();
  return id;
}
