// Shows S13.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@kc/rules/limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp, type TestAppOptions } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { type TusClient, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { startReading } from '../ingest/run-ingest.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let admin: TusClient;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-upload-'));
  for (const id of ['admin', 'other-admin']) await insertAccount(database.db, id, { role: 'admin' });
  await insertAccount(database.db, 'ann');
  await insertAccount(database.db, 'old-ann', { migratedTo: 'ann' });
  await insertAccount(database.db, 'nobody', { isSample: true });
  await start();
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function start(options: TestAppOptions = {}): Promise<void> {
  app = await startTestApp(database, directory, options);
  admin = tusClient(app.url, await cookieOf(database, 'admin'));
}

const forAnn = { filename: 'shoes.json', filetype: 'application/json', userId: 'ann' };
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const good = bytesOf('{"keywords":["trail shoes"],"hierarchy":{"name":"shoes","children":[{"name":"trail shoes"}]}}');
/** A valid file of exactly `size` bytes. */
const padded = (size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size).fill(0x20);
  bytes.set(good);
  return bytes;
};
const files = (): Promise<string[]> => readdir(join(directory, 'files'));
const idOf = (location: string): string => location.split('/').at(-1)!;
const uploadRow = (location: string) =>
  database.db.selectFrom('uploads').selectAll().where('id', '=', idOf(location)).executeTakeFirst();
const recordsOf = (location: string) =>
  database.db.selectFrom('visualizations').selectAll().where('upload_id', '=', idOf(location)).execute();
const rowsOf = () => database.db.selectFrom('uploads').select('id').orderBy('id').execute();
const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { data: { code: string } }).data.code;

async function created(size: number): Promise<string> {
  return (await admin.create(size, forAnn)).headers.get('location')!;
}

