import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file in the data directory while a backup is being restored into it. It contains the backup's ID. */
export const restoreMark = (dataDir: string): string => join(dataDir, 'restore.unfinished');

/** The ID of the backup that is being restored here, or was last; `undefined` if none is. */
export function unfinishedRestore(dataDir: string): string | undefined {
  const mark = restoreMark(dataDir);
  return existsSync(mark) ? readFileSync(mark, 'utf8').trim() : undefined;
}

/** @throws Error if a restore into this directory is incomplete */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (unfinishedRestore(dataDir) === undefined) return;
  throw new Error(`A restore into ${dataDir} was not finished: run it again, or remove ${dataDir} and start over`);
}
