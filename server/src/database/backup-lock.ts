import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './open.ts';

const lock = "hashtextextended('backup', 0)";

/** Until this connection ends, stored files that are due for removal stay. Several backups may run at once. */
export async function holdStoredFiles(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${lock})`);
}

/** Whether a backup is copying stored files now. */
export async function isBackupRunning(db: Db): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${sql.raw(lock)}) as free`.execute(
      transaction,
    );
    return rows[0]?.free !== true;
  });
}
