import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertReadyDraft } from '../../test/support/draft-rows.ts';
import { madeDraft } from '../../test/support/made-draft.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { inTransaction } from '../database/open.ts';
import { keepPastRevision } from '../drafts/change-draft.ts';
import type { StoredDraftRow } from '../drafts/draft-queries.ts';
import type { StoredDraft } from '../drafts/stored-draft.ts';
import { openDiskStorage } from '../storage/disk.ts';
import { newKey, type Storage } from '../storage/storage.ts';
import { endGrace, referencedKeys } from './queries.ts';

let directory: string;
let storage: Storage;
let server: TestServer;
let stored: StoredDraft;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kc-draft-views-'));
  storage = await openDiskStorage(directory);
  server = await testServer({}, { queueFileDeletion: async () => undefined }, storage);
  stored = await madeDraft();
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const insert = (who: { ownerId: string; begunBy?: string }): Promise<StoredDraftRow> =>
  insertReadyDraft({ db: server.database.db, storage, now: server.clock }, stored, who);

/** Every call that reads what a visualization shows. */
const readings = (id: string): readonly string[] =>
  [
    '',
    '/slice?node=0&budget=100',
    '/fields',
    '/nodes/0',
    '/nodes/1/keywords',
    '/nodes/1/members',
    '/not-in-hierarchy',
    '/search?q=shoe',
    '/histogram?of=volume',
    '/original',
    '/export.csv?node=0&kind=keywords',
    '/export.json?node=0',
  ].map((path) => `/api/visualizations/${id}${path}`);

const read = async (paths: readonly string[], cookie: string): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const path of paths) {
    const { statusCode, body } = await server.call('GET', path, { cookie });
    answers.push([path, statusCode === 200 ? 200 : (JSON.parse(body) as { data: { code: string } }).data.code]);
  }
  return answers;
};
const all = (id: string, answer: number | string) => readings(id).map((path) => [path, answer]);

// Shows P23.1.
test('a revision is read by the calls that read a visualization, under its own ID', async () => {
  const owner = await server.person({});
  const draft = await insert({ ownerId: owner.id });
  expect(await read(readings(draft.view_id!), owner.cookie)).toEqual(all(draft.view_id!, 200));
  const { body } = await server.call('GET', `/api/visualizations/${draft.view_id}`, owner);
  expect(JSON.parse(body)).toMatchObject({
    id: draft.view_id,
    userId: owner.id,
    fileName: 'made-draft.json',
    isActive: false,
    isSample: false,
    keywords: stored.context.list.texts.length,
    nodes: draft.nodes,
    rootName: 'made',
  });
  const listed = await server.call('GET', '/api/visualizations', owner);
  expect(JSON.parse(listed.body)).toEqual([]);
});

// Shows P23.1.
test('a revision is missing for everybody who may not use its draft, its owner included', async () => {
  const [owner, other, admin] = [
    await server.person({}),
    await server.person({}),
    await server.person({ role: 'admin' }),
  ];
  const draft = await insert({ ownerId: owner.id, begunBy: admin.id });
  const id = draft.view_id!;
  expect(await read(readings(id), admin.cookie)).toEqual(all(id, 200));
  for (const { cookie } of [owner, other])
    expect(await read(readings(id), cookie)).toEqual(all(id, 'visualization/not-found'));
  const denied = await server.person({ status: 'denied' });
  expect(await read(readings(id), denied.cookie)).toEqual(all(id, 'session/not-approved'));
});

test('what only visualizations have does not exist for a revision', async () => {
  const admin = await server.person({ role: 'admin' });
  const { view_id: id } = await insert({ ownerId: admin.id });
  const calls = [
    ['GET', '/views'],
    ['POST', '/views', { name: 'view', state: '' }],
    ['POST', '/activate', {}],
    ['PUT', '/description', { description: 'text' }],
    ['PUT', '/newest-month', { month: '2026-04' }],
    ['DELETE', ''],
  ] as const;
  for (const [method, path, body] of calls) {
    const answer = await server.call(method, `/api/visualizations/${id}${path}`, { cookie: admin.cookie, body });
    expect([method, path, JSON.parse(answer.body)]).toMatchObject([
      method,
      path,
      { data: { code: 'visualization/not-found' } },
    ]);
  }
});

// Shows P23.1.
test('a revision that was replaced can be read until its files are removed', async () => {
  const { db } = server.database;
  const owner = await server.person({});
  const draft = await insert({ ownerId: owner.id });
  const [old, next] = [draft.view_id!, randomUUID()];
  const removals: string[][] = [];
  await inTransaction(db, async (tx) => {
    const queueFileDeletion = async (_: unknown, keys: readonly string[]) => void removals.push([...keys]);
    await keepPastRevision({ now: () => server.clock, queueFileDeletion }, tx, draft);
    const keys = { file_key: newKey('file'), pack_key: newKey('pack') };
    await tx
      .updateTable('drafts')
      .set({ view_id: next, ...keys })
      .where('id', '=', draft.id)
      .execute();
  });
  const keys = [draft.file_key!, draft.pack_key!];
  expect(removals).toEqual([keys]);
  expect(await read(readings(old), owner.cookie)).toEqual(all(old, 200));
  expect([...(await referencedKeys(db, keys, new Date(server.clock)))].sort()).toEqual([...keys].sort());
  await endGrace(db, { keys });
  expect(await read(readings(old), owner.cookie)).toEqual(all(old, 'visualization/not-found'));
  expect([...(await referencedKeys(db, keys, new Date(server.clock)))]).toEqual([]);
});

test('the objects of a draft are not swept', async () => {
  const owner = await server.person({});
  const { file_key, pack_key, graph_key } = await insert({ ownerId: owner.id });
  const keys = [file_key!, pack_key!, graph_key!];
  const referenced = await referencedKeys(server.database.db, keys, new Date(server.clock));
  expect([...referenced].sort()).toEqual([...keys].sort());
});
