import type { ActivityKind } from '@kc/rules/activity';
import type { ActivityLine } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { audit } from '../database/audit.ts';
import { listActivity } from './activity.ts';
import { activityCsv } from './activity-export.ts';

let server: TestServer;
let admin: { id: string; email: string; cookie: string };
beforeAll(async () => {
  server = await testServer();
  admin = await server.person({ role: 'admin' });
});
afterAll(() => server.close());

type Page = { lines: ActivityLine[]; next?: number };
const list = async (query: Record<string, string> = {}): Promise<Page> =>
  (await server.call('GET', `/api/activity?${new URLSearchParams(query)}`, { cookie: admin.cookie })).json();
const note = (action: ActivityKind, target: string, details = {}) =>
  audit(server.database.db, { actor: admin.id, action, target, details }, server.clock);

// Shows P12.1.
test('a line has time, actor, event, target and result, by email if there is one', async () => {
  const user = await server.person({ status: 'pending' });
  await server.call('PUT', `/api/users/${user.id}/status`, { body: { status: 'approved' }, cookie: admin.cookie });
  const { lines } = await list({ kind: 'status' });
  expect(lines[0]).toMatchObject({
    at: server.clock,
    actor: admin.email,
    kind: 'status',
    target: user.email,
    result: 'ok',
    details: { from: 'pending', to: 'approved' },
  });
});

test('a line remains after its account is deleted', async () => {
  await note('create', 'somebody-gone');
  expect((await list({ kind: 'create' })).lines[0]?.target).toBe('somebody-gone');
});

test('the search covers emails, IDs and details, and has no wildcards', async () => {
  await note('upload', 'x1', { file: '100%_sure.json' });
  await note('upload', 'x2', { file: '1000 sure.json' });
  expect((await list({ text: '100%_SURE' })).lines.map((line) => line.target)).toEqual(['x1']);
  expect((await list({ text: 'sure.json', kind: 'upload' })).lines.map((line) => line.target)).toEqual(['x2', 'x1']);
  expect((await list({ text: admin.email, kind: 'upload' })).lines).toHaveLength(2);
  expect((await list({ text: 'nothing like it' })).lines).toEqual([]);
});

test('the search finds people who were deleted, and whom they were merged with', async () => {
  await note('share', 'old-ann');
  await note('share', 'ann');
  await note('share', 'somebody-else');
  await note('migrate', 'old-ann', { to: 'ann' });
  await note('delete', 'ann', { email: 'ann.gone@example.org' });
  const { lines } = await list({ text: 'Ann.Gone@', kind: 'share' });
  expect(lines.map(({ target, targetId }) => [target, targetId])).toEqual([
    ['ann.gone@example.org', 'ann'],
    ['ann.gone@example.org', 'old-ann'],
  ]);
});

test('a text is searched for in the whole log, a part at a time', async () => {
  const { db } = server.database;
  const { rows } = await sql<{ last: number }>`select max(id) as last from audit_log`.execute(db);
  const ids = [1, 2, 3].map((part) => Number(rows[0]!.last) + part * 300_000);
  for (const id of ids)
    await sql`insert into audit_log (id, at, actor, action, target, details)
      overriding system value values (${id}, now(), 'system', 'upload', 'far', '{"file": "far apart.json"}')`.execute(
      db,
    );
  const search = async (place: { before?: number } | { after: number }, count: number) =>
    (await listActivity(db, { text: 'far apart' }, place, count)).map((line) => line.id);
  expect(await search({}, 5)).toEqual(ids.toReversed());
  expect(await search({}, 2)).toEqual([ids[2], ids[1]]);
  expect(await search({ before: ids[1]! }, 2)).toEqual([ids[0]]);
  expect(await search({ after: 0 }, 2)).toEqual([ids[0], ids[1]]);
  expect(await search({ after: ids[1]! }, 2)).toEqual([ids[2]]);
});

