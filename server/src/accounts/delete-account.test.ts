import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInEmail, cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { issueStepUp } from './step-up.ts';

let server: TestServer;
let queueFails = false;
beforeAll(async () => {
  server = await testServer(
    {},
    {
      queueFileDeletion: async () => {
        if (queueFails) throw new Error('The queue is down');
      },
    },
  );
});
afterAll(() => server.close());

type Someone = Awaited<ReturnType<TestServer['person']>>;

/** An ID token for one deletion, requested as the page does. */
async function idTokenOf(admin: Someone): Promise<string> {
  const { db } = server.database;
  const { id: sessionId } = await db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', admin.id)
    .executeTakeFirstOrThrow();
  const account = { id: admin.id, email: admin.email, displayName: '', role: 'admin', status: 'approved' } as const;
  const person = { account: { ...account, emailProven: false, createdAt: 0 }, sessionId, hasPhoto: false };
  const stepUp = (await issueStepUp(db, person, server.clock))!;
  const minted = await server.call('POST', '/api/session/id-token', { body: { stepUp }, cookie: admin.cookie });
  return minted.json().idToken;
}

const ask = (body: object, cookie: string) => server.call('POST', '/api/forceDeleteUser', { body, cookie });

async function forceDelete(admin: Someone, userId: string) {
  const answer = await ask({ userId, idToken: await idTokenOf(admin) }, admin.cookie);
  return { status: answer.statusCode, ...answer.json() };
}

const password = 'tulip-Harbor-9';
let made = 0;
async function withPassword(admin: Someone): Promise<{ id: string; email: string }> {
  const body = { email: `deleted-${made++}@example.org`, password, role: 'user' };
  return (await server.call('POST', '/api/users', { body, cookie: admin.cookie })).json();
}
const signIn = (email: string) => server.call('POST', '/api/session', { body: { email, password, remember: false } });

/** The number of rows of a user in every table that refers to users by ID. */
async function rowsOf(id: string) {
  const { db } = server.database;
  const count = async (table: 'credentials' | 'sessions' | 'tokens' | 'event_streams') =>
    (await db.selectFrom(table).select('account_id').where('account_id', '=', id).execute()).length;
  return {
    accounts: (await db.selectFrom('accounts').select('id').where('id', '=', id).execute()).length,
    credentials: await count('credentials'),
    sessions: await count('sessions'),
    tokens: await count('tokens'),
    streams: await count('event_streams'),
    visualizations: (await db.selectFrom('visualizations').select('id').where('user_id', '=', id).execute()).length,
    uploads: (await db.selectFrom('uploads').select('id').where('user_id', '=', id).execute()).length,
  };
}
const nothing = { accounts: 0, credentials: 0, sessions: 0, tokens: 0, streams: 0, visualizations: 0, uploads: 0 };

const auditOf = (id: string) =>
  server.database.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('target', '=', id)
    .where('action', 'in', ['delete', 'delete-records', 'delete-auth'])
    .orderBy('id')
    .execute();

// Shows P8.7.
test('S8 a deletion leaves no row of the user, and ends their session', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  expect(await forceDelete(admin, user.id)).toEqual({ status: 200, ok: true });
  expect(await rowsOf(user.id)).toEqual(nothing);
  expect((await server.call('GET', '/api/visualizations', { cookie: user.cookie })).statusCode).toBe(401);
  expect(await auditOf(user.id)).toEqual([
    { actor: admin.id, action: 'delete', details: { email: user.email, files: 0 } },
  ]);
});

