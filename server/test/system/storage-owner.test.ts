// Shows REL-39.
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isKey } from '../../src/storage/storage.ts';
import { createWorld, deliver, findLost, someFile } from '../support/crash.ts';
import { databaseUrl } from '../support/database.ts';
import { emptyPlace, type Place } from '../support/places.ts';
import { endProcess, serverProcesses } from '../support/process.ts';
import { insertAccount } from '../support/rows.ts';

const processes = serverProcesses();
let elsewhere: Place;
// Each test starts several servers.
vi.setConfig({ testTimeout: 300_000 });
beforeEach(async () => {
  elsewhere = await emptyPlace(processes.newFolder(), undefined);
});
afterEach(async () => {
  await processes.dispose();
  await elsewhere.database.close();
});

/** As old as what a sweep removes. */
function makeOld(folder: string): void {
  const longAgo = Date.now() / 1000 - 30 * 86_400;
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), longAgo, longAgo);
}

test('REL-38 files outlive a start with another database, which is refused until it is told to take them over', async () => {
  const world = await createWorld(processes);
  await world.start();
  await world.inDatabase((db) => insertAccount(db, 'ann'));
  const delivered = [await deliver(world, 'ann', someFile(1)), await deliver(world, 'ann', someFile(2))];
  await world.stop();
  const files = join(world.dataDir, 'files');
  makeOld(files);
  const before = readdirSync(files).sort();
  expect(before.filter(isKey)).toHaveLength(4);
  const owner = readFileSync(join(files, 'owner'), 'utf8').trim();

  const other = { SECRET: 's'.repeat(32), DATABASE_URL: databaseUrl(elsewhere.database) };
  const refusal = new RegExp(`${files} has the files of another database.*ADOPT_STORAGE=${owner}`);
  await expect(processes.start(world.dataDir, other)).rejects.toThrow(refusal);
  expect(readdirSync(files).sort()).toEqual(before);

  await world.start();
  expect(await findLost(world, delivered)).toEqual([]);
  await world.stop();

  const taking = await processes.start(world.dataDir, { ...other, ADOPT_STORAGE: owner });
  expect((await fetch(`${taking.url}/readyz`)).status).toBe(200);
  await endProcess(taking.child, 'SIGTERM');
  expect(readdirSync(files).sort()).toEqual(before);
  await expect(world.start()).rejects.toThrow(/has the files of another database/);
});

test('REL-38 servers that share a database and its files start together', async () => {
  const dataDir = processes.newFolder();
  const both = { SECRET: 's'.repeat(32), DATABASE_URL: databaseUrl(elsewhere.database) };
  const started = await Promise.all([1, 2].map(() => processes.start(dataDir, both)));
  for (const { url } of started) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(existsSync(join(dataDir, 'files', 'owner'))).toBe(true);
});
