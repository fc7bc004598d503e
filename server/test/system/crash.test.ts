import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorld,
  type Delivered,
  deliver,
  fileSizes,
  findLoose,
  findLost,
  fingerprint,
  recordsOf,
  runCommand,
  someFile,
  type World,
} from '../support/crash.ts';
import type { Fault } from '../support/faults.ts';
import { serverProcesses } from '../support/process.ts';
import { isLong, proof, report } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';

// A sample of `npm run prove -- crash`. That kills the server at every point, every second time together with the
// database, with files that are read during the upload and files that are read afterwards.
const { runs } = proof(1);
const pointMs = 180_000;

/** The points at which the server is killed during an upload. Source: SECURITY.md, kill points. */
const points: readonly (readonly [name: string, what: string, at: string, nth?: number])[] = [
  ['K1', 'before the row of the upload', 'before sql insert uploads'],
  ['K2', 'the row exists, the response is not sent', 'before answer POST /api/uploads 201'],
  ['K3', 'within a chunk', 'after write file', 2],
  ['K4', 'bytes written, not durable', 'before sync file'],
  ['K5', 'bytes durable, offset not recorded', 'after sync file'],
  ['K5', 'the offset about to be committed', 'before commit of update uploads received.*', 2],
  ['K6', 'everything received, nobody notified', 'before answer PATCH /api/uploads/:id 204'],
  ['K6', 'everything received, reading not claimed', 'before sql update uploads .*attempts.*'],
  ['K7', 'reading claimed, not started', 'after sql update uploads .*attempts.*'],
  ['K8', 'reading, in the process that reads', 'after read file', 3],
  ['K8', 'reading, in the server', 'before sql update uploads .*state share.*'],
  ['K9', 'writing the pack', 'before write temp'],
  ['K9', 'the pack complete, not published', 'before rename temp pack'],
  ['K10', 'renamed, the folder not synced', 'after rename temp pack'],
  ['K11', 'published, no record yet', 'before sql insert visualizations'],
  ['K12', 'the record inserted', 'after sql insert visualizations'],
  ['K13', 'the others deactivated', 'after sql update visualizations is_active'],
  ['K14', 'the record about to be committed', 'before commit of insert visualizations.*'],
  ['K14', 'the record exists, nobody notified', 'after commit of insert visualizations.*'],
  ['K15', 'notified, temporary files not removed', 'before remove temp'],
];
const tasted = 'the record exists, nobody notified';

/** The points at which the backup command is killed, and whether it leaves a complete backup. */
const backupPoints: readonly (readonly [at: string, isComplete: boolean])[] = [
  ['before sql copy "accounts".*', false],
  ['before write file', false],
  ['after sync pack', false],
  ['before open manifest.json', false],
  ['after write manifest.json', false],
  ['before rename backup.*', false],
  ['after rename backup.*', true],
];
const restorePoints = [
  'after write restore.unfinished',
  'before write temp',
  'before sql copy "visualizations".*',
  'before commit of .*insert audit_log',
  'after commit of .*insert audit_log',
  'before remove restore.unfinished',
];

const processes = serverProcesses();
let world: World;
let bystander: string;
const delivered: Delivered[] = [];

beforeAll(async () => {
  world = await createWorld(processes);
  await world.start();
  await world.inDatabase(async (db) => {
    for (const id of ['ann', 'bystander']) await insertAccount(db, id);
  });
  await deliver(world, 'bystander', someFile(0));
  bystander = await fingerprint(world, 'bystander');
  delivered.push(await deliver(world, 'ann', someFile(1)));
}, pointMs);
afterAll(() => processes.dispose(), pointMs);
// Later failures may only be consequences of the first one, so the long run reports the first one at once.
afterEach(({ task }) => {
  for (const { message } of task.result?.errors ?? []) report(`FAILED ${task.name}: ${message}`);
});

/** The conditions that must hold after every kill. */
async function expectNothingLost(): Promise<void> {
  expect(await findLost(world, delivered)).toEqual([]);
  expect(await findLoose(world)).toEqual([]);
  expect(await fingerprint(world, 'bystander'), 'I8').toBe(bystander);
}