test('a page of the log reads its lines, and not the log, for the names of those who are gone', async () => {
  const { db } = server.database;
  await sql`insert into audit_log (at, actor, action, target)
    select now(), 'gone', 'take-over', 'gone' from generate_series(1, 20000) n`.execute(db);
  const read = await db.transaction().execute(async (tx) => {
    await listActivity(tx, {}, {}, 50);
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::integer as read
        from pg_stat_xact_user_tables where relname = 'audit_log'`.execute(tx);
    return rows[0]!.read;
  });
  expect(read).toBeLessThan(2000);
});

test('paging neither skips nor repeats lines while new ones are added', async () => {
  const count = limits.activityPageLines + 5;
  for (let index = 0; index < count; index++) await note('activate', `v${index}`);
  const first = await list({ kind: 'activate' });
  await note('activate', 'meanwhile');
  const second = await list({ kind: 'activate', before: String(first.next) });
  const targets = [...first.lines, ...second.lines].map((line) => line.target);
  expect(targets).toEqual(Array.from({ length: count }, (_, index) => `v${count - 1 - index}`));
  expect(second.next).toBeUndefined();
});

test('an unknown kind is refused, in the list and in the export', async () => {
  for (const path of ['/api/activity?kind=party', '/api/activity.csv?kind=party', '/api/activity.jsonl?kind=party']) {
    const answer = await server.call('GET', path, { cookie: admin.cookie });
    expect([answer.statusCode, answer.json().data.code], path).toEqual([422, 'request/invalid']);
  }
});

test('the export contains the filtered log, and is itself logged', async () => {
  await note('role', 'target "with" quotes, and comma');
  const answer = await server.call('GET', '/api/activity.csv?kind=role', { cookie: admin.cookie });
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="activity-2026-01-15.csv"',
    'cache-control': 'no-store',
  });
  expect(answer.body).toBe(
    `\ufeffTime,Who,What,About,Result,Details\r\n2026-01-15T00:00:00.000Z,${admin.email},role,"target ""with"" quotes, and comma",ok,\r\n`,
  );
  expect((await list({ kind: 'export' })).lines[0]).toMatchObject({ actor: admin.email, target: 'activity' });
});

// Shows P12.2.
test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '=HYPERLINK("http://x","y")',
  ';=1+1',
  '" =1+1"',
  '"=',
  ',=',
  '|',
])('T49 SEC-24 %j is no formula in the export', async (target) => {
  const names = { actor: 'a', actorId: 'a', actorDeleted: false, target, targetId: target, targetDeleted: false };
  const line: ActivityLine = { id: 1, at: 0, ...names, kind: 'upload', result: 'ok', details: {} };
  const text = Buffer.concat(await activityCsv([line]).toArray()).toString();
  const cell = text.split('upload,')[1]!;
  expect(cell).toMatch(/^"?'/);
  expect(cell.replaceAll('""', '"').replaceAll("'", '')).toContain(target);
  for (const part of text.split(/[,;\t\r\n]/)) expect(part).not.toMatch(/^[\s"]*[=+\-@|]/);
});

test('an export of more lines than one page has every line once', async () => {
  await sql`insert into audit_log (at, actor, action, target)
    select now(), 'system', 'duplicate', 'd' || n from generate_series(1, 2500) n`.execute(server.database.db);
  const { body } = await server.call('GET', '/api/activity.csv?kind=duplicate', { cookie: admin.cookie });
  const targets = body
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[3]);
  expect(targets).toEqual(Array.from({ length: 2500 }, (_, index) => `d${2500 - index}`));
});

// Shows P12.1.
test('SEC-26 sign-ups, sign-ins, refused sign-ins and sign-outs are logged', async () => {
  const body = { email: 'noted@example.org', password: 'tulip-Harbor-9', displayName: 'Noted' };
  await server.call('POST', '/api/sign-up', { body });
  const signIn = (password: string) =>
    server.call('POST', '/api/session', { body: { email: body.email, password, remember: false } });
  await signIn('wrong');
  const cookie = String((await signIn(body.password)).headers['set-cookie']).split(';')[0]!;
  await server.call('DELETE', '/api/session', { cookie });
  const { lines } = await list({ text: body.email });
  expect(lines.map(({ kind, actor, result }) => [kind, actor, result])).toEqual([
    ['sign-out', body.email, 'ok'],
    ['sign-in', body.email, 'ok'],
    ['sign-in', 'anyone', 'refused'],
    ['sign-up', body.email, 'ok'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('wrong');
  const again = String((await signIn(body.password)).headers['set-cookie']).split(';')[0]!;
  await server.call('DELETE', '/api/session/all', { cookie: again });
  expect((await list({ text: body.email, kind: 'sign-out-everywhere' })).lines).toHaveLength(1);
});

test('SEC-26 a request for the data of another user is logged, but not one without a session', async () => {
  const user = await server.person({});
  await server.call('GET', '/api/users', { cookie: user.cookie });
  await server.call('GET', '/api/activity.csv?text=x', { cookie: user.cookie });
  await server.call('GET', '/api/users');
  const { lines } = await list({ kind: 'refused' });
  expect(lines.map(({ actor, target, result }) => [actor, target, result])).toEqual([
    [user.email, 'GET /api/activity.csv', 'refused'],
    [user.email, 'GET /api/users', 'refused'],
  ]);
});

test('SEC-26 a reached limit is logged, and a flood of requests does not fill the log', async () => {
  for (let attempt = 0; attempt < 120; attempt++) {
    const body = { email: 'flood@example.org', password: 'x', remember: false };
    await server.call('POST', '/api/session', { body });
  }
  const { lines } = await list({ kind: 'rate-limit' });
  expect(lines.length).toBeGreaterThan(0);
  const { count } = await server.database.db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('result', '=', 'refused')
    .executeTakeFirstOrThrow();
  expect(count).toBe(60);
});
