import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { holdDataDir, InUse, tryLock } from './data-lock.ts';
import { withConnection } from './start.ts';

const root = mkdtempSync(join(tmpdir(), 'kc-lock-'));
chmodSync(root, 0o711);
let dataDir: string;
let number = 0;
beforeEach(() => {
  dataDir = join(root, String(number++), 'data');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('REL-08 a data directory has one holder, until it lets go', async () => {
  const first = await holdDataDir(dataDir, 'server');
  await expect(holdDataDir(dataDir, 'server')).rejects.toThrow(InUse);
  first.release();
  (await holdDataDir(dataDir, 'server')).release();
});

test('a data directory that is a file is said', async () => {
  const file = import.meta.filename;
  await expect(holdDataDir(file, 'server')).rejects.toThrow(`DATA_DIR names ${file}, which is a file: name a folder`);
});

test.runIf(process.platform === 'linux')('a data directory that cannot be made is said', async () => {
  const said = "DATA_DIR cannot be made: ENOENT: no such file or directory, mkdir '/proc/keyword-clustering'";
  await expect(holdDataDir('/proc/keyword-clustering/data', 'server')).rejects.toThrow(said);
});

test('REL-08 servers of a database elsewhere may share a directory, but with nobody who needs it for itself', async () => {
  const [one, two] = [await holdDataDir(dataDir, 'server', 'shared'), await holdDataDir(dataDir, 'server', 'shared')];
  await expect(holdDataDir(dataDir, 'command')).rejects.toThrow(/Another server already uses/);
  one.release();
  two.release();
  const alone = await holdDataDir(dataDir, 'command');
  await expect(holdDataDir(dataDir, 'server', 'shared')).rejects.toThrow(
    /A command already uses \S+ \(process \d+ on /,
  );
  alone.release();
});

test('REL-08 a refusal says who is there and what to do, and nothing of a holder that is gone', async () => {
  (await holdDataDir(dataDir, 'command')).release();
  const shared = await holdDataDir(dataDir, 'server', 'shared');
  await expect(holdDataDir(dataDir, 'server')).rejects.toThrow(
    `Another server already uses ${dataDir}: stop it first.`,
  );
  shared.release();
  const server = await holdDataDir(dataDir, 'server');
  await expect(holdDataDir(dataDir, 'server')).rejects.toThrow(
    new RegExp(
      `^Another server already uses ${dataDir} \\(process ${process.pid} on .+\\): stop it first\\. If servers`,
    ),
  );
  server.release();
});

test.skipIf(process.platform === 'win32')('REL-08 a process that inherited a lock keeps it', async () => {
  const file = join(root, 'inherited.lock');
  const lock = tryLock(file);
  const child = spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', lock!.fd] });
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  lock!.release();
  expect(tryLock(file)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const again = tryLock(file);
  expect(again).toBeDefined();
  again!.release();
  stranger.kill('SIGKILL');
});

test('a command is refused while another one uses the directory, and touches nothing', async () => {
  const lock = await holdDataDir(dataDir, 'command');
  const place = { dataDir, dbOsUser: 'nobody', databaseUrl: undefined };
  await expect(withConnection(place, createLog('ERROR'), async () => undefined)).rejects.toThrow(/A command already/);
  expect(readdirSync(dataDir)).toEqual(['server.lock']);
  lock.release();
});
