import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { mappedMeanings } from '@kc/pack/upload/field-map';
import type { UploadStatus, Visualization } from '@kc/rules/shapes';
import { type FieldMap, fieldMeanings, maxMappedMembers } from '@kc/rules/upload';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import type { Storage } from '../storage/storage.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
/** Happens once, after the next file was read and before its visualization is saved. */
let meanwhile: (() => Promise<void>) | undefined;
beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-field-map-'));
  for (const id of ['admin', 'other']) await insertAccount(database.db, id, { role: 'admin' });
  for (const id of ['ann', 'bob']) await insertAccount(database.db, id);
  const wrap = (disk: Storage): Storage => ({
    ...disk,
    async publish(from, to) {
      const act = meanwhile;
      meanwhile = undefined;
      await act?.();
      await disk.publish(from, to);
    },
  });
  app = await startTestApp(database, directory, { wrap });
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const entries = [
  { keyword: 'hose', reach: 100, search_volume: 7 },
  { keyword: 'spade', reach: 40, search_volume: 2 },
];
const file = new TextEncoder().encode(
  JSON.stringify({ keywords: entries, hierarchy: { name: 'r', children: [{ name: 'hose' }, { name: 'spade' }] } }),
);

async function call(who: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${app.url}/api${path}`, {
    ...(body === undefined ? {} : { method: 'PUT', body: JSON.stringify(body) }),
    headers: { cookie: await cookieOf(database, who), 'content-type': 'application/json' },
  });
}

const client = async () => tusClient(app.url, await cookieOf(database, 'admin'));
const mapUpload = (id: string, fieldMap: FieldMap, who = 'admin') =>
  call(who, `/uploads/${id}/field-map`, { fieldMap });
const map = (id: string, fieldMap: FieldMap, who = 'ann') => call(who, `/visualizations/${id}/field-map`, { fieldMap });

/** What a visualization shows: the figures of its nodes, and the fields of the file. */
async function shown(id: string) {
  const slice = await call('ann', `/visualizations/${id}/slice`);
  if (slice.status !== 200) throw new Error(`No slice: ${slice.status}`);
  const { volume, difficulty, keywords } = decodeSlice(new Uint8Array(await slice.arrayBuffer()));
  return {
    volume: [...volume],
    difficulty: [...difficulty],
    keywords: [...keywords],
    fields: await (await call('ann', `/visualizations/${id}/fields`)).json(),
  };
}

/** Uploads a file. @param corrected what is corrected before the first byte is sent */
async function upload(corrected?: FieldMap, bytes = file): Promise<string> {
  const tus = await client();
  const created = await tus.create(bytes.length, { filename: 'a.json', userId: 'ann' });
  const location = created.headers.get('location')!;
  if (corrected) expect((await mapUpload(idOf(location), corrected)).status).toBe(200);
  for (let at = 0; at < bytes.length; at += 4 * 2 ** 20)
    await tus.patch(location, at, bytes.slice(at, at + 4 * 2 ** 20));
  const { state, visualizationId } = await tus.settled(location);
  expect(state).toBe('active');
  return visualizationId!;
}

const idOf = (location: string): string => location.split('/').at(-1)!;
const recordOf = (id: string) =>
  database.db.selectFrom('visualizations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Waits until the pack was read by the present field map. */
const rebuilt = (id: string) =>
  vi.waitFor(
    async () => {
      const { field_map, pack_field_map } = await recordOf(id);
      expect(pack_field_map).toEqual(field_map);
    },
    { timeout: 60_000, interval: 50 },
  );

test('the meanings of the contract are those that the reader knows', () => {
  expect([...fieldMeanings].sort()).toEqual([...mappedMeanings].sort());
});

test('a correction before the first byte is used by ingest', async () => {
  const id = await upload({ reach: 'volume' });
  const { volume, fields } = await shown(id);
  expect(volume).toEqual([140, 100, 40]);
  expect(JSON.stringify(fields)).toContain('search_volume as it is');
  expect((await shown(await upload())).volume).toEqual([9, 7, 2]);
});

test.each([
  ['after the last byte', file],
  ['while it arrives', padded()],
])('a correction during ingest, of a file that is read %s, reads it again', async (_, bytes) => {
  meanwhile = async () => {
    const { id } = await database.db
      .selectFrom('uploads')
      .select('id')
      .where('state', 'in', ['reading', 'saving'])
      .executeTakeFirstOrThrow();
    expect((await mapUpload(id, { reach: 'volume' })).status).toBe(200);
  };
  const id = await upload(undefined, bytes);
  expect(meanwhile).toBeUndefined();
  expect((await shown(id)).volume).toEqual([140, 100, 40]);
  expect(await recordOf(id)).toMatchObject({ field_map: { reach: 'volume' }, pack_field_map: { reach: 'volume' } });
});

test('a correction after publishing rebuilds the pack from the original, which stays; so does taking it back', async () => {
  const id = await upload();
  const plain = await shown(id);
  const { pack_key: before, upload_id } = await recordOf(id);
  const answer = await map(id, { reach: 'volume', search_volume: 'leaveOut' });
  expect([answer.status, ((await answer.json()) as Visualization).fieldMap]).toEqual([
    200,
    { reach: 'volume', search_volume: 'leaveOut' },
  ]);
  await rebuilt(id);
  expect(await shown(id)).toEqual(await shown(await upload({ search_volume: 'leaveOut', reach: 'volume' })));
  expect((await recordOf(id)).pack_key).not.toBe(before);
  const original = await call('ann', `/visualizations/${id}/original`);
  expect(Buffer.compare(Buffer.from(await original.arrayBuffer()), file)).toBe(0);

  // The upload's address leads to the visualization that it has become.
  const cleared = await mapUpload(upload_id!, {});
  expect([cleared.status, ((await cleared.json()) as UploadStatus).fieldMap]).toEqual([200, undefined]);
  await rebuilt(id);
  expect(await shown(id)).toEqual(plain);
  const lines = await database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'map-fields')
    .orderBy('id')
    .execute();
  expect(lines.map(({ actor, target }) => [actor, target])).toEqual([
    ['ann', 'ann'],
    ['admin', 'ann'],
  ]);
});

test('field maps set, changed and cleared in any order show what the last one shows from scratch', async () => {
  const maps: readonly FieldMap[] = [
    {},
    { reach: 'volume' },
    { reach: 'difficulty', search_volume: 'keep' },
    { search_volume: 'difficulty', reach: 'clicks' },
    { reach: 'leaveOut' },
  ];
  const fromScratch = await Promise.all(maps.map(async (one) => shown(await upload(one))));
  const id = await upload();
  // Some follow before the pack was rebuilt for the one before.
  for (const steps of [[1], [2, 0], [3, 1, 4], [0], [4, 3, 2, 1], [1, 1, 3]]) {
    for (const step of steps) expect((await map(id, maps[step]!)).status).toBe(200);
    await rebuilt(id);
    expect(await shown(id), `${steps}`).toEqual(fromScratch[steps.at(-1)!]);
  }
});

test('nobody else can correct a file, and a correction has to make sense', async () => {
  const id = await upload();
  const { upload_id: uploadId } = await recordOf(id);
  expect((await map(id, { reach: 'volume' }, 'bob')).status).toBe(404);
  expect((await mapUpload(uploadId!, { reach: 'volume' }, 'other')).status).toBe(404);
  expect((await mapUpload(uploadId!, { reach: 'volume' }, 'ann')).status).toBe(403);
  expect((await map(id, { reach: 'keyword' as never })).status).toBe(422);
  expect((await map(id, { 'a\u0000': 'volume' })).status).toBe(422);
  const many = Object.fromEntries(Array.from({ length: maxMappedMembers + 1 }, (_, at) => [`m${at}`, 'keep'] as const));
  expect((await map(id, many)).status).toBe(422);
  expect((await recordOf(id)).field_map).toBeNull();
});

/** As large as files that are read while they arrive. */
function padded(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 * 2 ** 20).fill(0x20);
  bytes.set(file);
  return bytes;
}
