import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFormatVersion } from '@kc/pack/format/pack-format';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertReadyDraft } from '../../test/support/draft-rows.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { sweepWhen } from '../../test/support/sweep.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { removeAll } from './revision.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-rebuild-drafts-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function slice(viewId: string): Promise<Response> {
  const headers = { cookie: await cookieOf(database, 'admin'), 'accept-encoding': 'identity' };
  return fetch(`${app.url}/api/visualizations/${viewId}/slice`, { headers });
}

const draftWith = (id: string) =>
  database.db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

// Shows P23.12.
test('a draft whose pack has an earlier format is rebuilt at the next start, and is the same draft', async () => {
  const { db } = database;
  const stored = await madeDraft();
  const draft = await insertReadyDraft({ db, storage: app.storage, now: Date.now() }, stored, { ownerId: 'admin' });
  const viewId = draft.view_id!;
  const before = decodeSlice(new Uint8Array(await (await slice(viewId)).arrayBuffer()));
  // The object of an earlier version cannot even be opened.
  await db
    .updateTable('drafts')
    .set({ pack_version: packFormatVersion - 1 })
    .where('id', '=', draft.id)
    .execute();
  const refused = await slice(viewId);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ data: { code: 'visualization/being-rebuilt' } });

  await app.stop();
  app = await startTestApp(database, directory);
  await expect.poll(async () => (await slice(viewId)).status).toBe(200);
  expect(decodeSlice(new Uint8Array(await (await slice(viewId)).arrayBuffer()))).toEqual(before);
  const now = await draftWith(draft.id);
  expect(now).toEqual({ ...draft, pack_key: now.pack_key });
  expect(now.pack_key).not.toBe(draft.pack_key);

  // The earlier pack is kept for a day, for a backup that may be running.
  const files = () => readdir(join(directory, 'files'));
  const sweepAfter = (hours: number) =>
    sweepWhen({ db, storage: app.storage, now: () => Date.now() + hours * 3_600_000 });
  await sweepAfter(23);
  expect(await files()).toContain(draft.pack_key);
  await sweepAfter(25);
  expect(await files()).not.toContain(draft.pack_key);
  expect(await files()).toContain(now.pack_key);
});

test('a draft whose upload is gone stays as it is, and the others are rebuilt', async () => {
  const { db } = database;
  const stored = await madeDraft();
  const insert = () => insertReadyDraft({ db, storage: app.storage, now: Date.now() }, stored, { ownerId: 'admin' });
  const [broken, whole] = [await insert(), await insert()];
  await removeAll(app.storage, [broken.file_key!]);
  await db
    .updateTable('drafts')
    .set({ pack_version: packFormatVersion - 1 })
    .where('id', 'in', [broken.id, whole.id])
    .execute();
  await app.stop();
  app = await startTestApp(database, directory);
  await expect.poll(async () => (await draftWith(whole.id)).pack_version).toBe(packFormatVersion);
  expect(await draftWith(broken.id)).toMatchObject({ pack_version: packFormatVersion - 1, pack_key: broken.pack_key });
  // Each attempt costs a process, in vain.
  const pause = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - clock_timestamp())::float8 as seconds from jobs.job
      where name = 'rebuild-draft' and state = 'retry'`.execute(db);
    return rows[0]?.seconds ?? 0;
  };
  await expect.poll(pause).toBeGreaterThan(30);
});