// Shows P8.7.
test('REL-14 the email is available at once, for a new ID without any data of the old one', async () => {
  const admin = await server.person({ role: 'admin' });
  const old = await withPassword(admin);
  const cookie = cookieOf(await signIn(old.email));
  expect((await forceDelete(admin, old.id)).status).toBe(200);
  const path = `/api/users/availability?email=${encodeURIComponent(old.email)}`;
  expect((await server.call('GET', path, { cookie: admin.cookie })).json()).toEqual({
    email: old.email,
    availability: 'available',
  });
  const body = { email: old.email, password, role: 'user' };
  const fresh = (await server.call('POST', '/api/users', { body, cookie: admin.cookie })).json();
  expect(fresh.id).not.toBe(old.id);
  expect((await server.call('GET', '/api/session', { cookie })).json().isAuthenticated).toBe(false);
  const list = await server.call('GET', '/api/visualizations', { cookie: cookieOf(await signIn(old.email)) });
  expect(list.json()).toEqual([]);
});

test('what is no ID is refused before the token is spent', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  const idToken = await idTokenOf(admin);
  const wrong = await ask({ userId: `${user.id} `, idToken }, admin.cookie);
  expect([wrong.statusCode, wrong.json().data.code]).toEqual([404, 'account/not-found']);
  expect((await ask({ userId: user.id, idToken }, admin.cookie)).statusCode).toBe(200);
});

test('an account that cannot be deleted is refused with the specified text', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  const at = new Date(server.clock);
  const row = { created_at: at, updated_at: at };
  const { db } = server.database;
  await db
    .insertInto('accounts')
    .values({ id: 'built-in', email: builtInEmail, ...row })
    .execute();
  await db
    .insertInto('accounts')
    .values({ id: 'sample', email: 'sample@example.com', is_sample: true, ...row })
    .execute();
  const refused = async (userId: string) => {
    const { status, error } = await forceDelete(admin, userId);
    return [status, error];
  };
  expect(await refused(admin.id)).toEqual([403, 'Cannot delete your own account while logged in']);
  expect(await refused('built-in')).toEqual([403, 'Cannot delete the primary admin user']);
  expect(await refused('sample')).toEqual([403, 'The sample belongs to nobody and cannot be deleted']);
  expect(await refused('nobody')).toEqual([404, 'User not found']);
  expect(await refused('')).toEqual([422, 'Cannot delete user: Missing user ID or email']);
  for (const odd of ['a\0', '../x', 'é', 'x'.repeat(10_000)])
    expect(await refused(odd)).toEqual([404, 'User not found']);
  const byUser = await ask({ userId: admin.id, idToken: 'x' }, user.cookie);
  expect([byUser.statusCode, byUser.json().error]).toEqual([403, 'Unauthorized: Only admins can perform this action']);
  const extra = await ask({ userId: user.id, idToken: 'x', force: true }, admin.cookie);
  expect([extra.statusCode, extra.json().data.code]).toEqual([422, 'request/invalid']);
  expect((await rowsOf(user.id)).accounts).toBe(1);
});

test('SEC-14 one token used for fifty users deletes only one', async () => {
  const admin = await server.person({ role: 'admin' });
  const people = await Promise.all(Array.from({ length: 50 }, () => server.person({})));
  const idToken = await idTokenOf(admin);
  const answers = await Promise.all(people.map(({ id }) => ask({ userId: id, idToken }, admin.cookie)));
  const codes = answers.map((answer) => answer.json().data?.code ?? 'deleted');
  expect(codes.filter((one) => one === 'deleted')).toHaveLength(1);
  expect(codes.filter((one) => one === 'step-up/required')).toHaveLength(49);
});

test('REL-32 a double click deletes once and gets the same response twice', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  // Sequentially: a new handle ends the earlier one, which the other request may still need for its token.
  const idTokens = [await idTokenOf(admin), await idTokenOf(admin)];
  const answers = await Promise.all(idTokens.map((idToken) => ask({ userId: user.id, idToken }, admin.cookie)));
  expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual([
    [200, { ok: true }],
    [200, { ok: true }],
  ]);
  expect(await auditOf(user.id)).toHaveLength(1);
});

