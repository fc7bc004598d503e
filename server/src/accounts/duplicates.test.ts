import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing-server.ts';
import { startSession } from './sessions.ts';

/** A server whose data came from outside: without the index that keeps duplicates out. */
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  const owner = new pg.Client(server.database.owner);
  await owner.connect();
  await owner.query('drop index accounts_email');
  await owner.end();
});
afterAll(() => server.close());

type Twin = { email: string; proven?: boolean; createdBy?: string; lastLogin?: number; role?: 'admin' | 'user' };

async function add({ email, proven = false, createdBy = 'system', lastLogin, role = 'user' }: Twin): Promise<string> {
  const id = randomUUID();
  const at = new Date(server.clock);
  await server.database.db
    .insertInto('accounts')
    .values({
      id,
      email,
      role,
      status: 'approved',
      created_by: createdBy,
      created_at: at,
      updated_at: at,
      email_proven_at: proven ? at : null,
      last_login: lastLogin === undefined ? null : new Date(lastLogin),
    })
    .execute();
  return id;
}

const clean = async (cookie: string) =>
  (await server.call('POST', '/api/users/clean-duplicates', { cookie })).json().marked;
const migratedTo = async (id: string) =>
  (await server.database.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
    .migrated_to;

test('S4 the proven account of an email stays, though another signed in last; the others are marked, none is gone', async () => {
  const admin = await server.person({ role: 'admin' });
  const email = 'ann@example.org';
  const real = await add({ email, proven: true, lastLogin: 1 });
  const late = await add({ email, lastLogin: server.clock });
  const made = await add({ email, createdBy: admin.id });
  const cookie = `__Host-kc_session=${await startSession(server.database.db, late, false, server.clock)}`;

  expect(await clean(admin.cookie)).toBe(2);
  expect([await migratedTo(real), await migratedTo(late), await migratedTo(made)]).toEqual([null, real, real]);
  const session = await server.call('GET', '/api/session', { cookie });
  expect(session.json()).toMatchObject({ isAuthenticated: false });
});

test('S4 a second time finds none, and the audit log has one line for each', async () => {
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

test('S4 the account of who asks is never marked, whatever stands beside it', async () => {
  const admin = await server.person({ role: 'admin' });
  const rival = await add({ email: admin.email, proven: true, role: 'admin' });
  const third = await add({ email: admin.email });
  expect(await clean(admin.cookie)).toBe(1);
  expect([await migratedTo(admin.id), await migratedTo(rival), await migratedTo(third)]).toEqual([null, null, rival]);
});
