import type { Db } from '../../database/open.ts';
import type { Queue } from '../../jobs/jobs.ts';
import type { Log } from '../../log.ts';
import type { Storage } from '../../storage/storage.ts';
import { endGrace, referencedKeys } from '../queries.ts';

export type DeleteFilesDeps = {
  readonly db: Db;
  readonly storage: Storage;
  readonly log: Log;
  /** Milliseconds since 1970. */
  now(): number;
};

export type DeleteFilesJob = { readonly keys: readonly string[] };

const expireSeconds = 3600;

/**
 * Removes the stored files of a deleted account or visualization. The job is queued with the deletion and begins a day later, so that a
 * backup that runs meanwhile finds every file its snapshot speaks of; until then the sweep leaves the files alone, too.
 *
 * What a visualization lives on after all stays. May be begun again at any point: a file that is gone is gone.
 *
 * Source: decisions §6, security S8.
 */
export function deleteFilesQueue({ db, storage, log, now }: DeleteFilesDeps): Queue<DeleteFilesJob> {
  return {
    name: 'delete-files',
    expireSeconds,
    async run({ keys }, signal) {
      await endGrace(db, { keys });
      const spokenOf = await referencedKeys(db, keys, new Date(now()));
      for (const key of keys) {
        signal.throwIfAborted();
        if (!spokenOf.has(key)) await storage.remove(key);
      }
      log.info({ event: 'delete-files', files: keys.length - spokenOf.size }, 'Removed deleted files');
    },
  };
}
