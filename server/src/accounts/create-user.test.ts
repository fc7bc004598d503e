import { say } from '@kc/rules/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cheapPasswords } from '../../test/support/passwords.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import type { Passwords } from './passwords.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const password = 'tulip-Harbor-9';
const create = (cookie: string, email: string, changes: object = {}) =>
  server.call('POST', '/api/users', { body: { email, password, role: 'user', ...changes }, cookie });
const availability = async (cookie: string, email: string) =>
  (await server.call('GET', `/api/users/availability?email=${encodeURIComponent(email)}`, { cookie })).json();

/** Writes the audit log line of a deletion. */
async function noteDeletion(email: string): Promise<void> {
  const details = JSON.stringify({ email, files: 0 });
  const line = { at: new Date(server.clock), actor: 'system', action: 'delete', target: 'gone', details } as const;
  await server.database.db.insertInto('audit_log').values(line).execute();
}

// Shows P8.5.
test('creating a user leaves the admin’s own session unchanged, and signs nobody in', async () => {
  const admin = await server.person({ role: 'admin' });
  const sessions = () => server.database.db.selectFrom('sessions').selectAll().orderBy('id').execute();
  const before = await sessions();
  const made = await create(admin.cookie, 'somebody@example.org', { role: 'admin' });
  expect([made.statusCode, made.headers['set-cookie']]).toEqual([200, undefined]);
  expect(await sessions()).toEqual(before);
  const session = await server.call('GET', '/api/session', { cookie: admin.cookie });
  expect(session.json()).toMatchObject({ isAuthenticated: true, isAdmin: true, account: { id: admin.id } });
});

test('an email is available until an account has it, in any letter case', async () => {
  const { cookie } = await server.person({ role: 'admin' });
  const email = 'jane@example.org';
  expect(await availability(cookie, ' JANE@example.org ')).toEqual({ email, availability: 'available' });
  await create(cookie, email);
  expect(await availability(cookie, 'Jane@Example.org')).toEqual({ email, availability: 'in-use' });
  expect(await availability(cookie, 'jane at example')).toEqual({
    email: 'jane at example',
    availability: 'invalid',
  });
});

test('an email taken while the account is being created is refused', async () => {
  const email = 'quicker@example.org';
  const passwords: Passwords = {
    ...cheapPasswords,
    // Hashing is the slowest step, so this is when a concurrent sign-up is most likely.
    async hash(given) {
      const { db } = other.database;
      const at = new Date(other.clock);
      await db.insertInto('accounts').values({ id: 'quicker', email, created_at: at, updated_at: at }).execute();
      return cheapPasswords.hash(given);
    },
  };
  const other = await testServer({}, { passwords });
  const { cookie } = await other.person({ role: 'admin' });
  const refused = await other.call('POST', '/api/users', { body: { email, password, role: 'admin' }, cookie });
  expect([refused.statusCode, say(refused.json().data.code)]).toEqual([409, 'This email is already in use']);
  const owner = await other.database.db.selectFrom('accounts').select('role').where('email', '=', email).execute();
  expect(owner).toEqual([{ role: 'user' }]);
  await other.close();
});

test('a recently deleted email that is still in use has its own message for a while', async () => {
  const { cookie } = await server.person({ role: 'admin' });
  const email = 'taken-again@example.org';
  await noteDeletion(email);
  expect((await availability(cookie, email)).availability).toBe('available');
  // The user signs up again before the admin enters the email.
  const body = { email, password, displayName: 'Back Again' };
  expect((await server.call('POST', '/api/sign-up', { body })).statusCode).toBe(200);
  expect((await availability(cookie, email)).availability).toBe('recently-deleted');
  const refused = await create(cookie, email);
  expect([refused.statusCode, refused.json().data]).toEqual([
    409,
    { code: 'create-user/recently-deleted', params: { email } },
  ]);
  const supported = await testServer({ SUPPORT_EMAIL: 'help@example.org' }, {}, undefined, server);
  supported.clock = server.clock;
  const told = await supported.call('POST', '/api/users', { cookie, body: { email, password, role: 'user' } });
  expect(told.json().data.params).toEqual({ email, support: 'help@example.org' });
  await supported.close();
  server.clock += 15 * minute;
  expect((await availability(cookie, email)).availability).toBe('in-use');
  expect((await create(cookie, email)).json().data.code).toBe('create-user/in-use');
});

// Shows P8.4.
test('REL-32 creating a user twice at the same time, or again after a lost response, creates one, with the same response', async () => {
  const [admin, other] = [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })];
  const email = 'clicked-twice@example.org';
  const [one, two] = await Promise.all([create(admin.cookie, email), create(admin.cookie, email)]);
  const again = await create(admin.cookie, email);
  expect([one!.statusCode, two!.json(), again.json()]).toEqual([200, one!.json(), one!.json()]);
  const lines = server.database.db.selectFrom('audit_log').select('id').where('action', '=', 'create');
  expect(await lines.where('target', '=', one!.json().id).execute()).toHaveLength(1);
  // A request from another admin, with other values or after a minute is not a repetition.
  expect((await create(other.cookie, email)).json().data.code).toBe('create-user/in-use');
  for (const changes of [{ role: 'admin' }, { password: 'another-Harbor-9' }]) {
    expect((await create(admin.cookie, email, changes)).json().data.code).toBe('create-user/in-use');
  }
  server.clock += minute + 1;
  expect((await create(admin.cookie, email)).json().data.code).toBe('create-user/in-use');
});

test('an account that cannot be created is refused with a reason', async () => {
  const { cookie } = await server.person({ role: 'admin' });
  const refusal = async (email: string, given: string) =>
    (await create(cookie, email, { password: given })).json().data.code;
  expect([
    await refusal('', password),
    await refusal('new@example.org', ''),
    await refusal('new at example', password),
    await refusal('new@example.org', 'short'),
    await refusal('new@example.org', 'x'.repeat(1025)),
    await refusal('new@example.org', 'password1'),
  ]).toEqual([
    'create-user/both-required',
    'create-user/both-required',
    'create-user/invalid-email',
    'sign-up/password-short',
    'sign-up/password-long',
    'sign-up/weak',
  ]);
});
