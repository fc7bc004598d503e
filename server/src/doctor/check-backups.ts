import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keptBackups } from '../backup/scheduled-backups.ts';
import type { Config } from '../config.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const about = 'backups';
const dayMs = 86_400_000;

/** Whether the server can write to `BACKUP_DIR`, whether that is another disk, and how old the newest backup is. */
export async function checkBackups(
  { backups, dataDir }: Pick<Config, 'backups' | 'dataDir'>,
  now: number,
): Promise<Finding[]> {
  if (!backups) return [];
  const { folder } = backups;
  const place = await existing(folder);
  const isWritable = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return [problem(about, `${place} cannot be written to, so that no backup can be made in ${folder}`)];
  const newest = (await keptBackups(folder)).at(-1);
  const age = newest && Math.floor((now - newest.begun) / dayMs);
  const isOnSameDisk = (await stat(place)).dev === (await stat(dataDir)).dev;
  return [
    ...(isOnSameDisk ? [warning(about, `${folder} is on the disk of ${dataDir}: a lost disk would lose both`)] : []),
    age === undefined
      ? warning(about, `There is no backup in ${folder} yet`)
      : age > 1
        ? warning(about, `The newest backup in ${folder} is ${age} days old: look for backup-failed in the log`)
        : ok(about, `The newest backup in ${folder} is not older than two days`),
  ];
}

/** The folder, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  return found || dirname(folder) === folder ? folder : existing(dirname(folder));
}
