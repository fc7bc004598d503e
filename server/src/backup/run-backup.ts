import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ScheduleDeps } from './scheduled-backups.ts';

const command = fileURLToPath(new URL('../commands/backup.ts', import.meta.url));

/**
 * Makes a backup with the command that people use, in a process of its own, at low priority and with the variables of this
 * server.
 */
export const runBackup: ScheduleDeps['make'] = async (target, since, signal) => {
  const given = since === undefined ? [target] : ['--since', since, target];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--disable-sigusr1', command, ...given], {
      signal,
    });
    return stdout.trim();
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr?.trim() ? new Error(stderr.trim(), { cause: error }) : error;
  }
};
