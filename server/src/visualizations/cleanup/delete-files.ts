import { setTimeout as pause } from 'node:timers/promises';
import type { DeletedFiles } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { audit } from '../../database/audit.ts';
import { isBackupRunning } from '../../database/backup-lock.ts';
import { inTransaction, type Queryable } from '../../database/open.ts';
import { allowed } from '../../http/refusals.ts';
import type { Queue } from '../../jobs/jobs.ts';
import type { ServerParts } from '../../server-parts.ts';
import type { Storage } from '../../storage/storage.ts';
import { endGrace, noteDeletedFiles, referencedKeys } from '../queries.ts';

type DeleteFilesDeps = Pick<ServerParts, 'db' | 'storage' | 'log' | 'now'>;

type DeleteFilesJob = { readonly keys: readonly string[] };

const expireSeconds = 3600;
const lookAgainMs = 1_000;

/**
 * Removes the stored files of a deleted account or visualization. The job is queued with the deletion and runs a day
 * later, so that a backup in progress finds every file of its snapshot. Until then the sweep leaves the files alone.
 *
 * Files that another visualization still uses are kept. The job can be repeated at any point: removing a missing file
 * is no error.
 *
 * Source: SECURITY.md, S8.
 */
export function deleteFilesQueue({ db, storage, log, now }: DeleteFilesDeps): Queue<DeleteFilesJob> {
  return {
    name: 'delete-files',
    expireSeconds,
    async run({ keys }, signal) {
      // A revision of a draft is removed after a minute, and a backup may have begun before that.
      while (await isBackupRunning(db)) await pause(lookAgainMs, undefined, { signal });
      await endGrace(db, { keys });
      const referenced = await referencedKeys(db, keys, new Date(now()));
      const unused = keys.filter((key) => !referenced.has(key));
      for (const key of unused) {
        signal.throwIfAborted();
        await storage.remove(key);
      }
      log.info({ event: 'delete-files', files: unused.length }, 'Removed deleted files');
    },
  };
}

type PurgeDeps = Pick<ServerParts, 'db' | 'storage' | 'log' | 'isAdmin' | 'queueFileDeletion' | 'now'>;

const statsAtOnce = 16;
/** Of one job, which the database keeps as one row. */
const keysOfJob = 1_000;

/** How much space deleted files still take, except for those that are removed within a minute in any case. */
export async function deletedFiles({
  db,
  storage,
  now,
}: Pick<PurgeDeps, 'db' | 'storage' | 'now'>): Promise<DeletedFiles> {
  return measure(storage, await keysToPurge(db, now()));
}

/**
 * Shortens the retention of all deleted files to a minute, in which requests that are under way end. The job that removes
 * them waits for a backup in progress, as it always does.
 *
 * Source: SECURITY.md, REL-61
 *
 * @returns what will be removed
 * @throws the refusal as the contract's error unless the actor is still an administrator
 */
export async function purge(deps: PurgeDeps, actorId: string): Promise<DeletedFiles> {
  const { db, storage, log, isAdmin, now, queueFileDeletion } = deps;
  const keys = await keysToPurge(db, now());
  const purged = await measure(storage, keys);
  await inTransaction(db, async (tx) => {
    allowed(await isAdmin(tx, actorId));
    if (keys.length === 0) return;
    const removeAfter = new Date(now() + limits.pastRevisionMs);
    for (let at = 0; at < keys.length; at += keysOfJob) {
      const some = keys.slice(at, at + keysOfJob);
      await noteDeletedFiles(tx, some, removeAfter);
      await queueFileDeletion(tx, some, removeAfter);
    }
    await audit(tx, { actor: actorId, action: 'purge', target: 'storage', details: purged }, now());
  });
  log.info({ event: 'purge', actor: actorId, ...purged }, 'Deleted files are removed early');
  return purged;
}

/** Keys of deleted files whose time is not over, and that nothing else refers to. */
async function keysToPurge(db: Queryable, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deleted_files')
    .select('key')
    .where('remove_after', '>', new Date(now + limits.pastRevisionMs))
    .orderBy('key')
    .execute();
  const keys = rows.map(({ key }) => key);
  const used = await referencedKeys(db, keys, new Date(now + 2 * limits.deletedFilesMs));
  return keys.filter((key) => !used.has(key));
}

/** Files that the sweep has removed already take nothing. */
async function measure(storage: Storage, keys: readonly string[]): Promise<DeletedFiles> {
  let [files, bytes] = [0, 0];
  for (let at = 0; at < keys.length; at += statsAtOnce) {
    const found = await Promise.all(keys.slice(at, at + statsAtOnce).map((key) => storage.stat(key)));
    for (const one of found) {
      if (!one) continue;
      files++;
      bytes += one.size;
    }
  }
  return { files, bytes };
}
