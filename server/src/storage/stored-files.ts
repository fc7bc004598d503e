import { sql } from 'kysely';
import type { Db, Queryable } from '../database/open.ts';
import type { Storage } from './storage.ts';

/** A stored object, by its storage key. */
export type StoredObject = { readonly key: string; readonly bytes: number };

/** What is under construction has no row, and nobody misses it. */
export const isLasting = (key: string): boolean => !key.startsWith('temp-');

/** Which of these objects this database has made. */
export async function madeHere(db: Queryable, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    select key from stored_files where key = any (${sql.val([...keys])}::text[])`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** The storage, whose objects the database knows from before they exist until they are removed. */
export function recordFiles(storage: Storage, db: Db): Storage {
  const record = async (key: string): Promise<void> => {
    if (!isLasting(key)) return;
    await sql`insert into stored_files (key) values (${key}) on conflict do nothing`.execute(db);
  };
  return {
    ...storage,
    async append(key, offset, generation) {
      if (offset === 0) await record(key);
      return storage.append(key, offset, generation);
    },
    async publish(from, to) {
      await record(to);
      await storage.publish(from, to);
    },
    async remove(key) {
      await storage.remove(key);
      if (isLasting(key)) await db.deleteFrom('stored_files').where('key', '=', key).execute();
    },
  };
}

/**
 * Counts stored objects for the account that caused them: lists, drafts, and the maps that are made of these. They count
 * until they are removed from the storage, which is a day after a draft or a map is deleted.
 */
export async function noteStored(db: Queryable, accountId: string, objects: readonly StoredObject[]): Promise<void> {
  await db
    .insertInto('stored_files')
    .values(objects.map(({ key, bytes }) => ({ key, account_id: accountId, bytes })))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({ account_id: ref('excluded.account_id'), bytes: ref('excluded.bytes') })),
    )
    .execute();
}

/** Counts an object for the same account as the object that it was made of. */
export async function noteMade(db: Queryable, of: string, { key, bytes }: StoredObject): Promise<void> {
  const found = await db.selectFrom('stored_files').select('account_id').where('key', '=', of).executeTakeFirst();
  if (found?.account_id) await noteStored(db, found.account_id, [{ key, bytes }]);
}
