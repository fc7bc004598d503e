import type { ActivityLine } from '@kc/rules/admin-shapes';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { audit } from '../database/audit.ts';
import { createLog } from '../log.ts';
import { forgetOldActivity, shipActivity } from './old-activity.ts';

const day = 86_400_000;
const server: TestServer = await testServer();
const { db } = server.database;
afterAll(() => server.close());

let lines: Record<string, unknown>[];
let now: number;
const deps = { db, log: createLog('INFO', { write: (line) => lines.push(JSON.parse(line)) }), now: () => now };
beforeEach(async () => {
  lines = [];
  now = Date.now();
  await sql`update activity_cursor set shipped = coalesce((select max(id) from audit_log), 0)`.execute(db);
});

const note = (target: string, daysAgo = 0) =>
  audit(db, { actor: 'system', action: 'name', target }, now - daysAgo * day);
const targets = async (): Promise<string[]> =>
  (await db.selectFrom('audit_log').select('target').where('action', '=', 'name').orderBy('id').execute()).map(
    ({ target }) => target,
  );

// Shows P26.7.
test('SEC-56 activity older than the limit is removed, which is noted, and nothing else is', async () => {
  await note('old', 91);
  await note('edge', 89);
  await note('new');
  expect(await forgetOldActivity(deps, 90)).toBe(1);
  expect(await targets()).toEqual(['edge', 'new']);
  const noted = await db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'forget-activity')
    .execute();
  expect(noted).toEqual([{ actor: 'system', details: { lines: 1, before: new Date(now - 90 * day).toISOString() } }]);
  expect(await forgetOldActivity(deps, 90)).toBe(0);
  expect(lines).toMatchObject([{ event: 'forget-activity', lines: 1 }]);
});

test('the newest backup stays, however old it is, so that its age is known', async () => {
  const backUp = (target: string, daysAgo: number) =>
    audit(db, { actor: 'system', action: 'backup', target, details: {} }, now - daysAgo * day);
  await backUp('first', 300);
  await backUp('newest', 200);
  expect(await forgetOldActivity(deps, 90)).toBe(1);
  expect(await forgetOldActivity(deps, 90)).toBe(0);
  const kept = await db.selectFrom('audit_log').select('target').where('action', '=', 'backup').execute();
  expect(kept).toEqual([{ target: 'newest' }]);
});

test('SEC-56 the database keeps the last 30 days, whatever the server asks for, and no line can be removed otherwise', async () => {
  await note('yesterday', 1);
  await expect(forgetOldActivity(deps, 29)).rejects.toThrow('the activity of the last 30 days is kept');
  await expect(sql`delete from audit_log`.execute(db)).rejects.toThrow(/permission denied|append-only/);
  const forced = db.transaction().execute(async (tx) => {
    await sql`select set_config('kc.forgetting', 'on', true)`.execute(tx);
    await sql`delete from audit_log`.execute(tx);
  });
  await expect(forced).rejects.toThrow(/permission denied/);
  expect(await targets()).toContain('yesterday');
});

// Shows P26.7.
test('activity is written to the log once, in its order, a minute after it happened', async () => {
  await note('first');
  await note('second');
  expect(await shipActivity(deps)).toBe(0);
  now += 60_000;
  expect(await shipActivity(deps)).toBe(2);
  expect(lines).toMatchObject([
    { level: 'INFO', event: 'activity', line: { kind: 'name', target: 'first', actor: 'system', result: 'ok' } },
    { level: 'INFO', event: 'activity', line: { target: 'second' } },
  ]);
  await note('third');
  now += 60_000;
  expect(await shipActivity(deps)).toBe(1);
  expect(lines.at(-1)).toMatchObject({ line: { target: 'third' } });
});

test('no line is left out because a later one has an earlier time, nor held back by a time that is still to come', async () => {
  await note('first');
  await note('second', 1);
  expect(await shipActivity(deps)).toBe(0);
  await note('of a clock that was put back', -30);
  now += 60_000;
  expect(await shipActivity(deps)).toBe(3);
  expect(lines.map(({ line }) => (line as ActivityLine).target).slice(0, 2)).toEqual(['first', 'second']);
});

test('of several servers that write activity to their logs, each line is in one of them', async () => {
  for (const target of ['a', 'b', 'c']) await note(target);
  now += 60_000;
  const counts = await Promise.all([shipActivity(deps), shipActivity(deps), shipActivity(deps)]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(3);
  expect(lines.map(({ line }) => (line as ActivityLine).target)).toEqual(['a', 'b', 'c']);
});

// Shows P26.7.
test('T49 administrators get the activity as JSON lines, oldest first, after the last line that they have', async () => {
  const admin = await server.person({ role: 'admin' });
  const user = await server.person({});
  for (const target of ['one', 'two', 'three']) await audit(db, { actor: 'system', action: 'describe', target }, now);
  const get = (query: string, cookie = admin.cookie) =>
    server.call('GET', `/api/activity.jsonl?kind=describe${query}`, { cookie });
  const read = (body: string): ActivityLine[] =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const all = await get('');
  expect(all.headers).toMatchObject({
    'content-type': 'application/jsonl; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="activity-\d{4}-\d\d-\d\d\.jsonl"$/),
  });
  expect(read(all.body).map(({ target }) => target)).toEqual(['one', 'two', 'three']);
  const [first] = read(all.body);
  expect(read((await get(`&after=${first!.id}`)).body).map(({ target }) => target)).toEqual(['two', 'three']);
  expect((await get('&after=-1')).statusCode).toBe(422);
  expect((await get('', user.cookie)).statusCode).toBe(403);
});

test('whoever reads the activity after their last line misses none that became visible later', async () => {
  const admin = await server.person({ role: 'admin' });
  const kind = 'describe';
  let last = (await sql<{ id: number }>`select max(id)::int as id from audit_log`.execute(db)).rows[0]!.id;
  const read = async (): Promise<string[]> => {
    const { body } = await server.call('GET', `/api/activity.jsonl?kind=${kind}&after=${last}`, {
      cookie: admin.cookie,
    });
    const found = body
      .split('\n')
      .filter((text) => text !== '')
      .map((text): ActivityLine => JSON.parse(text));
    last = found.at(-1)?.id ?? last;
    return found.map(({ target }) => target);
  };
  const heard = await db.transaction().execute(async (tx) => {
    await audit(tx, { actor: 'system', action: kind, target: 'slow' }, server.clock);
    await audit(db, { actor: 'system', action: kind, target: 'quick' }, server.clock);
    return read();
  });
  server.clock += 60_000;
  expect([...heard, ...(await read())].sort()).toEqual(['quick', 'slow']);
});
