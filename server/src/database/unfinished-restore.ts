import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lies in a data directory while a backup is being restored into it, and says which by its id. */
export const restoreMark = (dataDir: string): string => join(dataDir, 'restore.unfinished');

/** The id of the backup that is, or was last, being restored here; `undefined` when none is. */
export function unfinishedRestore(dataDir: string): string | undefined {
  const mark = restoreMark(dataDir);
  return existsSync(mark) ? readFileSync(mark, 'utf8').trim() : undefined;
}

/** @throws Error when what lies here is only half of a backup */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (unfinishedRestore(dataDir) === undefined) return;
  throw new Error(`A restore into ${dataDir} was not finished: run it again, or remove ${dataDir} and begin anew`);
}
