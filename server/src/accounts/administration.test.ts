import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInEmail, type TestServer, testServer } from '../../test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ SAMPLE: 'on' });
});
afterAll(() => server.close());

const put = (cookie: string, id: string, what: 'status' | 'role', value: string) =>
  server.call('PUT', `/api/users/${id}/${what}`, { body: { [what]: value }, cookie });
const code = (response: { json(): { data: { code: string } } }) => response.json().data.code;

// Shows P8.1.
test('S17 a user created by an admin is approved, but the email is not proven', async () => {
  const admin = await server.person({ role: 'admin' });
  const body = { email: 'New.Person@example.org', password: 'tulip-Harbor-9', role: 'user' };
  const made = await server.call('POST', '/api/users', { body, cookie: admin.cookie });
  expect(made.json()).toMatchObject({ email: 'new.person@example.org', status: 'approved', createdBy: admin.id });
  const row = await server.database.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', made.json().id)
    .executeTakeFirst();
  expect(row?.email_proven_at).toBeNull();
  const other = { ...body, role: 'admin' };
  const again = await server.call('POST', '/api/users', { body: other, cookie: admin.cookie });
  expect(again.json().data).toEqual({ code: 'create-user/in-use', params: { email: 'new.person@example.org' } });
});

test('nobody can change their own status or role, or a built-in admin’s', async () => {
  const admin = await server.person({ role: 'admin' });
  expect(code(await put(admin.cookie, admin.id, 'status', 'denied'))).toBe('account/own-status');
  expect(code(await put(admin.cookie, admin.id, 'role', 'user'))).toBe('account/own-role');
  const at = new Date(server.clock);
  const builtIn = { id: 'built-in', email: builtInEmail, email_proven_at: at, created_at: at, updated_at: at };
  await server.database.db.insertInto('accounts').values(builtIn).execute();
  expect(code(await put(admin.cookie, 'built-in', 'status', 'denied'))).toBe('account/primary-admin');
  expect(code(await put(admin.cookie, 'built-in', 'role', 'user'))).toBe('account/primary-admin-role');
});

test('T33 an unknown ID is not found', async () => {
  const admin = await server.person({ role: 'admin' });
  const answer = await put(admin.cookie, 'nobody', 'status', 'denied');
  expect([answer.statusCode, answer.json().data]).toEqual([
    404,
    { code: 'account/no-such-id', params: { id: 'nobody' } },
  ]);
});

test('T31 REL-18 two admins who demote each other leave one', async () => {
  for (let round = 0; round < 20; round++) {
    const [a, b] = [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })];
    const answers = await Promise.all([put(a.cookie, b.id, 'role', 'user'), put(b.cookie, a.id, 'status', 'denied')]);
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 403]);
  }
});

// Shows P18.8.
test('SEC-04 a denial applies from the next request on, and the session can still read its status', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  expect((await server.call('GET', '/api/visualizations', { cookie: user.cookie })).statusCode).toBe(200);
  await put(admin.cookie, user.id, 'status', 'denied');
  expect(code(await server.call('GET', '/api/visualizations', { cookie: user.cookie }))).toBe('session/not-approved');
  expect((await server.call('GET', '/api/session', { cookie: user.cookie })).json()).toMatchObject({
    isAuthenticated: true,
    status: 'denied',
    redirectPath: '/access-denied',
  });
});

test('SEC-26 a change leaves one line in the audit log, a repeated one none', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({ status: 'pending' })];
  await put(admin.cookie, user.id, 'status', 'approved');
  await put(admin.cookie, user.id, 'status', 'approved');
  const lines = await server.database.db.selectFrom('audit_log').selectAll().where('target', '=', user.id).execute();
  expect(lines.map(({ actor, action, details }) => ({ actor, action, details }))).toEqual([
    { actor: admin.id, action: 'status', details: { from: 'pending', to: 'approved' } },
  ]);
});

test('the list is sorted by status, then newest first, and marks the current admin', async () => {
  const admin = await server.person({ role: 'admin' });
  server.clock += 1000;
  await server.person({ status: 'denied' });
  await server.person({ status: 'pending' });
  server.clock += 1000;
  const newest = await server.person({ status: 'pending' });
  const list = (await server.call('GET', '/api/users', { cookie: admin.cookie })).json();
  const order = { pending: 0, approved: 1, denied: 2 };
  const ranks = list.map((account: { status: keyof typeof order }) => order[account.status]);
  expect(ranks).toEqual([...ranks].sort());
  expect(list[0].id).toBe(newest.id);
  expect(list.filter((account: { isYou: boolean }) => account.isYou)).toMatchObject([{ id: admin.id }]);
});

test('SEC-04 an event stream reports an approval and closes at sign-out', async () => {
  const admin = await server.person({ role: 'admin' });
  const user = await server.person({ status: 'pending' });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const stream = await fetch(`${address}/api/events`, { headers: { cookie: user.cookie } });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.headers.get('content-security-policy')).toContain("default-src 'none'");
  const list = (await server.call('GET', '/api/users', { cookie: admin.cookie })).json();
  expect(list.find((account: { id: string }) => account.id === user.id)).toMatchObject({ presence: 'online' });

  await put(admin.cookie, user.id, 'status', 'approved');
  let heard = '';
  while (!heard.includes('event: session')) heard += (await reader.read()).value ?? '';
  expect(heard).not.toContain('accounts');
  await server.call('DELETE', '/api/session', { cookie: user.cookie });
  let last = await reader.read();
  while (!last.done) last = await reader.read();
  expect(last.done).toBe(true);
});