describe('an upload', () => {
  test('SEC-19 has a relative URL with 128 random bits and starts at 0', async () => {
    const response = await admin.create(good.length, { ...forAnn, description: 'Spring' });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toMatch(/^\/api\/uploads\/[0-9a-f]{32}$/);
    const head = await admin.head(response.headers.get('location')!);
    expect(head.status).toBe(200);
    expect(head.headers.get('upload-offset')).toBe('0');
    expect(head.headers.get('upload-length')).toBe(String(good.length));
    expect(head.headers.get('cache-control')).toBe('no-store');
  });

  test('becomes one active visualization with the fields of the file', async () => {
    const location = await admin.send(
      good,
      { ...forAnn, filename: '../../etc/Spring.JSON', description: 'Spring' },
      10,
    );
    const status = await admin.settled(location);
    expect(status).toMatchObject({ state: 'active', share: 1 });
    const [record, ...more] = await recordsOf(location);
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      id: status.visualizationId,
      user_id: 'ann',
      uploaded_by: 'admin',
      file_name: 'Spring.JSON',
      description: 'Spring',
      is_active: true,
      keywords: 1,
      nodes: 2,
      root_name: 'shoes',
      file_size: good.length,
    });
    expect(record!.storage_path).toMatch(/^users\/ann\/visualizations\/\d{13}_Spring\.JSON$/);
    await expect.poll(async () => (await files()).filter((name) => name.startsWith('temp'))).toEqual([]);
  });

  test('T46 SEC-19 sends no cross-origin header, and security headers on every response', async () => {
    const location = await created(good.length);
    const answers = [
      await admin.create(1, forAnn, { origin: app.url.replace('127.0.0.1', 'localhost') }),
      await admin.head(location),
      await admin.patch(location, 5, good),
      await admin.patch(location, 0, good),
      await fetch(app.url + location, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }),
    ];
    for (const answer of answers) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect(answers.at(-1)!.status).toBe(404);
    await admin.settled(location);
  });

  test('T46 is refused from another site', async () => {
    const response = await admin.create(1, forAnn, { origin: 'https://evil.example' });
    expect([response.status, await codeOf(response)]).toEqual([403, 'request/cross-site']);
  });

  test('T37 T38 SEC-19 cannot be read, overridden, sent without a length or concatenated', async () => {
    const location = await created(good.length);
    expect((await admin.get(location)).status).toBe(404);
    const overridden = await fetch(app.url + location, {
      method: 'POST',
      headers: {
        cookie: await cookieOf(database, 'admin'),
        'x-http-method-override': 'DELETE',
        'tus-resumable': '1.0.0',
      },
    });
    expect(overridden.status).toBe(404);
    for (const headers of [{ 'upload-defer-length': '1' }, { 'upload-concat': 'partial' }]) {
      const response = await admin.create(10, forAnn, headers);
      expect([response.status, await codeOf(response)]).toEqual([400, 'request/invalid']);
    }
    expect((await admin.patch(location, 0, good, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await admin.head(location)).headers.get('upload-offset')).toBe('0');
  });

  test('T38 cannot be accessed by anybody else, not even another admin', async () => {
    const location = await created(good.length);
    const other = tusClient(app.url, await cookieOf(database, 'other-admin'));
    const stranger = tusClient(app.url, '');
    const user = tusClient(app.url, await cookieOf(database, 'ann'));
    for (const [client, status, creation] of [
      [other, 404, 201],
      [user, 404, 403],
      [stranger, 401, 401],
    ] as const) {
      expect((await client.head(location)).status).toBe(status);
      expect((await client.patch(location, 0, good)).status).toBe(status);
      expect((await client.remove(location)).status).toBe(status);
      expect((await client.create(1, forAnn)).status).toBe(creation);
    }
    expect((await uploadRow(location))?.received).toBe(0);
  });

  test('T39 ends for an admin who is demoted meanwhile', async () => {
    await insertAccount(database.db, 'short-lived', { role: 'admin' });
    const client = tusClient(app.url, await cookieOf(database, 'short-lived'));
    const location = (await client.create(good.length, forAnn)).headers.get('location')!;
    await client.patch(location, 0, good.slice(0, 10));
    await database.db.updateTable('accounts').set({ role: 'user' }).where('id', '=', 'short-lived').execute();
    expect((await client.patch(location, 10, good.slice(10))).status).toBe(403);
    expect((await uploadRow(location))?.received).toBe(10);
  });

  test('T36 requires an existing recipient: not a stranger, a migrated account or the sample', async () => {
    const before = await rowsOf();
    for (const userId of ['who', 'old-ann', 'nobody', '\0', "' or true --"]) {
      const response = await admin.create(10, { ...forAnn, userId });
      expect([response.status, await codeOf(response)]).toEqual([404, 'account/not-found']);
    }
    expect(await codeOf(await admin.create(10, { filename: 'a.json' }))).toBe('upload/no-user');
    expect(await rowsOf()).toEqual(before);
  });

  test('T37 REL-22 is one JSON file of 1 byte to 3072 MiB', async () => {
    const sizes = [
      [0, 422, 'upload/invalid-json'],
      [1, 201],
      [limits.maxUploadBytes, 201],
      [limits.maxUploadBytes + 1, 413, 'upload/too-large'],
      ['-1', 400, 'request/invalid'],
      ['9007199254740993', 400, 'request/invalid'],
      ['1.5', 400, 'request/invalid'],
    ] as const;
    for (const [size, status, code] of sizes) {
      const response = await admin.create(size, forAnn);
      expect([size, response.status]).toEqual([size, status]);
      if (code) expect(await codeOf(response)).toBe(code);
      else await admin.remove(response.headers.get('location')!);
    }
    const image = await admin.create(10, { ...forAnn, filename: 'a.png', filetype: 'image/png' });
    expect([image.status, await codeOf(image)]).toEqual([422, 'upload/not-json']);
  });

  test('T41 SEC-18 has a name that is only a label: no path, no text direction, no header line', async () => {
    const names = [
      ['C:\\\\share\\..\\con.json', 'con.json'],
      ['/etc/passwd.json', 'passwd.json'],
      ['a\u202enosj.json', 'anosj.json'],
      ['a\0\r\nset-cookie: b.json', 'aset-cookie: b.json'],
      [`${'x'.repeat(300)}.json`, `${'x'.repeat(195)}.json`],
      ['..json', 'json'],
    ] as const;
    for (const [given, kept] of names) {
      const location = (await admin.create(10, { ...forAnn, filename: given })).headers.get('location')!;
      const row = (await uploadRow(location))!;
      expect([given, row.file_name]).toEqual([given, kept]);
      expect(row.file_key).toMatch(/^file-[0-9a-f]{32}$/);
      await admin.remove(location);
    }
    const split = await admin.create(10, forAnn, { 'upload-metadata': 'filename YQ==,, userId' });
    expect(split.status).toBe(400);
  });

  test('SEC-18 two with the same name for one user at the same time are both kept', async () => {
    const locations = await Promise.all([admin.send(good, forAnn), admin.send(good, forAnn)]);
    const made: string[] = [];
    for (const location of locations) made.push((await admin.settled(location)).visualizationId!);
    expect(new Set(made).size).toBe(2);
    for (const id of made) {
      const original = await admin.get(`/api/visualizations/${id}/original`);
      expect(original.headers.get('content-disposition')).toContain('filename="shoes.json"');
      expect(Buffer.from(await original.arrayBuffer()).equals(good)).toBe(true);
    }
  });

  test('T37 accepts no byte beyond its length, and waits for the last one', async () => {
    const location = await created(good.length);
    const response = await admin.patch(location, 0, padded(good.length + 1));
    expect([response.status, await codeOf(response)]).toEqual([413, 'request/invalid']);
    expect((await uploadRow(location))?.received).toBe(0);
    const undeclared = new ReadableStream({
      start(controller) {
        controller.enqueue(padded(good.length + 1));
        controller.close();
      },
    });
    expect((await admin.patch(location, 0, undeclared)).status).toBe(413);
    expect((await uploadRow(location))?.received).toBe(0);
    expect((await admin.patch(location, 0, good.slice(0, -1))).status).toBe(204);
    expect((await admin.status(location)).state).toBe('receiving');
    const { file_key } = (await uploadRow(location))!;
    expect((await stat(join(directory, 'files', file_key))).size).toBe(good.length - 1);
    expect(await recordsOf(location)).toEqual([]);
  });

  test('T40 responds to a wrong offset with 409 and stays unchanged', async () => {
    const location = await created(good.length);
    await admin.patch(location, 0, good.slice(0, 20));
    for (const offset of [0, 19, 21, good.length]) {
      expect((await admin.patch(location, offset, good.slice(20, 30))).status).toBe(409);
    }
    expect((await admin.head(location)).headers.get('upload-offset')).toBe('20');
  });

  test('T40 REL-06 finishes once, however often its end is sent', async () => {
    const location = await created(good.length);
    const ends = Array.from({ length: 8 }, () => admin.patch(location, 0, good));
    const statuses = (await Promise.all(ends)).map((response) => response.status).sort();
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1);
    if (!statuses.includes(204)) await admin.patch(location, 0, good);
    await admin.settled(location);
    for (let n = 0; n < 20; n++) {
      expect((await admin.patch(location, good.length, new Uint8Array())).status).toBe(204);
      expect((await admin.patch(location, 0, good)).status).toBe(409);
    }
    expect((await admin.settled(location)).state).toBe('active');
    expect(await recordsOf(location)).toHaveLength(1);
  });

  test('is cancelled with its bytes, but not after it is complete', async () => {
    const location = await created(good.length);
    await admin.patch(location, 0, good.slice(0, 10));
    const { file_key } = (await uploadRow(location))!;
    expect(await files()).toContain(file_key);
    expect((await admin.remove(location)).status).toBe(204);
    expect(await files()).not.toContain(file_key);
    expect((await admin.head(location)).status).toBe(404);

    const complete = await admin.send(good, forAnn);
    await admin.settled(complete);
    expect((await admin.remove(complete)).status).toBe(400);
    expect(await recordsOf(complete)).toHaveLength(1);
  });
});

