import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { sweepWhen } from '../../../test/support/sweep.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-rebuild-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'ann');
  app = await startTestApp(database, directory);
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const file = new TextEncoder().encode('{"keywords":["a","b"],"hierarchy":{"name":"r","children":["a","b","c"]}}');

async function upload(): Promise<string> {
  const client = tusClient(app.url, await cookieOf(database, 'admin'));
  const status = await client.settled(await client.send(file, { filename: 'a.json', userId: 'ann' }));
  return status.visualizationId!;
}

async function slice(id: string): Promise<Response> {
  const headers = { cookie: await cookieOf(database, 'ann'), 'accept-encoding': 'identity' };
  return fetch(`${app.url}/api/visualizations/${id}/slice`, { headers });
}

const recordOf = (id: string) =>
  database.db.selectFrom('visualizations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

// Shows P14.17, P19.4.
test('a pack of an earlier format is not opened, and is rebuilt from its original at the next start', async () => {
  const id = await upload();
  const { pack_key: before } = await recordOf(id);
  await database.db
    .updateTable('visualizations')
    .set({ pack_version: packFormatVersion - 1, thumbnail: null })
    .where('id', '=', id)
    .execute();
  const refused = await slice(id);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ data: { code: 'visualization/being-rebuilt' } });

  await app.stop();
  app = await startTestApp(database, directory);
  await expect.poll(async () => (await slice(id)).status).toBe(200);
  const again = decodeSlice(new Uint8Array(await (await slice(id)).arrayBuffer()));
  expect([again.rows, ...again.keywords]).toEqual([4, 3, 1, 1, 1]);
  const { file_key, pack_key, pack_version, is_active, thumbnail } = await recordOf(id);
  expect([pack_version, is_active]).toEqual([packFormatVersion, true]);
  expect(thumbnail?.rest).toBe(0);
  expect(pack_key).not.toBe(before);

  // The earlier pack is kept for a day, for a backup that may be running.
  const files = () => readdir(join(directory, 'files'));
  const sweepAfter = (hours: number) =>
    sweepWhen({ db: database.db, storage: app.storage, now: () => Date.now() + hours * 3_600_000 });
  await expect.poll(files).toHaveLength(3);
  await sweepAfter(23);
  expect(await files()).toContain(before);
  await sweepAfter(25);
  expect((await files()).sort()).toEqual([file_key, pack_key].sort());
});

test('a pack is rebuilt again after an earlier version of the product has rebuilt it', async () => {
  const id = await upload();
  for (let upgrade = 0; upgrade < 2; upgrade++) {
    const { pack_key: before } = await recordOf(id);
    await database.db
      .updateTable('visualizations')
      .set({ pack_version: packFormatVersion - 1 })
      .where('id', '=', id)
      .execute();
    await app.stop();
    app = await startTestApp(database, directory);
    await expect.poll(async () => (await slice(id)).status).toBe(200);
    expect((await recordOf(id)).pack_key).not.toBe(before);
  }
});

test('a pack whose fields were corrected is rebuilt at the next start, also if a restored database has no job for it', async () => {
  const [corrected, other] = [await upload(), await upload()];
  const { pack_key: before } = await recordOf(other);
  const field_map = JSON.stringify({ keyword: 'note' });
  await database.db.updateTable('visualizations').set({ field_map }).where('id', '=', corrected).execute();
  await app.stop();
  app = await startTestApp(database, directory);
  await expect.poll(async () => (await recordOf(corrected)).pack_field_map).toEqual({ keyword: 'note' });
  expect((await recordOf(other)).pack_key).toBe(before);
});
