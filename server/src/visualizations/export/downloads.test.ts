import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noFilter } from '@kc/pack/filter/filter';
import { writeFilter } from '@kc/pack/filter/filter-text';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let admin: string;
let people = 0;

/** More than the buffers of a connection hold while the client does not read. */
const words = Array.from({ length: 40_000 }, (_, i) => `${'more than a connection holds '.repeat(16)}${i}`);
const large = new TextEncoder().encode(JSON.stringify({ keywords: [], hierarchy: { name: 'r', children: words } }));
const small = new TextEncoder().encode('{"keywords":["a"],"hierarchy":{"name":"r","children":["a"]}}');

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-downloads-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  admin = await cookieOf(database, 'admin');
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

type Reader = { readonly id: string; readonly cookie: string };

async function person(role: 'admin' | 'user' = 'user'): Promise<Reader> {
  const id = `person-${people++}`;
  await insertAccount(database.db, id, { role });
  return { id, cookie: await cookieOf(database, id) };
}

async function upload(file: Uint8Array<ArrayBuffer>, userId: string): Promise<string> {
  const client = tusClient(app.url, admin);
  const status = await client.settled(await client.send(file, { filename: 'shop.json', userId }));
  if (!status.visualizationId) throw new Error(`Not active: ${JSON.stringify(status)}`);
  return status.visualizationId;
}

const call = (method: string, path: string, cookie: string, body?: object): Promise<Response> =>
  fetch(app.url + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The log lines of exports of a visualization, oldest first. */
async function linesOf(id: string) {
  const lines = await database.db
    .selectFrom('audit_log')
    .select(['actor', 'target', 'result', 'details'])
    .where('action', '=', 'export')
    .orderBy('id')
    .execute();
  return lines.filter(({ details }) => details.visualization === id);
}

/** Starts a download and reads only the response headers. The body is read on request. */
async function begin(path: string, cookie: string) {
  const request = httpGet(`${app.url}/api/visualizations/${path}`, { headers: { cookie } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.pause();
  expect(answer.statusCode).toBe(200);
  return {
    /** Reads the body. @returns the number of bytes, and whether the body was complete */
    async rest() {
      let bytes = 0;
      answer.on('data', (block: Buffer) => {
        bytes += block.length;
      });
      answer.on('error', () => undefined);
      const closed = new Promise((resolve) => answer.once('close', resolve));
      answer.resume();
      await closed;
      return { bytes, isWhole: answer.complete };
    },
  };
}

describe('SEC-26 every export is logged', () => {
  test.each([
    ['export.csv', { form: 'csv' }],
    ['export.csv?node=1', { form: 'csv', part: 'a branch' }],
    ['export.json', { form: 'json' }],
    ['original', { form: 'original' }],
  ])('%s', async (path, told) => {
    const ann = await person();
    const id = await upload(small, ann.id);
    expect((await call('GET', `/api/visualizations/${id}/${path}`, admin)).status).toBe(200);
    const details = { file: 'shop.json', visualization: id, ...told };
    expect(await linesOf(id)).toEqual([{ actor: 'admin', target: ann.id, result: 'ok', details }]);
  });

  test('with the number of rows and whether there was a filter, but not its content', async () => {
    const ann = await person();
    const id = await upload(small, ann.id);
    const filter = encodeURIComponent(writeFilter({ ...noFilter, contains: ['a'] }));
    const listed = await fetch(`${app.url}/api/visualizations/${id}/export.csv?filter=${filter}`, {
      method: 'POST',
      headers: { cookie: ann.cookie, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(Uint32Array.of(0, 1).buffer),
    });
    expect(listed.status).toBe(200);
    const details = { file: 'shop.json', visualization: id, form: 'csv', part: '2 rows', filtered: true };
    expect(await linesOf(id)).toEqual([{ actor: ann.id, target: ann.id, result: 'ok', details }]);
  });

  test('and refused exports are not', async () => {
    const id = await upload(small, (await person()).id);
    const other = await person();
    for (const path of ['export.csv', 'export.json', 'original']) {
      expect((await call('GET', `/api/visualizations/${id}/${path}`, other.cookie)).status).toBe(404);
    }
    expect(await linesOf(id)).toEqual([]);
  });
});

describe('a download is aborted when its reader', () => {
  const status = ({ id }: Reader, to: string) => call('PUT', `/api/users/${id}/status`, admin, { status: to });
  const losses: Readonly<Record<string, (reader: Reader, visualization: string) => Promise<Response>>> = {
    'is denied': (reader) => status(reader, 'denied'),
    'waits for approval again': (reader) => status(reader, 'pending'),
    'is no admin any more': ({ id }) => call('PUT', `/api/users/${id}/role`, admin, { role: 'user' }),
    'signs out': ({ cookie }) => call('DELETE', '/api/session', cookie),
    'signs out everywhere': ({ cookie }) => call('DELETE', '/api/session/all', cookie),
    'reads what is deleted': (_reader, visualization) => call('DELETE', `/api/visualizations/${visualization}`, admin),
  };

  let shared: string;
  let deleted: string;
  beforeAll(async () => {
    const owner = await person();
    [shared, deleted] = [await upload(large, owner.id), await upload(large, owner.id)];
  });

  test.each(Object.keys(losses))('%s, and that of another reader continues', async (way) => {
    const reader = await person('admin');
    const id = way === 'reads what is deleted' ? deleted : shared;
    const lost = await Promise.all(
      ['export.csv', 'export.json', 'original'].map((path) => begin(`${id}/${path}`, reader.cookie)),
    );
    const kept = await begin(`${shared}/original`, admin);
    expect((await losses[way]!(reader, id)).status).toBe(200);
    const results = async (of: string) =>
      (await linesOf(id)).filter(({ actor }) => actor === of).map(({ result }) => result);
    await expect.poll(() => results(reader.id)).toEqual([...lost.map(() => 'ok'), ...lost.map(() => 'refused')]);
    for (const download of lost) expect(await download.rest()).toMatchObject({ isWhole: false });
    expect(await kept.rest()).toEqual({ bytes: large.length, isWhole: true });
    expect(await results('admin')).not.toContain('refused');
  });
});
