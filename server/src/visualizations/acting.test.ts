import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase, untilOneWaits } from '../../test/support/database.ts';
import { insertAccount, recordOf } from '../../test/support/rows.ts';
import { mayDo } from '../accounts/may-do.ts';
import { readConfig } from '../config.ts';
import { activate } from './ingest/activate.ts';
import { findVisualization, flipActive, insertVisualization, type VisualizationRecord } from './queries.ts';
import { describe, mapFields, nameNewestMonth, removeVisualization } from './routes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('accounts').execute();
  for (const id of ['admin', 'deputy']) await insertAccount(database.db, id, { role: 'admin' });
  await insertAccount(database.db, 'owner');
});

const config = readConfig({}, '/');
const deps = () => ({
  db: database.db,
  flip: flipActive,
  mayUpload: () => Promise.reject(new Error('not asked for')),
  mayImport: () => Promise.reject(new Error('not asked for')),
  mayDo: ((tx, id, action) => mayDo(tx, { config }, id, action)) as Parameters<typeof activate>[0]['mayDo'],
  queueRebuild: async () => undefined,
  queueFileDeletion: async () => undefined,
  log: { error: () => undefined } as never,
  now: Date.now,
});

const changes: Readonly<Record<string, (record: VisualizationRecord, actor: string) => Promise<void>>> = {
  activate: (record, actor) => activate(deps(), actor, record),
  remove: (record, actor) => removeVisualization(deps(), actor, record),
  describe: (record, actor) => describe(deps(), actor, record, 'new'),
  'correct the fields of': (record, actor) => mapFields(deps(), actor, record, { Volume: 'volume' }),
  'name the newest month of': (record, actor) => nameNewestMonth(deps(), actor, record, '2026-04'),
};

test.each(Object.keys(changes))(
  'REL-17 an admin who is demoted after the request to %s a visualization began changes nothing',
  async (name) => {
    const { db } = database;
    const record = recordOf('owner');
    await insertVisualization(db, record);
    const before = await findVisualization(db, record.id);
    // The demotion holds the row of the deputy, so the change waits for it.
    let work: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('accounts').set({ role: 'user' }).where('id', '=', 'deputy').execute();
      work = changes[name]!(record, 'deputy').then(
        () => 'changed',
        (error: { data: { code: string } }) => error.data.code,
      );
      await untilOneWaits(db);
    });
    expect(await work).toBe('visualization/not-found');
    expect(await findVisualization(db, record.id)).toEqual(before);
  },
);

test('REL-17 a visualization that was deleted meanwhile is not made active, and the answer says so', async () => {
  const { db } = database;
  const [kept, gone] = [recordOf('owner', { is_active: true }), recordOf('owner')];
  for (const record of [kept, gone]) await insertVisualization(db, record);
  await changes.remove!(gone, 'admin');
  await expect(changes.activate!(gone, 'admin')).rejects.toMatchObject({ data: { code: 'visualization/not-found' } });
  expect((await findVisualization(db, kept.id))!.is_active).toBe(true);
});

test.each(Object.keys(changes))(
  'REL-17 two who %s each other’s visualizations at once do not wait for each other for ever',
  async (name) => {
    const { db } = database;
    const owners = ['admin', 'deputy'] as const;
    const records = owners.map((owner) => recordOf(owner));
    for (const record of records) await insertVisualization(db, record);
    const rounds = Array.from({ length: 8 }, () => [
      changes[name]!(records[0]!, 'deputy'),
      changes[name]!(records[1]!, 'admin'),
    ]);
    await Promise.all(rounds.flat());
    const left = await Promise.all(records.map(({ id }) => findVisualization(db, id)));
    expect(left.filter((record) => record !== undefined)).toHaveLength(name === 'remove' ? 0 : 2);
  },
);
