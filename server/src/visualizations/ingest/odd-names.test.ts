// Shows SEC-32.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, type NodePath } from '@kc/pack/plan/node-paths';
import type { PlanAnswer, PlanHistory, PlanPage } from '@kc/rules/plan-shapes';
import type { NodeDetail } from '@kc/rules/shapes';
import type { DismissedWarning, WarningPage } from '@kc/rules/warning-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount, uploadOf } from '../../../test/support/rows.ts';
import { type TusClient, tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';
import { findUpload, insertUpload, recordFailure } from '../upload/upload-queries.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let client: TusClient;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-odd-names-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  app = await startTestApp(database, directory);
  client = tusClient(app.url, await cookieOf(database, 'admin'));
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

const upload = async (text: string) =>
  client.settled(await client.send(new TextEncoder().encode(text), { filename: 'a.json', userId: 'admin' }));
const rootName = async (id: string | undefined) =>
  (await database.db.selectFrom('visualizations').select('root_name').where('id', '=', id!).executeTakeFirst())
    ?.root_name;

test.each([
  ['a\0b', 'a\ufffdb'],
  ['\0', '\ufffd'],
  ['x\ud800y', 'x\ufffdy'],
  ['\udc00', '\ufffd'],
  ['😀', '😀'],
])('a root named %j is saved, and listed as %j', async (name, listed) => {
  const status = await upload(JSON.stringify({ keywords: [name], hierarchy: { name, children: [name] } }));
  expect(status.state).toBe('active');
  expect(await rootName(status.visualizationId)).toBe(listed);
});

test.each(['{"hierarchy":{"name":"a\\u0000b"}!', '{"hierarchy":{"name":"\\ud800"}!', '{"hierarchy":"\0"}', '\0'])(
  'a broken file with odd characters is rejected once, with a position: %j',
  async (text) => {
    expect(await upload(text)).toMatchObject({ state: 'failed', refusal: { code: 'upload/invalid-json' } });
  },
);

test('a refusal is saved whatever characters it quotes', async () => {
  const row = uploadOf('admin', 1);
  await insertUpload(database.db, row, new Date());
  const refusal = { code: 'upload/invalid-json', params: { excerpt: 'a\0\ud800b', byte: 3 } };
  await recordFailure(database.db, row.id, refusal, new Date());
  expect((await findUpload(database.db, row.id))?.refusal).toEqual({
    code: 'upload/invalid-json',
    params: { excerpt: 'a\ufffd\ufffdb', byte: 3 },
  });
});

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${app.url}/api/visualizations/${path}`, {
    method,
    headers: { cookie: await cookieOf(database, 'admin'), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.status, `${method} ${path}`).toBe(200);
  return (await answer.json()) as T;
}

/** The tokenizer leaves a NUL as it is and replaces the half of a pair, and node IDs are hashes of what it leaves. */
test('nodes with odd names are planned, found again under their names, and called no problem', async () => {
  const file = {
    keywords: [{ keyword: 'k\0', volume: 2 }, { keyword: 'x' }],
    hierarchy: {
      name: 'odd',
      children: [
        { name: 'a\0b', type: 'cluster', children: [{ name: 'k\0' }] },
        { name: '\ud800', type: 'cluster', children: [{ name: 'x' }] },
      ],
    },
  };
  const id = (await upload(JSON.stringify(file))).visualizationId!;
  const at = (...names: string[]) =>
    addressOf(
      'odd',
      names.map((name) => [name, 0] as const as NodePath[number]),
    );
  const [first, second, keyword] = [at('a\0b'), at('\ufffd'), at('a\0b', 'k\0')];
  const write = (batch: string, more: object) =>
    call<PlanAnswer>('POST', `${id}/plan/changes`, { batch: batch.padEnd(16, '0'), base: 0, ...more });
  const { entries } = await write('add', { targets: [{ node: first }, { node: second }, { node: keyword }] });
  const paths = entries.map(({ path }) => path);
  expect(paths.toSorted()).toEqual([['a\0b'], ['a\0b', 'k\0'], ['\ufffd']].toSorted());
  const read = async () => (await call<PlanPage>('GET', `${id}/plan`)).entries.map(({ node }) => node).toSorted();
  expect(await read()).toEqual([first, second, keyword].toSorted());

  const odd = 'a\0\ud800b';
  const entry = entries.find(({ node }) => node === first)!.id;
  const set = { assignee: odd, note: odd, primaryKeyword: odd };
  const { entries: changed } = await write('set', { targets: [{ entry }], set, addTags: [odd] });
  const stored = 'a\ufffd\ufffdb';
  expect(changed[0]).toMatchObject({ assignee: stored, note: stored, primaryKeyword: stored, tags: [stored] });
  const { lines } = await call<PlanHistory>('GET', `${id}/plan/history?entry=${entry}`);
  expect(lines.map(({ after }) => after)).toContainEqual(stored);

  const page = await call<WarningPage>('GET', `${id}/warnings/single`);
  expect(page.total).toBe(2);
  for (const node of [first, second])
    await call('PUT', `${id}/dismissed`, { kind: 'single', node, subject: `x${odd}` });
  expect((await call<WarningPage>('GET', `${id}/warnings/single`)).total).toBe(0);
  const dismissed = await call<DismissedWarning[]>('GET', `${id}/dismissed`);
  expect(dismissed.map(({ path }) => path).toSorted()).toEqual([['a\0b'], ['\ufffd']].toSorted());
});

test('a display name and a file name are cut between characters', async () => {
  const answer = await fetch(`${app.url}/api/session/name`, {
    method: 'PUT',
    headers: { cookie: await cookieOf(database, 'admin'), 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: `${'n'.repeat(199)}😀` }),
  });
  expect(((await answer.json()) as { account: { displayName: string } }).account.displayName).toBe('n'.repeat(199));
  const sent = new TextEncoder().encode('{"hierarchy":{"name":"a","children":[{"name":"b"}]}}');
  const name = `😀${'n'.repeat(194)}.json`;
  const { state } = await client.settled(await client.send(sent, { filename: name, userId: 'admin' }));
  expect(state).toBe('active');
});

test('a field nested 50,000 deep is shown as far as it can be', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const text = `{"keywords":[{"keyword":"k","x":${deep}}],"hierarchy":{"name":"r","x":${deep},"children":[{"name":"k"}]}}`;
  const { visualizationId } = await upload(text);
  for (const node of [0, 1]) {
    const { original } = await call<NodeDetail>('GET', `${visualizationId}/nodes/${node}`);
    expect(JSON.stringify(original)).toContain('"…"');
  }
});
