import { randomBytes } from 'node:crypto';
import { mkdtemp, rename as moveTo, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { sayRefusal } from '@kc/rules/all-messages';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childProcesses, killChildren } from '../../test/support/child-processes.ts';
import { lease, operate, publish, type Someone, step, topicAddress } from '../../test/support/draft-calls.ts';
import { insertReadyDraft } from '../../test/support/draft-rows.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { openDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoredDraftRow } from './draft-queries.ts';
import type { StoredDraft } from './stored-draft.ts';

// A change of a draft that is interrupted at some point has happened as a whole, or not at all.

let directory: string;
let storage: Storage;
let server: TestServer;
let stored: StoredDraft;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-interrupted-'));
  storage = await openDiskStorage(directory);
  server = await testServer({}, { queueFileDeletion: async () => undefined }, storage);
  stored = await madeDraft();
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const insert = (owner: Someone): Promise<StoredDraftRow> =>
  insertReadyDraft({ db: server.database.db, storage, now: server.clock }, stored, { ownerId: owner.id });
const rowOf = (id: string) =>
  server.database.db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const operationsOf = async (id: string) =>
  (await server.database.db.selectFrom('draft_operations').select('number').where('draft_id', '=', id).execute())
    .length;
const rename = (name: string) => ({ kind: 'rename', node: topicAddress(stored, stored.state, 'red shoe'), name });

const killEditors = () => killChildren('editing-worker');

test('a process that dies between two operations is replaced by one that knows all of them', async () => {
  const owner = await server.person({});
  const { id } = await insert(owner);
  await operate(server, owner, id, 0, rename('first'));
  expect(await killEditors()).toBeGreaterThan(0);
  // Its end may not have been noticed yet: then the order finds nobody, and is given to a new process.
  const { status, answer } = await step(server, owner, id, 'undo', 1);
  expect(status).toBe(200);
  expect(answer.draft.revision?.operation).toBe(0);
  expect((await rowOf(id)).counts).toEqual((await insert(owner)).counts);
});

// Shows P23.3.
test('a process that dies during an operation changes nothing, and the operation can be repeated', async () => {
  const owner = await server.person({});
  const { id, view_id } = await insert(owner);
  await lease(server, owner, id);
  await expect.poll(async () => (await childProcesses('editing-worker')).length).toBeGreaterThan(0);
  const answer = operate(server, owner, id, 0, rename('during'));
  while ((await killEditors()) > 0);
  const { status } = await answer;
  if (status !== 200) {
    expect(status).toBe(500);
    expect(await rowOf(id)).toMatchObject({ view_id, operation: 0 });
    expect(await operationsOf(id)).toBe(0);
    expect((await operate(server, owner, id, 0, rename('again'))).status).toBe(200);
  }
  expect(await rowOf(id)).toMatchObject({ operation: 1 });
  expect(await operationsOf(id)).toBe(1);
});

test('a fault of the database after the revision was written changes nothing, and the process goes on with what is stored', async () => {
  const owner = await server.person({});
  const { id, view_id } = await insert(owner);
  await operate(server, owner, id, 0, rename('kept'));
  const before = await rowOf(id);
  const client = new pg.Client(server.database.owner);
  await client.connect();
  const name = `fail_${randomBytes(4).toString('hex')}`;
  try {
    await client.query(`create function ${name}() returns trigger language plpgsql as $$
      begin raise exception 'disk error'; end $$`);
    await client.query(`create trigger ${name} before update on drafts for each row execute function ${name}()`);
    const node = topicAddress(stored, stored.state, 'cheap lamp');
    expect((await operate(server, owner, id, 1, { kind: 'lock', nodes: [node] })).status).toBe(500);
  } finally {
    await client.query(`drop function ${name} cascade`);
    await client.end();
  }
  expect(await rowOf(id)).toEqual(before);
  expect(before.view_id).not.toBe(view_id);
  expect(await operationsOf(id)).toBe(1);
  const { answer } = await step(server, owner, id, 'undo', 1);
  expect(answer.draft.revision).toMatchObject({ operation: 0, canRedo: true });
});

/** Each makes the stored form of a draft unreadable. */
const damages: Readonly<Record<string, (key: string) => Promise<void>>> = {
  gone: (key) => storage.remove(key),
  cut: (key) => truncate(join(directory, key), 1_000),
  'not what was written': (key) => writeFile(join(directory, key), 'nonsense'),
  'of another version': async (key) => writeFile(join(directory, key), serialize({ ...stored, format: 2 })),
};

test.each(Object.keys(damages))(
  'a draft whose stored form is %s says what to do, can be looked at and published',
  async (damage) => {
    const owner = await server.person({ role: 'admin' });
    const draft = await insert(owner);
    await damages[damage]!(draft.graph_key!);
    const answer = await operate(server, owner, draft.id, 0, rename('never'));
    expect(answer).toMatchObject({ status: 409, code: 'draft/unreadable' });
    expect(sayRefusal({ code: answer.code! })).toBe(
      'A part of this draft cannot be read, so the draft cannot be changed. Try again later. If that does not help, publish it as it is and choose “Adjust clusters” for the new map, or discard the draft and import the list again.',
    );
    expect(await rowOf(draft.id)).toEqual(draft);
    const { statusCode } = await server.call('GET', `/api/visualizations/${draft.view_id}/slice`, owner);
    expect(statusCode).toBe(200);
    const renamed = await publish(server, owner, draft.id, 0, 'another name');
    expect(sayRefusal({ code: renamed.code!, params: { name: draft.root_name } })).toBe(
      `A part of this draft cannot be read, so its map cannot be renamed. Publish it under the name ${draft.root_name}.`,
    );
    expect(await rowOf(draft.id)).toEqual(draft);
    expect(await publish(server, owner, draft.id, 0, draft.root_name)).toMatchObject({ status: 200 });
    await expect.poll(async () => (await rowOf(draft.id)).state).toBe('published');
  },
  60_000,
);

test('a draft whose stored form is back can be changed again', async () => {
  const owner = await server.person({});
  const draft = await insert(owner);
  const at = join(directory, draft.graph_key!);
  await moveTo(at, `${at}.away`);
  expect((await operate(server, owner, draft.id, 0, rename('later'))).code).toBe('draft/unreadable');
  await moveTo(`${at}.away`, at);
  expect((await operate(server, owner, draft.id, 0, rename('later'))).status).toBe(200);
});