test('T31 REL-18 two admins who delete each other leave one', async () => {
  for (let round = 0; round < 20; round++) {
    const [a, b] = [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })];
    const [tokenOfA, tokenOfB] = [await idTokenOf(a), await idTokenOf(b)];
    await Promise.all([
      ask({ userId: b.id, idToken: tokenOfA }, a.cookie),
      ask({ userId: a.id, idToken: tokenOfB }, b.cookie),
    ]);
    expect((await rowsOf(a.id)).accounts + (await rowsOf(b.id)).accounts).toBe(1);
  }
});

test('T34 a user who signs in during their deletion keeps no session and causes no fault', async () => {
  const admin = await server.person({ role: 'admin' });
  for (let round = 0; round < 20; round++) {
    const user = await withPassword(admin);
    const [signedIn] = await Promise.all([signIn(user.email), forceDelete(admin, user.id)]);
    expect(signedIn.statusCode).toBeLessThan(500);
    expect(await rowsOf(user.id)).toEqual(nothing);
  }
});

test('an account that was merged into a deleted one goes with it', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  const at = new Date(server.clock);
  const old = { id: 'merged', email: user.email, migrated_to: user.id, created_at: at, updated_at: at };
  await server.database.db.insertInto('accounts').values(old).execute();
  await forceDelete(admin, user.id);
  expect((await rowsOf('merged')).accounts).toBe(0);
});

// Shows P8.8.
test('when the queue fails nothing is deleted; the fallback deletes all but a locked credential, the last step that', async () => {
  const admin = await server.person({ role: 'admin' });
  const user = await withPassword(admin);
  queueFails = true;
  const failed = await forceDelete(admin, user.id);
  queueFails = false;
  expect([failed.status, failed.error]).toEqual([500, expect.stringMatching(/^Internal error \(id \w+\)$/)]);
  expect(await rowsOf(user.id)).toMatchObject({ accounts: 1, credentials: 1 });

  const last = () => server.call('POST', '/api/deleteUserAuth', { body: { userId: user.id }, cookie: admin.cookie });
  expect((await last()).json()).toEqual({
    success: false,
    error: 'The account still exists: its authentication record stays with it',
  });
  const records = (idToken: string) =>
    server.call('POST', `/api/users/${user.id}/delete-records`, { body: { idToken }, cookie: admin.cookie });
  expect((await records('none')).json().data.code).toBe('step-up/required');
  expect((await records(await idTokenOf(admin))).json()).toEqual({ authRemains: true });
  expect(await rowsOf(user.id)).toEqual({ ...nothing, credentials: 1 });
  expect((await signIn(user.email)).statusCode).toBe(401);

  expect((await last()).json()).toEqual({ success: true });
  expect(await rowsOf(user.id)).toEqual(nothing);
  expect((await auditOf(user.id)).map(({ action }) => action)).toEqual(['delete-records', 'delete-auth']);
});

test('a locked credential signs nobody in, even if its account existed again', async () => {
  const admin = await server.person({ role: 'admin' });
  const user = await withPassword(admin);
  const { db } = server.database;
  await db
    .updateTable('credentials')
    .set({ locked_at: new Date(server.clock) })
    .where('account_id', '=', user.id)
    .execute();
  expect((await signIn(user.email)).json().data.code).toBe('sign-in/wrong-password');
});

test('the availability of an email follows the rules of the sign-up form', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  const availability = async (email: string) =>
    (
      await server.call('GET', `/api/users/availability?email=${encodeURIComponent(email)}`, { cookie: admin.cookie })
    ).json().availability;
  expect(await availability('nobody')).toBe('invalid');
  expect(await availability(` ${user.email.toUpperCase()} `)).toBe('in-use');
  expect(await availability('free@example.org')).toBe('available');
});

test('SEC-04 the event stream of a deleted user closes', async () => {
  const [admin, user] = [await server.person({ role: 'admin' }), await server.person({})];
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const stream = await fetch(`${address}/api/events`, { headers: { cookie: user.cookie } });
  const reader = stream.body!.getReader();
  await reader.read();
  await forceDelete(admin, user.id);
  let last = await reader.read();
  while (!last.done) last = await reader.read();
  expect(last.done).toBe(true);
});
