// Shows T72.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import { draftStates } from '@kc/rules/draft';
import type { Draft } from '@kc/rules/draft-shapes';
import type { NodeDetail } from '@kc/rules/shapes';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilOneWaits } from '../../test/support/database.ts';
import { askDraft, lease, operate, publish, type Someone, step, topicAddress } from '../../test/support/draft-calls.ts';
import { insertReadyDraft } from '../../test/support/draft-rows.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { recordOf, uploadOf } from '../../test/support/rows.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { inTransaction } from '../database/open.ts';
import { openDiskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';
import { storedBlocks } from '../storage/whole-objects.ts';
import { insertVisualization } from '../visualizations/queries.ts';
import { insertUpload } from '../visualizations/upload/upload-queries.ts';
import type { StoredDraftRow } from './draft-queries.ts';
import { jsonOf, type StoredDraft } from './stored-draft.ts';

let directory: string;
let storage: Storage;
let server: TestServer;
let replica: TestServer;
let stored: StoredDraft;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-publish-'));
  storage = await openDiskStorage(directory);
  const replaced = { queueFileDeletion: async () => undefined };
  server = await testServer({}, replaced, storage);
  replica = await testServer({}, replaced, storage, server);
  stored = await madeDraft();
});
afterAll(async () => {
  await replica.close();
  await server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => allowImports(true));
afterEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
});

const allowImports = (isAllowed: boolean, max = 5) =>
  server.database.db.updateTable('settings').set({ user_imports: isAllowed, max_user_visualizations: max }).execute();
const insert = (owner: Someone, begunBy = owner.id): Promise<StoredDraftRow> =>
  insertReadyDraft({ db: server.database.db, storage, now: server.clock }, stored, { ownerId: owner.id, begunBy });

/** The draft once ingest is done with it. */
async function settled(who: Someone, id: string): Promise<Draft> {
  let found: Draft | undefined;
  await expect
    .poll(async () => {
      found = (await askDraft<Draft>(server, who, 'GET', id)).answer;
      return found.state;
    })
    .not.toBe('publishing');
  return found!;
}

async function objects(): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const key of storage.list()) keys.add(key);
  return keys;
}

const mapsOf = (owner: Someone) =>
  server.database.db.selectFrom('visualizations').selectAll().where('user_id', '=', owner.id).execute();
const rowOf = (id: string) =>
  server.database.db.selectFrom('drafts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function bytesAt(key: string): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  for await (const block of storedBlocks(storage, key)) blocks.push(block);
  return Buffer.concat(blocks);
}

test('publishing makes the revision the active map of its owner, under the chosen name', async () => {
  const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
  const { id, view_id } = await insert(owner, admin.id);
  const answer = await publish(server, admin, id, 0, ' my/map ', 'what it is');
  expect(answer).toMatchObject({ status: 200, answer: { state: 'publishing', name: 'my/map' } });
  const draft = await settled(admin, id);
  const maps = await mapsOf(owner);
  expect(maps).toMatchObject([
    {
      file_name: 'my map.json',
      description: 'what it is',
      is_active: true,
      uploaded_by: admin.id,
      root_name: 'my/map',
      keywords: stored.context.list.texts.length,
    },
  ]);
  expect(draft).toMatchObject({ state: 'published', visualizationId: maps[0]!.id, description: 'what it is' });
  const json = await bytesAt(maps[0]!.file_key);
  expect(json.equals(Buffer.concat([...jsonOf(stored, stored.state, 'my/map')]))).toBe(true);
  // The draft can still be looked at, but not edited.
  expect(draft.revision!.viewId).toBe(view_id);
  const { statusCode } = await server.call('GET', `/api/visualizations/${view_id}`, admin);
  expect(statusCode).toBe(200);
  const lines = server.database.db.selectFrom('audit_log').select(['action', 'target', 'result']);
  expect(await lines.where('actor', '=', admin.id).orderBy('id').execute()).toEqual([
    { action: 'publish', target: owner.id, result: 'ok' },
    { action: 'upload', target: owner.id, result: 'ok' },
  ]);
});

