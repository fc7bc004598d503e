import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { builtInEmail, type TestServer, testServer } from '../../test/support/server.ts';
import { addTwin, allowTwins, type Twin } from '../../test/support/twins.ts';
import type { AccountDeps } from './deps.ts';
import { cleanDuplicates } from './duplicates.ts';
import { startSession } from './sessions.ts';

/** A server with imported data: without the unique index, so that there can be duplicates. */
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await allowTwins(server);
});
afterAll(() => server.close());

const add = (twin: Twin) => addTwin(server, twin);

const clean = async (cookie: string) =>
  (await server.call('POST', '/api/users/clean-duplicates', { cookie })).json().marked;
const stored = (id: string) =>
  server.database.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const migratedTo = async (id: string) => (await stored(id)).migrated_to;
const statusOf = async (id: string) => (await stored(id)).status;

// Shows P18.6.
test('S4 the proven account of an email stays, even if another signed in last; the others are marked, none is deleted', async () => {
  const admin = await server.person({ role: 'admin' });
  const email = 'ann@example.org';
  const real = await add({ email, proven: true, lastLogin: 1 });
  const late = await add({ email, lastLogin: server.clock });
  const made = await add({ email, createdBy: admin.id });
  const cookie = `kc_session=${await startSession(server.database.db, late, false, server.clock)}`;

  expect(await clean(admin.cookie)).toBe(2);
  expect([await migratedTo(real), await migratedTo(late), await migratedTo(made)]).toEqual([null, real, real]);
  const session = await server.call('GET', '/api/session', { cookie });
  expect(session.json()).toMatchObject({ isAuthenticated: false });
  // Not only refused while the account is marked.
  const { db } = server.database;
  expect(await db.selectFrom('sessions').selectAll().where('account_id', '=', late).execute()).toEqual([]);
});

test('S4 a second run finds none, and the audit log has one line for each', async () => {
  const admin = await server.person({ role: 'admin' });
  const email = 'ben@example.org';
  const first = await add({ email, lastLogin: 2 });
  const second = await add({ email, lastLogin: 1 });
  expect(await Promise.all([clean(admin.cookie), clean(admin.cookie)])).toEqual(expect.arrayContaining([0, 1]));
  expect(await clean(admin.cookie)).toBe(0);
  const lines = await server.database.db.selectFrom('audit_log').selectAll().where('target', '=', second).execute();
  expect(lines).toMatchObject([{ actor: expect.any(String), action: 'duplicate', details: { to: first } }]);
});

test('accounts of different emails are left alone', async () => {
  const admin = await server.person({ role: 'admin' });
  const alone = await add({ email: 'carol@example.org' });
  expect(await clean(admin.cookie)).toBe(0);
  expect(await migratedTo(alone)).toBeNull();
});

test("S4 the current admin's own account is never marked, whatever the duplicates", async () => {
  const admin = await server.person({ role: 'admin' });
  const rival = await add({ email: admin.email, proven: true, role: 'admin' });
  const third = await add({ email: admin.email });
  expect(await clean(admin.cookie)).toBe(1);
  expect([await migratedTo(admin.id), await migratedTo(rival), await migratedTo(third)]).toEqual([null, null, rival]);
});

describe('S4 of a built-in email', () => {
  const sessionOf = async (id: string) =>
    `kc_session=${await startSession(server.database.db, id, false, server.clock)}`;
  afterEach(() => server.database.db.deleteFrom('accounts').where('email', '=', builtInEmail).execute());

  test("the current admin's account stays in use, whatever the duplicates", async () => {
    const root = await add({ email: builtInEmail, proven: true, lastLogin: 1 });
    const rival = await add({
      email: builtInEmail,
      proven: true,
      role: 'admin',
      createdBy: 'a1',
      lastLogin: server.clock,
    });
    const cookie = await sessionOf(root);
    await clean(cookie);
    expect([await migratedTo(root), await migratedTo(rival)]).toEqual([null, root]);
    expect((await server.call('GET', '/api/session', { cookie })).json()).toMatchObject({ isAdmin: true });
  });

  test("the built-in admin's account stays if another admin cleans up, even if a proven duplicate was active later", async () => {
    const admin = await server.person({ role: 'admin' });
    const root = await add({ email: builtInEmail, proven: true, role: 'admin', lastLogin: 1 });
    const rival = await add({ email: builtInEmail, proven: true, createdBy: admin.id, lastLogin: server.clock });
    await clean(admin.cookie);
    expect([await migratedTo(root), await migratedTo(rival)]).toEqual([null, root]);
  });
});

test('SEC-06 a user denied under one account of an email is denied under the one that stays', async () => {
  const admin = await server.person({ role: 'admin' });
  const email = 'dora@example.org';
  const kept = await add({ email, proven: true, role: 'admin' });
  const denied = await add({ email, status: 'denied', lastLogin: server.clock });
  const cookie = `kc_session=${await startSession(server.database.db, kept, false, server.clock)}`;

  await clean(admin.cookie);
  expect([await migratedTo(denied), await statusOf(denied)]).toEqual([kept, 'denied']);
  expect([await migratedTo(kept), await statusOf(kept)]).toEqual([null, 'denied']);
  expect((await server.call('GET', '/api/users', { cookie })).statusCode).toBe(403);
  const lines = await server.database.db.selectFrom('audit_log').selectAll().where('target', '=', kept).execute();
  expect(lines).toContainEqual(
    expect.objectContaining({ actor: admin.id, action: 'status', details: { from: 'approved', to: 'denied' } }),
  );
});

test('SEC-06 a merge denies no other user: a pending duplicate leaves an approved account approved', async () => {
  const admin = await server.person({ role: 'admin' });
  const email = 'eve@example.org';
  const kept = await add({ email, proven: true });
  const waiting = await add({ email, status: 'pending' });
  expect(await clean(admin.cookie)).toBe(1);
  expect([await statusOf(kept), await migratedTo(waiting)]).toEqual(['approved', kept]);
});

test("SEC-06 the current admin's own account is unchanged, even next to a denied one", async () => {
  const admin = await server.person({ role: 'admin' });
  const proven = { email_proven_at: new Date(server.clock) };
  await server.database.db.updateTable('accounts').set(proven).where('id', '=', admin.id).execute();
  const denied = await add({ email: admin.email, status: 'denied' });
  expect(await clean(admin.cookie)).toBe(1);
  expect([await statusOf(admin.id), await migratedTo(denied)]).toEqual(['approved', admin.id]);
});

test('SEC-04 an admin who is demoted or deleted while waiting marks nobody', async () => {
  const { db } = server.database;
  const user = await server.person({});
  const email = 'finn@example.org';
  const twins = [await add({ email }), await add({ email })];
  const deps = { db, now: () => server.clock, config: { builtInAdmins: new Set() } } as unknown as AccountDeps;
  expect(await cleanDuplicates(deps, user.id)).toEqual({ ok: false, refusal: { code: 'admin/only' } });
  expect(await cleanDuplicates(deps, 'gone')).toEqual({ ok: false, refusal: { code: 'session/required' } });
  expect(await Promise.all(twins.map(migratedTo))).toEqual([null, null]);
});
