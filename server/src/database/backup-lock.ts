import { sql } from 'kysely';
import type pg from 'pg';
import { onConnection } from './copy-tables.ts';
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

/** Does something unless another server does the same now. Their connection holds the lock, so that it ends with them. */
export async function makeScheduledBackup(connection: pg.ClientConfig, work: () => Promise<void>): Promise<void> {
  await onConnection(connection, async (client) => {
    const { rows } = await client.query<{ free: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('scheduled backup', 0)) as free`,
    );
    if (rows[0]?.free) await work();
  });
}