type Command = Parameters<typeof runCommand>[1];

async function runWhole(of: World, name: Command, folder: string): Promise<void> {
  const { status, output } = await runCommand(of, name, folder);
  expect(status, output).toBe(0);
}

async function runKilled(of: World, name: Command, folder: string, at: string): Promise<void> {
  const { status, output } = await runCommand(of, name, folder, { at, act: 'kill' });
  expect(status, `it was to die ${at}: ${output}`).toBe(null);
}

/** Restarts the server with a fault. The running server has no work left, so it is killed at once. */
async function arm(fault: Fault): Promise<void> {
  await world.kill();
  await world.start(fault);
}

const rounds = Array.from({ length: runs }, (_, round) => round);

describe.each(rounds)('REL-01 round %i: kill -9', (round) => {
  const withDatabase = round % 2 === 1;
  /** Long files are read during the upload, short ones afterwards. */
  const size = Math.floor(round / 2) % 2 === 0 ? fileSizes.long : fileSizes.short;
  const nextFile = () => someFile(delivered.length + 1, size);
  const chosen = points
    .filter(([, what]) => isLong || what === tasted)
    .map(([name, what, at, nth = 1]) => ({ name, what, at, nth }));

  test.each(chosen)(
    '$name $what',
    async ({ name, what, at, nth }) => {
      await arm({ at, nth, act: 'kill' });
      const began = world.starts;
      let startedAgain = 0;
      const sent = await deliver(world, 'ann', nextFile(), () => {
        if (withDatabase) world.killDatabase();
        startedAgain = performance.now();
      });
      expect(world.starts, `it died once, at ${at}`).toBe(began + 1);
      delivered.push(sent);
      await expectNothingLost();
      report(
        `${name} ${what}${withDatabase ? ', with the database' : ''}: done ${(performance.now() - startedAgain).toFixed(0)} ms after the death`,
      );
    },
    pointMs,
  );

  test.runIf(isLong)(
    'K14 repeated crashes, and the file is kept',
    async () => {
      const location = await (async () => {
        await arm({ at: 'after commit of insert visualizations.*', act: 'kill' });
        const { bytes } = nextFile();
        return world.client().send(bytes, { filename: 'shoes.json', userId: 'ann' });
      })();
      for (let death = 1; death < 4; death++) {
        await world.died();
        await world.start(
          death < 3 ? { at: 'before sql update uploads state share warning.*', act: 'kill' } : undefined,
        );
      }
      const status = await world.client().settled(location);
      expect(status.state).toBe('active');
      delivered.push({
        ...nextFile(),
        userId: 'ann',
        location,
        visualizationId: status.visualizationId!,
      });
      await expectNothingLost();
    },
    pointMs,
  );

  test.runIf(isLong)(
    'K16 a broken file that is half removed',
    async () => {
      await arm({ at: 'before remove file', act: 'kill' });
      const location = await world
        .client()
        .send(new TextEncoder().encode('{"keywords":['), { filename: 'a.json', userId: 'ann' });
      await world.died();
      if (withDatabase) world.killDatabase();
      await world.start();
      expect((await world.client().settled(location)).refusal).toMatchObject({ code: 'upload/invalid-json' });
      await expectNothingLost();
      report('K16 a broken file half removed: done');
    },
    pointMs,
  );

  test
    .runIf(isLong)
    .each([
      'before write temp',
      'before rename temp pack',
      'before sql update visualizations pack_key .*',
      'after commit of update visualizations pack_key .*',
    ])(
    'K17 a pack that is being rebuilt: %s',
    async (at) => {
      await world.inDatabase((db) =>
        db
          .updateTable('visualizations')
          .set({ pack_version: 1 })
          .where('user_id', '=', 'ann')
          .where('is_active', '=', true)
          .execute(),
      );
      // If a job of this name has been completed, it would not be queued again.
      await world.inDatabase((db) => sql`delete from jobs.job where name = 'rebuild-pack'`.execute(db));
      await world.kill();
      await world.startToDie({ at, act: 'kill' });
      if (withDatabase) world.killDatabase();
      await world.start();
      await expect
        .poll(async () => (await recordsOf(world, 'ann')).filter(({ pack_version }) => pack_version === 1), {
          timeout: pointMs,
        })
        .toEqual([]);
      await expectNothingLost();
      report(`K17 ${at}: done`);
    },
    pointMs,
  );

  test.runIf(isLong)(
    'K18 a visualization is deleted, but its files are not',
    async () => {
      const gone = delivered.shift()!;
      await arm({ at: 'before answer DELETE /api/visualizations/:id 200', act: 'kill' });
      await expect(world.call('DELETE', `/api/visualizations/${gone.visualizationId}`)).rejects.toThrow();
      await world.died();
      if (withDatabase) world.killDatabase();
      await world.start();
      expect((await world.call('GET', `/api/visualizations/${gone.visualizationId}`)).status).toBe(404);
      // The job that removes them is due a day later. The test runs it now, and kills it between the two files.
      await world.inDatabase((db) =>
        sql`update jobs.job set start_after = now() where name = 'delete-files'`.execute(db),
      );
      await world.kill();
      await world.startToDie({ at: 'after remove (file|pack)', act: 'kill' });
      await world.start();
      await expectNothingLost();
      report('K18 a visualization is deleted, its files are not yet: done');
    },
    pointMs,
  );

  test.runIf(isLong)(
    'K20 a migration, at each of its first statements',
    async () => {
      const fresh = await createWorld(processes);
      for (const nth of [1, 3, 6, 9]) {
        await fresh.startToDie({ at: 'before sql insert kysely_migration', nth, act: 'kill' });
        if (withDatabase) fresh.killDatabase();
      }
      await fresh.startToDie({ at: 'before commit of .*kysely_migration.*', act: 'kill' });
      await fresh.start();
      await fresh.inDatabase((db) => insertAccount(db, 'ann'));
      const first = await deliver(fresh, 'ann', someFile(1));
      expect(await findLost(fresh, [first])).toEqual([]);
      await fresh.stop();
      report('K20 a migration: done');
    },
    pointMs,
  );

  test.runIf(isLong).each(backupPoints)(
    'K21 a backup: %s',
    async (at, isComplete) => {
      const folder = dirname(world.dataDir);
      const [killed, good] = [1, 2].map((n) => join(folder, `backup-${round}-${n}-${at.replace(/\W+/g, '-')}`));
      // Alternately next to a running server, and with a database that the command starts itself.
      const isAlone = (round + backupPoints.findIndex((point) => point[0] === at)) % 2 === 1;
      if (isAlone) await world.stop();
      await runKilled(world, 'backup', killed!, at);
      expect(existsSync(killed!)).toBe(isComplete);
      for (const left of readdirSync(folder).filter((name) => name.includes('unfinished')))
        rmSync(join(folder, left), { recursive: true });
      await runWhole(world, 'backup', good!);
      if (isAlone) await world.start();
      await expectNothingLost();

      const restored = await createWorld(processes);
      await runWhole(restored, 'restore', isComplete ? killed! : good!);
      await restored.start();
      expect(await findLost(restored, delivered)).toEqual([]);
      expect(await findLoose(restored)).toEqual([]);
      await restored.stop();
      report(`K21 a backup: ${at}: done`);
    },
    pointMs,
  );

  test.runIf(isLong).each(restorePoints)(
    'K21 a restore: %s',
    async (at) => {
      const folder = join(dirname(world.dataDir), `backup-${round}-for-${at.replace(/\W+/g, '-')}`);
      await runWhole(world, 'backup', folder);
      const restored = await createWorld(processes);
      await runKilled(restored, 'restore', folder, at);
      await expect(restored.start()).rejects.toThrow(/was not finished/);
      await runWhole(restored, 'restore', folder);
      await restored.start();
      expect(await findLost(restored, delivered)).toEqual([]);
      expect(await findLoose(restored)).toEqual([]);
      await restored.stop();
      report(`K21 a restore: ${at}: done`);
    },
    pointMs,
  );
});