test.each([
  ['receiving', 0, 'busy'],
  ['reading', 0, 'busy'],
  ['receiving', 3_600_000, 'offline'],
  ['active', 0, 'offline'],
  ['failed', 0, 'offline'],
] as const)('whose upload is %s and was touched %i ms ago is %s', async (state, ago, presence) => {
  const [admin, receiver] = [await server.person({ role: 'admin' }), await server.person({})];
  const id = randomUUID().replaceAll('-', '');
  await server.database.db
    .insertInto('uploads')
    .values({
      id,
      uploader_id: admin.id,
      user_id: receiver.id,
      file_name: 'a.json',
      description: '',
      size: 9,
      state,
      file_key: `${id}.file`,
      pack_key: `${id}.pack`,
      created_at: new Date(server.clock),
      touched_at: new Date(server.clock - ago),
    })
    .execute();
  const list = (await server.call('GET', '/api/users', { cookie: admin.cookie })).json();
  const of = (who: string) => list.find((account: { id: string }) => account.id === who).presence;
  expect([of(admin.id), of(receiver.id)]).toEqual([presence, 'offline']);
});

const changeMany = (cookie: string, changes: readonly object[]) =>
  server.call('POST', '/api/users/changes', { body: { changes }, cookie });
const statusOf = async (id: string) =>
  (await server.database.db.selectFrom('accounts').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;
const linesAbout = (ids: readonly string[]) =>
  server.database.db
    .selectFrom('audit_log')
    .select(['target', 'action'])
    .where('target', 'in', [...ids])
    .execute();

test('many accounts change in one call, each with a result and an audit line', async () => {
  const admin = await server.person({ role: 'admin' });
  const people = [];
  for (let n = 0; n < 5; n++) people.push(await server.person({ status: 'pending' }));
  const ids = people.map(({ id }) => id);
  const answer = await changeMany(admin.cookie, [
    ...ids.map((id) => ({ id, status: 'approved' })),
    { id: admin.id, status: 'denied' },
    { id: 'nobody', role: 'admin' },
  ]);
  expect(answer.statusCode).toBe(200);
  const { results } = answer.json();
  expect(results.slice(0, 5).map((one: { account: { id: string; status: string } }) => one.account.id)).toEqual(ids);
  expect(results.slice(5)).toEqual([
    { refusal: { code: 'account/own-status' } },
    { refusal: { code: 'account/no-such-id', params: { id: 'nobody' } } },
  ]);
  for (const id of ids) expect(await statusOf(id)).toBe('approved');
  expect((await linesAbout(ids)).filter(({ action }) => action === 'status')).toHaveLength(5);
});

test('several changes of one account apply in the order given', async () => {
  const admin = await server.person({ role: 'admin' });
  const { id } = await server.person({ status: 'pending' });
  const { results } = (
    await changeMany(admin.cookie, [
      { id, status: 'approved' },
      { id, role: 'admin' },
      { id, status: 'denied' },
    ])
  ).json();
  expect(
    results.map(({ account }: { account: { status: string; role: string } }) => [account.status, account.role]),
  ).toEqual([
    ['approved', 'user'],
    ['approved', 'admin'],
    ['denied', 'admin'],
  ]);
  expect(await statusOf(id)).toBe('denied');
});

// Shows P7.4.
test('either all changes of a call are saved or none', async () => {
  const admin = await server.person({ role: 'admin' });
  const [first, second] = [await server.person({ status: 'pending' }), await server.person({ status: 'pending' })];
  const owner = new pg.Client(server.database.owner);
  await owner.connect();
  await owner.query(`create function fail_second() returns trigger language plpgsql as $$ begin
    if new.id = '${second.id}' then raise exception 'planted'; end if; return new; end $$`);
  await owner.query('create trigger fail_second before update on accounts for each row execute function fail_second()');
  try {
    const changes = [first, second].map(({ id }) => ({ id, status: 'approved' }));
    expect((await changeMany(admin.cookie, changes)).statusCode).toBe(500);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['pending', 'pending']);
    expect(await linesAbout([first.id])).toEqual([]);
  } finally {
    await owner.query('drop trigger fail_second on accounts');
    await owner.query('drop function fail_second');
    await owner.end();
  }
});

test('a call takes as many changes as a request body holds, and no more', async () => {
  const admin = await server.person({ role: 'admin' });
  const changes = (count: number) => Array.from({ length: count }, () => ({ id: randomUUID(), status: 'approved' }));
  const full = await changeMany(admin.cookie, changes(limits.maxBulkChanges));
  expect([full.statusCode, full.json().results.length]).toEqual([200, limits.maxBulkChanges]);
  expect((await changeMany(admin.cookie, changes(limits.maxBulkChanges + 1))).statusCode).toBe(422);
});