// Shows P15.33, P24.16.
test('a published map says what is similar as its draft was left, and hands over a link to every page', async () => {
  const owner = await server.person({ role: 'admin' });
  const { id } = await insert(owner);
  const topicOf = (keyword: string) => topicAddress(stored, stored.state, keyword);
  await operate(server, owner, id, 0, { kind: 'rename', node: topicOf('red lamp'), name: 'Lamps' });
  await operate(server, owner, id, 1, { kind: 'merge', nodes: [topicOf('red guitar'), topicOf('red violin')] });
  await publish(server, owner, id, 2, 'similar');
  const { visualizationId } = await settled(owner, id);
  const get = async (path: string) => server.call('GET', `/api/visualizations/${visualizationId}${path}`, owner);
  const nodes: NodeDetail[] = [];
  for (let row = 1; row <= stored.state.topics.length; row++) {
    const { statusCode, body } = await get(`/nodes/${row}`);
    if (statusCode === 200) nodes.push(JSON.parse(body) as NodeDetail);
  }
  const clusters = nodes.filter(({ type }) => type === 'cluster');
  const names = new Set(clusters.map(({ name }) => name));
  const lamps = clusters.find(({ name }) => name === 'Lamps')!;
  // Its kind: the other lights are nearest.
  expect(lamps.similar!.slice(0, 3).map(({ name }) => name.split(' ')[0])).toEqual(
    expect.arrayContaining(['bulb', 'chandelier', 'lantern']),
  );
  // Everything is named as it is now, and nothing is similar to what is gone.
  for (const { similar = [], node } of clusters)
    expect(similar.every((one) => names.has(one.name) && one.node !== node)).toBe(true);
  expect(clusters.some(({ similar = [] }) => similar.some(({ name }) => name === 'Lamps'))).toBe(true);
  const { body } = await get('/plan.csv?of=clusters');
  const rows: Record<string, string>[] = parse(body, { bom: true, columns: true });
  expect(rows.length).toBe(clusters.length);
  const linked = new Set(rows.flatMap((row) => row['Links to']!.split(' | ').map((link) => link.split(' → ')[1])));
  expect(rows.filter(({ Path }) => !linked.has(Path))).toEqual([]);
  const { body: outline } = await get('/outline.md?of=clusters');
  expect(outline).toMatch(/Links to: .* → /);
});

// Shows P23.5.
test('under the name of its root, the bytes of the revision are published as they are', async () => {
  const owner = await server.person({ role: 'admin' });
  const { id } = await insert(owner);
  const node = topicAddress(stored, stored.state, 'red shoe');
  await operate(server, owner, id, 0, { kind: 'rename', node, name: 'renamed' });
  const shown = await bytesAt((await rowOf(id)).file_key!);
  await publish(server, owner, id, 1, 'made');
  await settled(owner, id);
  const [map] = await mapsOf(owner);
  expect((await bytesAt(map!.file_key)).equals(shown)).toBe(true);
  expect(map!.file_key).not.toBe((await rowOf(id)).file_key);
});

test('the lists of a draft are from then on those of its visualization', async () => {
  const { db } = server.database;
  const owner = await server.person({ role: 'admin' });
  const { id } = await insert(owner);
  const lists = [0, 1].map((place) => ({ ...uploadOf(owner.id, 7), file_name: `${place}.csv`, place }));
  for (const list of lists) {
    const kept = { kind: 'list', draft_id: id, received: 7, state: 'kept' } as const;
    await insertUpload(db, { ...list, ...kept }, new Date(server.clock));
  }
  await publish(server, owner, id, 0, 'made');
  const { visualizationId } = await settled(owner, id);
  const kept = db.selectFrom('visualization_lists').selectAll().where('visualization_id', '=', visualizationId!);
  expect(await kept.orderBy('place').execute()).toEqual(
    lists.map(({ file_name, file_key, place }) => ({
      visualization_id: visualizationId,
      place,
      name: file_name,
      size: 7,
      file_key,
    })),
  );
});

