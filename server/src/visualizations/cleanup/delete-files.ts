import { setTimeout as pause } from 'node:timers/promises';
import { isBackupRunning } from '../../database/backup-lock.ts';
import type { Queue } from '../../jobs/jobs.ts';
import type { ServerParts } from '../../server-parts.ts';
import { endGrace, referencedKeys } from '../queries.ts';

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
      const gone = keys.filter((key) => !referenced.has(key));
      for (const key of gone) {
        signal.throwIfAborted();
        await storage.remove(key);
      }
      log.info({ event: 'delete-files', files: gone.length }, 'Removed deleted files');
    },
  };
}
