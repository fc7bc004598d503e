// Shows T74.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListCorrectionsShape, RememberedReading } from '@kc/rules/draft-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { maxListReadings } from './list-readings.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let people = 0;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-readings-'));
  app = await startTestApp(database, directory);
});
afterAll(async () => {
  await app?.stop();
  await rm(directory, { recursive: true });
  await database.close();
});

const hashOf = (names: readonly string[]) => createHash('sha256').update(JSON.stringify(names)).digest('hex');
const header = hashOf(['Begriff', 'Wert', 'Menge']);
const meanings = { 0: 'keyword', 2: 'volume' };

async function person(): Promise<{ readonly id: string; readonly cookie: string }> {
  const id = `reader-${people++}`;
  await insertAccount(database.db, id, { role: 'admin' });
  return { id, cookie: await cookieOf(database, id) };
}

async function post<Body>(cookie: string, path: string, body: object): Promise<{ status: number; body: Body }> {
  const answer = await fetch(`${app.url}/api${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}

type Asker = Awaited<ReturnType<typeof person>>;
type List = { readonly corrections: ListCorrectionsShape; readonly header?: string };

const begin = ({ id, cookie }: Asker, lists: readonly List[], userId = id) =>
  post<{ id: string }>(cookie, '/drafts', {
    userId,
    name: 'made',
    description: '',
    files: lists.map((list, at) => ({ name: `list-${at}.csv`, size: 10, ...list })),
    settings: { preset: 'balanced', grouping: 'columns' },
  });
const find = async ({ cookie }: Asker, hash = header) =>
  (await post<{ found?: RememberedReading }>(cookie, '/list-readings/find', { header: hash })).body.found;

// Shows P21.8.
test('corrections are found again by the same person, for the same header alone', async () => {
  const [ann, bob] = [await person(), await person()];
  const before = Date.now();
  expect(await find(ann)).toBeUndefined();
  expect((await begin(ann, [{ corrections: { meanings, delimiter: ';' }, header }])).status).toBe(200);
  const found = await find(ann);
  expect(found?.corrections).toEqual({ meanings, delimiter: ';' });
  expect(found?.correctedAt).toBeGreaterThanOrEqual(before);
  expect(await find(bob)).toBeUndefined();
  expect(await find(ann, hashOf(['Begriff', 'Wert']))).toBeUndefined();
  expect(await find(ann, hashOf(['Begriff', 'Menge', 'Wert']))).toBeUndefined();
});

test.each([
  { encoding: 'klingon' },
  { encoding: '' },
  { delimiter: '#' },
  { meanings: { 0: 'keyword', 1: 'horoscope' } },
])('corrections that name nothing are refused at once: %j', async (corrections) => {
  const ann = await person();
  const { status, body } = await begin(ann, [{ corrections, header }]);
  expect([status, (body as { data?: { code: string } }).data?.code]).toEqual([422, 'request/invalid']);
  expect(await database.db.selectFrom('drafts').select('id').where('owner_id', '=', ann.id).execute()).toEqual([]);
  expect(await find(ann)).toBeUndefined();
});

test('the last corrections count; sending without any, or forgetting them, ends it', async () => {
  const ann = await person();
  await begin(ann, [{ corrections: { meanings }, header }]);
  await begin(ann, [{ corrections: { meanings: { 1: 'volume' } }, header }]);
  expect((await find(ann))?.corrections).toEqual({ meanings: { 1: 'volume' } });
  await begin(ann, [{ corrections: {}, header }]);
  expect(await find(ann)).toBeUndefined();
  await begin(ann, [{ corrections: { meanings }, header }]);
  expect((await post(ann.cookie, '/list-readings/forget', { header })).status).toBe(200);
  expect(await find(ann)).toBeUndefined();
});

test('nothing is remembered of a list without a header, of its market, nor of another sheet', async () => {
  const ann = await person();
  await begin(ann, [
    { corrections: { meanings } },
    { corrections: { market: 'de' }, header: hashOf(['a']) },
    { corrections: { market: 'de', meanings }, header: hashOf(['b']) },
    { corrections: { sheet: 'Other', meanings }, header: hashOf(['c']) },
  ]);
  const found = await Promise.all(['a', 'b', 'c'].map((name) => find(ann, hashOf([name]))));
  expect(found.map((one) => one?.corrections)).toEqual([undefined, { meanings }, undefined]);
  const { count } = await database.db
    .selectFrom('list_readings')
    .select((e) => e.fn.countAll<string>().as('count'))
    .where('account_id', '=', ann.id)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(1);
});

test('a draft that is refused leaves nothing behind', async () => {
  const ann = await person();
  expect((await begin(ann, [{ corrections: { meanings }, header }], 'nobody')).status).toBe(404);
  expect(await find(ann)).toBeUndefined();
});

test('an account keeps a bounded number of them, the newest, and none when it is deleted', async () => {
  const ann = await person();
  const rows = Array.from({ length: maxListReadings }, (_, at) => ({
    account_id: ann.id,
    header_hash: at.toString(16).padStart(64, '0'),
    corrections: '{}',
    corrected_at: new Date(at + 1),
  }));
  await database.db.insertInto('list_readings').values(rows).execute();
  await begin(ann, [{ corrections: { meanings }, header }]);
  const kept = await database.db
    .selectFrom('list_readings')
    .select('header_hash')
    .where('account_id', '=', ann.id)
    .execute();
  expect(kept).toHaveLength(maxListReadings);
  expect(kept.map((row) => row.header_hash)).not.toContain(rows[0]!.header_hash);
  expect(kept.map((row) => row.header_hash)).toContain(rows[1]!.header_hash);
  expect((await find(ann))?.corrections).toEqual({ meanings });

  await database.db.deleteFrom('drafts').where('begun_by', '=', ann.id).execute();
  await database.db.deleteFrom('accounts').where('id', '=', ann.id).execute();
  expect(await database.db.selectFrom('list_readings').selectAll().where('account_id', '=', ann.id).execute()).toEqual(
    [],
  );
});

test('a header is known by a hash alone, and names are refused', async () => {
  const ann = await person();
  const long = await post(ann.cookie, '/list-readings/find', { header: ['Keyword'] });
  expect(long.status).toBe(422);
  expect((await post(ann.cookie, '/list-readings/find', { header: 'Keyword' })).status).toBe(422);
});
