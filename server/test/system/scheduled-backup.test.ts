import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkBackup } from '../../src/backup/restore-backup.ts';
import { completeBackups } from '../../src/backup/scheduled-backups.ts';
import { serverProcesses } from '../support/process.ts';

const processes = serverProcesses();
afterEach(() => processes.dispose());

test('REL-64 a server with BACKUP_DIR backs itself up as soon as it runs, with the command that people use', async () => {
  const dataDir = processes.newFolder();
  const folder = join(dirname(dataDir), 'backups');
  const running = await processes.start(dataDir, { BACKUP_DIR: folder });
  await expect.poll(async () => (await completeBackups(folder)).length).toBe(1);
  const [made] = await completeBackups(folder);
  const { tables } = await checkBackup(join(folder, made!.name));
  expect(tables.find(({ name }) => name === 'accounts')!.rows).toBe(1);
  await expect.poll(() => running.complaint()).toContain('"event":"backup"');
});
