import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import type { RequestContext } from '../accounts/require.ts';
import { forgetEnded } from '../forget-ended.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { createIdempotentAnswers } from './idempotent-answers.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let clock = Date.now();
let keys = 0;
let token: string;
let key: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-keys-'));
  app = await startTestApp(database, directory, { now: () => clock });
  await insertAccount(database.db, 'ann', { role: 'admin' });
  ({ token } = await giveToken({ database, clock }, 'ann', { scopes: ['read', 'import'], lifeMs: 30 * 86_400_000 }));
});
beforeEach(async () => {
  key = `key-${keys++}`;
  await database.db.deleteFrom('drafts').execute();
  await database.db.deleteFrom('rate_limits').execute();
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

const aDraft = {
  userId: 'ann',
  name: 'Garden',
  description: '',
  files: [{ name: 'list.csv', size: 10, corrections: {} }],
  settings: { preset: 'balanced', grouping: 'columns' },
};

async function ask(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const isText = typeof body === 'string';
  const answer = await fetch(`${app.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(!isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isText ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const { data } = JSON.parse(text) as { data?: Refusal };
  return { status: answer.status, text, said: data && sayRefusal(data), location: answer.headers.get('location') };
}

const countDrafts = async () => (await database.db.selectFrom('drafts').select('id').execute()).length;
const reused = 'This Idempotency-Key belongs to another request. Use a new key for each request.';
const underWay =
  'The first request with this Idempotency-Key has no response yet: it is still running, or its server stopped. Check whether its result exists; if not, use another key.';

// Shows P29.5.
test('a call that is repeated with its key is carried out once, and gets the same answer for a day', async () => {
  const first = await ask('POST', '/drafts', aDraft);
  expect(first.status).toBe(200);
  expect(await ask('POST', '/drafts', aDraft)).toEqual(first);
  expect(await countDrafts()).toBe(1);
  expect((await ask('POST', '/drafts', { ...aDraft, name: 'Other' })).said).toBe(reused);
  clock += 25 * 3_600_000;
  expect((await ask('POST', '/drafts', aDraft)).text).not.toBe(first.text);
  expect(await countDrafts()).toBe(2);
});

test('an import that is repeated with its key is carried out once, and another file with that key is refused', async () => {
  const path = '/imports/new/april.csv?publish=no';
  const list = 'Keyword,Group,Cluster\nred hose,Garden,Hoses\ncat food,Pets,Food\n';
  const first = await ask('PUT', path, list);
  expect([first.status, first.location]).toEqual([201, expect.stringContaining('/api/drafts/')]);
  expect(await ask('PUT', path, list)).toEqual(first);
  expect((await ask('PUT', path, list.replace('red', 'old'))).said).toBe(reused);
  expect((await ask('PUT', `${path}&title=Other`, list)).said).toBe(reused);
  expect(await countDrafts()).toBe(1);
});

test('of simultaneous requests with one key, one is carried out', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('POST', '/drafts', aDraft)));
  expect(await countDrafts()).toBe(1);
  const done = answers.filter(({ status }) => status === 200);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ status }) => status !== 200).every(({ said }) => said === underWay)).toBe(true);
});

test('what was refused may be tried again with its key', async () => {
  expect((await ask('POST', '/drafts', { ...aDraft, userId: 'nobody' })).status).toBe(404);
  expect((await ask('POST', '/drafts', aDraft)).status).toBe(200);
});

test('a request whose server stopped is refused, not repeated', async () => {
  await ask('POST', '/drafts', aDraft);
  await database.db.updateTable('idempotent_answers').set({ answer: null }).execute();
  expect(await ask('POST', '/drafts', aDraft)).toMatchObject({ status: 409, said: underWay });
  expect(await countDrafts()).toBe(1);
});

test('a key means nothing to others: another account, another token, another role, another call', async () => {
  await ask('POST', '/drafts', aDraft);
  const other = await giveToken({ database, clock }, 'ann', { scopes: ['import'], lifeMs: 86_400_000 });
  expect((await ask('POST', '/drafts', aDraft, { authorization: `Bearer ${other.token}` })).status).toBe(200);
  expect(await countDrafts()).toBe(2);
  await database.db.updateTable('accounts').set({ role: 'user', status: 'denied' }).where('id', '=', 'ann').execute();
  expect((await ask('POST', '/drafts', aDraft)).status).toBe(403);
  await database.db
    .updateTable('accounts')
    .set({ role: 'admin', status: 'approved' })
    .where('id', '=', 'ann')
    .execute();
});

test('an answer with a secret is stored so that the database does not reveal it', async () => {
  const cookie = await cookieOf(database, 'ann', clock);
  const headers = { cookie, authorization: '' };
  const asked = { name: 'cron', scopes: ['read'], expiresAt: clock + 86_400_000 };
  const make = () => ask('POST', '/access-tokens', asked, headers);
  const made = await make();
  expect(made.text).toContain('kc_');
  expect(await make()).toEqual(made);
  const rows = await database.db.selectFrom('idempotent_answers').select('answer').execute();
  for (const { answer } of rows) expect(String(answer)).not.toContain('kc_');
});

test('answers are forgotten after a day, and a key has a form', async () => {
  await ask('POST', '/drafts', aDraft);
  await forgetEnded(database.db, clock + 25 * 3_600_000);
  expect(await database.db.selectFrom('idempotent_answers').selectAll().execute()).toEqual([]);
  key = 'k'.repeat(201);
  expect((await ask('POST', '/drafts', aDraft)).said).toBe(
    'The Idempotency-Key must be 1 to 200 visible ASCII characters.',
  );
});

test('an answer without a key is not read as text, which for a slice took as long as computing it', async () => {
  const bytes = Buffer.from([1, 2, 3]);
  let timesRead = 0;
  bytes.toString = () => String(timesRead++);
  const plain = Fastify();
  onTestFinished(() => plain.close());
  plain.decorateRequest('requestContext');
  plain.addHook('onRequest', async (request) => {
    request.requestContext = {} as RequestContext;
  });
  createIdempotentAnswers({ db: database.db, secret: 'secret', now: () => clock }).attach(plain);
  plain.get('/', (_, reply) => reply.send(bytes));
  expect((await plain.inject('/')).rawPayload).toEqual(Buffer.from([1, 2, 3]));
  expect(timesRead).toBe(0);
});
