import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { topicAddress } from '../../test/support/draft-calls.ts';
import { insertReadyDraft } from '../../test/support/draft-rows.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { emptyPlace, filesOf, type Place, removeFolder, testFolder } from '../../test/support/places.ts';
import { insertAccount } from '../../test/support/rows.ts';
import type { StoredDraftRow } from '../drafts/draft-queries.ts';
import type { StoredDraft } from '../drafts/stored-draft.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

let folder: string;
let dataDir: string;
let database: TestDatabase;
let app: TestApp;
let place: Place;
let stored: StoredDraft;
let draft: StoredDraftRow;
beforeAll(async () => {
  folder = await testFolder();
  dataDir = join(folder, 'data');
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await mkdir(join(dataDir, 'secret'), { recursive: true });
  await writeFile(join(dataDir, 'secret', 'server.key'), 'what a server of tests signs and seals with');
  app = await startTestApp(database, dataDir);
  stored = await madeDraft();
  const { db } = database;
  draft = await insertReadyDraft({ db, storage: app.storage, now: Date.now() }, stored, { ownerId: 'admin' });
  place = await emptyPlace(join(folder, 'restored'), prepareJobs);
});
afterAll(async () => {
  await app.stop();
  await place.database.close();
  await database.close();
  await removeFolder(folder);
});

async function call<Body>(
  { url }: TestApp,
  { db }: TestDatabase,
  method: string,
  path: string,
  body?: object,
  id = draft.id,
) {
  const answer = await fetch(`${url}/api/drafts/${id}${path}`, {
    method,
    headers: {
      cookie: await cookieOf({ ...database, db }, 'admin'),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}
const rename = (after: number, node: string, name: string) => ({ after, operation: { kind: 'rename', node, name } });

// Shows P23.9.
test('a draft is restored with its changes, and every byte of its objects; it can be changed and undone there', async () => {
  const node = topicAddress(stored, stored.state, stored.context.list.texts[0]!);
  const first = await call<EditedDraft>(app, database, 'POST', '/operations', rename(0, node, 'before'));
  expect(first.status).toBe(200);
  const { db } = database;
  const byItself = await insertReadyDraft({ db, storage: app.storage, now: Date.now() }, stored, { ownerId: 'admin' });
  const handsOff = JSON.stringify({ publishes: true, accepts: [] });
  await db.updateTable('drafts').set({ hands_off: handsOff }).where('id', '=', byItself.id).execute();
  const target = join(folder, 'backup');
  await writeBackup(
    {
      connection: database.connection,
      storage: app.storage,
      dataDir,
      secretFile: join(dataDir, 'secret', 'server.key'),
      version: '0.0.0',
      now: Date.now,
    },
    target,
  );
  await restoreBackup(place, target);

  const query = database.db.selectFrom('drafts').selectAll().where('id', '=', draft.id);
  const { graph_key, file_key, pack_key } = await query.executeTakeFirstOrThrow();
  const [before, after] = [await filesOf(dataDir), await filesOf(place.dataDir)];
  for (const key of [graph_key!, file_key!, pack_key!]) {
    expect(after[key]).toMatch(/^[0-9a-f]{64}$/);
    expect(after[key]).toBe(before[key]);
  }

  const again = await startTestApp(place.database, place.dataDir);
  try {
    const there = (await call<Draft>(again, place.database, 'GET', '')).body;
    expect(there).toMatchObject({ state: 'ready', revision: { operation: 1, canUndo: true } });
    // Nobody publishes it any more: the job that would have is not part of a backup.
    const waiting = (await call<Draft>(again, place.database, 'GET', '', undefined, byItself.id)).body;
    expect(waiting).toMatchObject({ state: 'ready', handsOff: { waits: true } });
    const changed = await call<EditedDraft>(
      again,
      place.database,
      'POST',
      '/operations',
      rename(1, first.body.effect.node!, 'after'),
    );
    expect([changed.status, changed.body.draft.revision!.operation]).toEqual([200, 2]);
    const undone = await call<EditedDraft>(again, place.database, 'POST', '/undo', { after: 2 });
    expect([undone.status, undone.body.draft.revision!.operation]).toEqual([200, 1]);
  } finally {
    await again.stop();
  }
});