describe('an upload that is interrupted', () => {
  /** Sends the beginning of a chunk, waits until some of it is durable, and breaks the connection. */
  async function breakOff(location: string, bytes: Uint8Array): Promise<void> {
    const cookie = await cookieOf(database, 'admin');
    const sending: ClientRequest = request(app.url + location, {
      method: 'PATCH',
      headers: {
        cookie,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'content-length': bytes.length,
      },
    });
    const broken = new Promise((resolve) => sending.once('error', resolve));
    sending.write(bytes.subarray(0, bytes.length / 2));
    while ((await uploadRow(location))!.received === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    sending.destroy(new Error('broken off'));
    await broken;
  }

  // Shows P10.10.
  test('continues after its durable bytes', async () => {
    const bytes = padded(12 * 2 ** 20);
    const location = await created(bytes.length);
    await breakOff(location, bytes);
    const offset = Number((await admin.head(location)).headers.get('upload-offset'));
    expect(offset).toBeGreaterThanOrEqual(limits.durableEveryBytes);
    expect(offset).toBeLessThan(bytes.length);
    expect((await admin.patch(location, offset, bytes.slice(offset))).status).toBe(204);
    const { visualizationId } = await admin.settled(location);
    const original = await admin.get(`/api/visualizations/${visualizationId}/original`);
    expect(Buffer.compare(Buffer.from(await original.arrayBuffer()), bytes)).toBe(0);
  });

  test('continues after a restart of the server', async () => {
    const location = await created(good.length);
    await admin.patch(location, 0, good.slice(0, 30));
    await app.stop();
    await start();
    expect((await admin.head(location)).headers.get('upload-offset')).toBe('30');
    expect((await admin.patch(location, 30, good.slice(30))).status).toBe(204);
    expect((await admin.settled(location)).state).toBe('active');
  });

  test('is read after a restart if the server stopped before', async () => {
    const location = await admin.send(good, forAnn);
    await app.stop();
    // In a process of its own, as a server reads. Starting it takes a hundred times as long as reading this file.
    await start({ startReading });
    expect((await admin.settled(location)).state).toBe('active');
    expect(await recordsOf(location)).toHaveLength(1);
  });
});

describe('a file that cannot be used', () => {
  test('is rejected with a position, and nothing of it is left', async () => {
    const before = (await files()).sort();
    const location = await admin.send(bytesOf('{\n  "keywords": ["a",],\n  "hierarchy": {"name": "x"}}'), forAnn);
    const status = await admin.settled(location);
    expect(status.state).toBe('failed');
    expect(status.refusal).toMatchObject({
      code: 'upload/invalid-json',
      params: { byte: 21, line: 2, column: 20 },
    });
    await expect.poll(async () => (await files()).sort()).toEqual(before);
    expect(await recordsOf(location)).toEqual([]);
  });

  // Shows P10.14.
  test('is rejected if it needs more memory than the server allows', async () => {
    const small = await startTestApp(database, directory, { memoryBytes: 32 * 2 ** 20 });
    const client = tusClient(small.url, await cookieOf(database, 'admin'));
    await app.stop();
    const status = await client.settled(await client.send(good, forAnn));
    await small.stop();
    await start();
    expect(status.refusal).toMatchObject({ code: 'upload/too-big-to-fit', params: { allowedMib: 32 } });
  });
});

test('REL-04 if activation fails the visualization exists, inactive, and the upload says so', async () => {
  await app.stop();
  app = await startTestApp(database, directory, { flip: () => Promise.reject(new Error('no')) });
  admin = tusClient(app.url, await cookieOf(database, 'admin'));
  const location = await admin.send(good, forAnn);
  expect(await admin.settled(location)).toMatchObject({ state: 'active', warning: { code: 'upload/not-activated' } });
  expect((await recordsOf(location))[0]).toMatchObject({ is_active: false });
  expect(app.faults).toHaveLength(1);
  await app.stop();
  await start();
});

test('concurrent uploads for one user leave one active visualization', async () => {
  await insertAccount(database.db, 'crowd');
  const metadata = { ...forAnn, userId: 'crowd' };
  const locations = await Promise.all(Array.from({ length: 3 }, () => admin.send(good, metadata)));
  for (const location of locations) expect((await admin.settled(location)).state).toBe('active');
  const records = await database.db.selectFrom('visualizations').selectAll().where('user_id', '=', 'crowd').execute();
  expect(records).toHaveLength(3);
  expect(records.filter((record) => record.is_active)).toHaveLength(1);
});