describe('a user', () => {
  test('publishes their own draft while users may import', async () => {
    const owner = await server.person({});
    const { id } = await insert(owner);
    expect((await publish(server, owner, id, 0, 'made')).status).toBe(200);
    expect((await settled(owner, id)).state).toBe('published');
    expect(await mapsOf(owner)).toMatchObject([{ uploaded_by: owner.id, is_active: true }]);
  });

  test('is refused once it is switched off, or with as many visualizations as they may have', async () => {
    const owner = await server.person({});
    const { id } = await insert(owner);
    const before = await objects();
    await allowImports(false);
    expect(await publish(server, owner, id, 0, 'other')).toMatchObject({ status: 403, code: 'list/off' });
    await allowImports(true, 1);
    await insertVisualization(server.database.db, recordOf(owner.id));
    const { status, code, params } = await publish(server, owner, id, 0, 'other');
    expect([status, sayRefusal({ code: code!, params: params! })]).toEqual([
      409,
      'You have 1 of 1 visualizations. Delete one to import another list.',
    ]);
    expect((await rowOf(id)).state).toBe('ready');
    expect(await objects()).toEqual(before);
  });
});

test('drafts that a user publishes at once, on two servers, stay within the quota', async () => {
  await allowImports(true, 2);
  const owner = await server.person({});
  const drafts = [await insert(owner), await insert(owner), await insert(owner)];
  const places = [server, replica, server];
  const answers = await Promise.all(drafts.map(({ id }, at) => publish(places[at]!, owner, id, 0, `made ${at}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
  expect(answers.find(({ status }) => status === 409)?.code).toBe('list/too-many-maps');
  for (const [at, { id }] of drafts.entries()) if (answers[at]!.status === 200) await settled(owner, id);
  expect(await mapsOf(owner)).toHaveLength(2);
});

test('a map that no longer fits in when it is made goes back to its editor', async () => {
  await allowImports(true, 1);
  const owner = await server.person({});
  const { id } = await insert(owner);
  const record = recordOf(owner.id);
  const columns =
    'id, user_id, file_name, storage_path, uploaded_by, uploaded_at, file_size, keywords, nodes, root_name, file_key, pack_key, is_active, description, pack_version';
  const values = `'${record.id}', '${owner.id}', 'x', 'x', '${owner.id}', now(), 1, 1, 1, 'x', 'x', 'x', false, '', 1`;
  await whilePublishing(`insert into visualizations (${columns}) values (${values})`, async () => {
    await publish(server, owner, id, 0, 'made');
    const draft = await settled(owner, id);
    expect(draft).toMatchObject({ state: 'ready', refusal: { code: 'list/too-many-maps' } });
  });
  expect(await mapsOf(owner)).toHaveLength(1);
});

/** Runs a statement as the owner of the database whenever a draft begins to be published, in the same transaction. */
async function whilePublishing(statement: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(server.database.owner);
  await client.connect();
  const name = `lose_${randomBytes(4).toString('hex')}`;
  try {
    await client.query(`create function ${name}() returns trigger language plpgsql security definer as $$
      begin ${statement}; return new; end $$`);
    await client.query(`create trigger ${name} after update on drafts for each row
      when (new.state = 'publishing' and old.state = 'ready') execute function ${name}()`);
    await work();
  } finally {
    await client.query(`drop function ${name} cascade`);
    await client.end();
  }
}

describe('a right that is lost while ingest reads', () => {
  test('the setting: the draft is ready again with the reason, and nothing is published', async () => {
    const owner = await server.person({});
    const { id } = await insert(owner);
    await whilePublishing('update settings set user_imports = false', async () => {
      await publish(server, owner, id, 0, 'made');
      expect(await settled(owner, id)).toMatchObject({ state: 'ready', refusal: { code: 'list/off' } });
    });
    expect(await mapsOf(owner)).toEqual([]);
    await allowImports(true);
    expect((await publish(server, owner, id, 0, 'made')).status).toBe(200);
    expect((await settled(owner, id)).state).toBe('published');
  });

  test('the role: the draft of a former administrator is not published', async () => {
    const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
    const { id } = await insert(owner, admin.id);
    const other = await server.person({ role: 'admin' });
    await whilePublishing(`update accounts set role = 'user' where id = '${admin.id}'`, async () => {
      await publish(server, admin, id, 0, 'made');
      expect(await settled(other, id)).toMatchObject({ state: 'ready', refusal: { code: 'admin/only' } });
    });
    expect(await mapsOf(owner)).toEqual([]);
  });
});

// Shows P23.5.
test('what ingest refuses goes back to its editor with the reason, and can be published after a change', async () => {
  const owner = await server.person({ role: 'admin' });
  const { id, file_key } = await insert(owner);
  const file = await storage.append(file_key!, 0);
  await file.write(new TextEncoder().encode('{"keywords":[}'));
  await file.close();
  await publish(server, owner, id, 0, 'made');
  expect(await settled(owner, id)).toMatchObject({ state: 'ready', refusal: { code: 'upload/invalid-json' } });
  expect(await mapsOf(owner)).toEqual([]);
  const node = topicAddress(stored, stored.state, 'red shoe');
  const { answer } = await operate(server, owner, id, 0, { kind: 'lock', nodes: [node] });
  expect(answer.draft.refusal).toBeUndefined();
  await publish(server, owner, id, 1, 'made');
  expect((await settled(owner, id)).state).toBe('published');
});

// Shows P23.5.
test('publishing at the same time on two servers, or once more, makes one visualization', async () => {
  const owner = await server.person({ role: 'admin' });
  const { id } = await insert(owner);
  const answers = await Promise.all([server, replica, server].map((on) => publish(on, owner, id, 0, 'made')));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409, 409]);
  for (const { status, code } of answers) if (status === 409) expect(code).toBe('draft/not-ready');
  expect((await settled(owner, id)).state).toBe('published');
  expect((await publish(server, owner, id, 0, 'made')).code).toBe('draft/not-ready');
  expect(await mapsOf(owner)).toHaveLength(1);
});

test('only the revision that the page shows is published, by whoever edits it', async () => {
  const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
  const { id } = await insert(owner);
  const node = topicAddress(stored, stored.state, 'red shoe');
  await operate(server, owner, id, 0, { kind: 'lock', nodes: [node] });
  expect((await publish(server, owner, id, 0, 'made')).code).toBe('draft/behind');
  expect((await publish(server, admin, id, 1, 'made')).code).toBe('draft/taken-over');
  expect((await publish(server, owner, id, 1, '  ')).code).toBe('draft/name-empty');
  const stranger = await server.person({});
  expect((await publish(server, stranger, id, 1, 'made')).code).toBe('draft/not-found');
  await lease(server, admin, id, true);
  expect((await publish(server, owner, id, 1, 'made')).code).toBe('draft/taken-over');
  expect((await rowOf(id)).state).toBe('ready');
});

test('only a draft that is ready is published, and a published one is no longer edited', async () => {
  const owner = await server.person({ role: 'admin' });
  const { id } = await insert(owner);
  for (const state of draftStates.filter((other) => other !== 'ready')) {
    await server.database.db.updateTable('drafts').set({ state }).where('id', '=', id).execute();
    expect([state, (await publish(server, owner, id, 0, 'made')).code]).toEqual([state, 'draft/not-ready']);
    expect([state, (await step(server, owner, id, 'undo', 0)).code]).toEqual([state, 'draft/not-ready']);
  }
  expect(await mapsOf(owner)).toEqual([]);
});

test('a draft whose owner is deleted meanwhile leaves no upload', async () => {
  const [owner, admin] = [await server.person({}), await server.person({ role: 'admin' })];
  const { id } = await insert(owner, admin.id);
  await publish(server, admin, id, 0, 'made');
  await server.database.db.deleteFrom('accounts').where('id', '=', owner.id).execute();
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from uploads where draft_id = ${id}`.execute(server.database.db);
  expect(rows).toEqual([{ count: 0 }]);
  expect((await askDraft(server, admin, 'GET', id)).code).toBe('draft/not-found');
});

test.each([
  ['stopped', 'POST', '/stop', 'working'],
  ['discarded', 'DELETE', '', 'ready'],
] as const)('REL-17 a draft is not %s by an admin who is demoted meanwhile', async (_, method, path, state) => {
  const { db } = server.database;
  const [admin, owner] = [await server.person({ role: 'admin' }), await server.person({})];
  const { id } = await insert(owner);
  await db.updateTable('drafts').set({ state }).where('id', '=', id).execute();
  let answer: ReturnType<typeof askDraft> | undefined;
  await inTransaction(db, async (tx) => {
    await tx.updateTable('accounts').set({ role: 'user' }).where('id', '=', admin.id).execute();
    answer = askDraft(server, admin, method, `${id}${path}`);
    await untilOneWaits(db);
  });
  expect((await answer)!.code).toBe('draft/not-found');
  expect(await db.selectFrom('drafts').select('state').where('id', '=', id).execute()).toEqual([{ state }]);
});
