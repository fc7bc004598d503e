import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { makeScheduledBackup } from '../database/backup-lock.ts';
import { createLog } from '../log.ts';
import { formatVersion, type Manifest, manifestName } from './manifest.ts';
import { completeBackups, dueAt, scheduleBackups } from './scheduled-backups.ts';

const at = (text: string): number => Date.parse(text);
const three = 180;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const emptyBackup: Manifest = {
  format: formatVersion,
  id: '0'.repeat(32),
  at: '2026-03-01T12:00:00.000Z',
  version: '0.0.0',
  schema: '',
  tables: [],
  files: [],
};

async function complete(folder: string, name: string, manifest = JSON.stringify(emptyBackup)): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, manifestName), manifest);
}

/** A schedule with a clock of its own whose backups are empty folders. */
async function scheduled(keep = 2, begin = '2026-03-01T12:00:00Z') {
  const folder = await mkdtemp(join(tmpdir(), 'kc-scheduled-'));
  const clock = { now: at(begin), fails: false };
  const made: [string, string | undefined][] = [];
  const lines: Record<string, unknown>[] = [];
  const one = () => {
    const backups = scheduleBackups({
      schedule: { folder, atMinute: three, keep },
      log: createLog('INFO', { write: (line) => lines.push(JSON.parse(line)) }),
      alone: (work) => makeScheduledBackup(database.connection, work),
      now: () => clock.now,
      async make(target, since) {
        if (clock.fails) throw new Error('The disk is full');
        made.push([basename(target), since && basename(since)]);
        await complete(folder, basename(target));
        return 'made';
      },
    });
    onTestFinished(() => backups.stop());
    return backups;
  };
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, clock, made, lines, one, names: async () => (await readdir(folder)).sort() };
}

test('a backup is due at a time of the day, today or yesterday', () => {
  expect(dueAt(at('2026-03-01T03:00:00Z'), three)).toBe(at('2026-03-01T03:00:00Z'));
  expect(dueAt(at('2026-03-01T02:59:59Z'), three)).toBe(at('2026-02-28T03:00:00Z'));
});

test('a backup that was made while the clock was a year ahead holds back none', async () => {
  const { folder, made, one } = await scheduled();
  await complete(folder, '2027-03-01T03-00-00Z');
  const backups = one();
  await backups.look();
  await backups.look();
  expect(made.map(([name]) => name)).toEqual(['2026-03-01T12-00-00Z']);
});

// Shows P26.5.
test('REL-64 a backup is made once a day, each from the one before, and the oldest ones are removed', async () => {
  const { clock, made, one, names } = await scheduled();
  const backups = one();
  await backups.look();
  clock.now = at('2026-03-02T02:59:00Z');
  await backups.look();
  expect(made).toEqual([['2026-03-01T12-00-00Z', undefined]]);
  clock.now = at('2026-03-02T03:00:30Z');
  for (let day = 0; day < 2; day++, clock.now += 86_400_000) {
    await backups.look();
    await backups.look();
  }
  expect(made.slice(1)).toEqual([
    ['2026-03-02T03-00-30Z', '2026-03-01T12-00-00Z'],
    ['2026-03-03T03-00-30Z', '2026-03-02T03-00-30Z'],
  ]);
  expect(await names()).toEqual(['2026-03-02T03-00-30Z', '2026-03-03T03-00-30Z']);
});

test('REL-64 what the schedule has not made stays, and so does a folder that is not complete', async () => {
  const { folder, one, names } = await scheduled(1);
  await complete(folder, 'before-the-move');
  await complete(folder, '2026-02-01T03-00-00Z');
  await mkdir(join(folder, '2026-02-02T03-00-00Z'));
  await mkdir(join(folder, '2026-02-03T03-00-00Z.unfinished-0a1b2c3d'));
  await mkdir(join(folder, 'monday.unfinished-0a1b2c3d'));
  expect((await completeBackups(folder)).map(({ name }) => name)).toEqual(['2026-02-01T03-00-00Z']);
  await one().look();
  expect(await names()).toEqual([
    '2026-02-02T03-00-00Z',
    '2026-03-01T12-00-00Z',
    'before-the-move',
    'monday.unfinished-0a1b2c3d',
  ]);
});

test('REL-64 a backup whose manifest is damaged, or of a newer version, does not keep the next ones from being made', async () => {
  const { folder, made, lines, one } = await scheduled(4);
  await complete(folder, '2026-02-26T03-00-00Z');
  await complete(folder, '2026-02-27T03-00-00Z', JSON.stringify({ ...emptyBackup, format: formatVersion + 1 }));
  await complete(folder, '2026-02-28T03-00-00Z', '{"format":');
  await one().look();
  expect(made).toEqual([['2026-03-01T12-00-00Z', '2026-02-26T03-00-00Z']]);
  expect(lines).toMatchObject([
    { level: 'WARN', event: 'backup-unusable', folder: join(folder, '2026-02-28T03-00-00Z') },
    { level: 'WARN', event: 'backup-unusable', folder: join(folder, '2026-02-27T03-00-00Z') },
    { level: 'INFO', event: 'backup' },
  ]);
});

// Shows P26.5.
test('REL-64 a backup that fails is reported, removes nothing, and is tried again after an hour', async () => {
  const { folder, clock, made, lines, one, names } = await scheduled(1);
  await complete(folder, '2026-02-01T03-00-00Z');
  await complete(folder, '2026-02-02T03-00-00Z');
  const backups = one();
  clock.fails = true;
  await backups.look();
  expect(lines).toMatchObject([{ level: 'ERROR', event: 'backup-failed', err: { message: 'The disk is full' } }]);
  expect(await names()).toHaveLength(2);
  clock.fails = false;
  clock.now += 3_599_999;
  await backups.look();
  expect(made).toEqual([]);
  clock.now += 1;
  await backups.look();
  expect(made).toHaveLength(1);
  expect(await names()).toHaveLength(1);
});

test('REL-64 an old backup that cannot be removed is reported, keeps no other one, and makes no new one a failure', async () => {
  const { folder, clock, made, lines, one, names } = await scheduled(1);
  // A folder in the place of the manifest: it counts as complete, and is not removed as a file is.
  await mkdir(join(folder, '2026-02-01T03-00-00Z', manifestName), { recursive: true });
  await complete(folder, '2026-02-02T03-00-00Z');
  const backups = one();
  await backups.look();
  expect(await names()).toEqual(['2026-02-01T03-00-00Z', '2026-03-01T12-00-00Z']);
  expect(lines.filter(({ level }) => level === 'ERROR')).toMatchObject([
    { event: 'backup-not-removed', folder: join(folder, '2026-02-01T03-00-00Z') },
  ]);
  clock.now = at('2026-03-02T03:00:30Z');
  await backups.look();
  expect(made).toHaveLength(2);
});

test('REL-64 of several servers with the same folder, one makes the backup', async () => {
  const { made, one } = await scheduled();
  await Promise.all([one(), one(), one()].map((backups) => backups.look()));
  expect(made).toHaveLength(1);
});
