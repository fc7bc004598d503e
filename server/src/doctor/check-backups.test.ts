import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkBackups } from './checks.ts';

const now = Date.parse('2026-03-05T12:00:00Z');

async function examined(...names: string[]) {
  const parent = await mkdtemp(join(tmpdir(), 'kc-doctor-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'not', 'yet');
  for (const name of names) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'manifest.json'), '{}');
  }
  const found = await checkBackups({ backups: { folder, atMinute: 180, keep: 7 }, dataDir: parent }, now);
  return { found, folder, parent };
}

test('a folder for backups that is on the same disk, or has no backup yet, is a warning, and nothing is created', async () => {
  const { found, folder, parent } = await examined();
  expect(found).toEqual([
    { kind: 'warning', about: 'backups', text: `${folder} is on the disk of ${parent}: a lost disk would lose both` },
    { kind: 'warning', about: 'backups', text: `There is no backup in ${folder} yet` },
  ]);
  expect(await readdir(parent)).toEqual([]);
});

test('the age of the newest backup counts', async () => {
  const fresh = await examined('2026-03-01T03-00-00Z', '2026-03-04T03-00-00Z');
  expect(fresh.found.at(-1)).toMatchObject({ kind: 'ok' });
  const old = await examined('2026-03-01T03-00-00Z');
  expect(old.found.at(-1)).toMatchObject({ kind: 'warning', text: expect.stringContaining('is 4 days old') });
});

test('without BACKUP_DIR there is nothing to say', async () => {
  expect(await checkBackups({ backups: undefined, dataDir: '/' }, now)).toEqual([]);
});
