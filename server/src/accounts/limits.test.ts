// Shows S5.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changedTables, digest } from '../../test/support/digest.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';

let server: TestServer;
let admin: Awaited<ReturnType<TestServer['person']>>;
beforeAll(async () => {
  server = await testServer(
    {},
    {
      // These tests are not about hashing or mails.
      passwords: { hash: async () => 'hashed', verify: async () => false, isOutdated: () => false },
      mails: { enqueue: async () => undefined, stop: async () => undefined },
    },
  );
  admin = await server.person({ role: 'admin' });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
});

let made = 0;
const fresh = () => `limited-${made++}@example.org`;
const post = (path: string, body?: unknown, cookie?: string) => server.call('POST', `/api${path}`, { body, cookie });

type Limited = { name: string; uses: number; call(): ReturnType<typeof post>; within: number | string; past: string };

const signIn = () => post('/session', { email: fresh(), password: 'x', remember: false });
const signUp = () => post('/sign-up', { email: fresh(), password: 'tulip-Harbor-9', displayName: 'Jo' });
/** Signs up from a client that needs no proof of work. */
const soberSignUp = async () => {
  await server.database.db.deleteFrom('rate_limits').where('key', 'like', 'sign-up-unproven%').execute();
  return signUp();
};

/**
 * Each limit: its name, how many uses it allows, the call that uses it, and the codes of the responses within the limit
 * and past it. Source: SECURITY.md, S5, SEC-13, T4, T7.
 */
const limited: readonly Limited[] = [
  { name: 'sign-in-address', uses: 300, call: signIn, within: 'sign-in/not-found', past: 'sign-in/too-many' },
  {
    name: 'sign-in-account',
    uses: 100,
    call: () => post('/session', { email: 'one@example.org', password: 'x', remember: false }),
    within: 'sign-in/not-found',
    past: 'sign-in/too-many',
  },
  { name: 'sign-in-all', uses: 5_000, call: signIn, within: 'sign-in/not-found', past: 'sign-in/too-many' },
  { name: 'disclosure', uses: 10, call: signIn, within: 'sign-in/not-found', past: 'sign-in/wrong-password' },
  { name: 'disclosure-all', uses: 500, call: signIn, within: 'sign-in/not-found', past: 'sign-in/wrong-password' },
  { name: 'sign-up', uses: 20, call: soberSignUp, within: 200, past: 'sign-in/too-many' },
  { name: 'sign-up-all', uses: 2_000, call: soberSignUp, within: 200, past: 'sign-in/too-many' },
  { name: 'sign-up-unproven', uses: 2, call: signUp, within: 200, past: 'sign-up/check-needed' },
  { name: 'sign-up-unproven-all', uses: 30, call: signUp, within: 200, past: 'sign-up/check-needed' },
  { name: 'sign-up-check', uses: 60, call: () => post('/sign-up/check'), within: 200, past: 'sign-in/too-many' },
  {
    name: 'claim',
    uses: 100,
    call: () => post('/claim/read', { token: 'x' }),
    within: 'claim/invalid',
    past: 'sign-in/too-many',
  },
  {
    name: 'link',
    uses: 100,
    call: () => post('/reset-password/read', { token: 'x' }),
    within: 'reset/invalid',
    past: 'sign-in/too-many',
  },
  {
    name: 'link',
    uses: 100,
    call: () => post('/verify-email', { token: 'x' }, admin.cookie),
    within: 'verify/invalid',
    past: 'sign-in/too-many',
  },
  {
    name: 'mail-address',
    uses: 30,
    call: () => post('/reset-password/request', { email: fresh() }),
    within: 200,
    past: 'sign-in/too-many',
  },
  {
    name: 'mail-address',
    uses: 30,
    call: () => post('/verify-email/request', undefined, admin.cookie),
    within: 200,
    past: 'sign-in/too-many',
  },
  {
    name: 'mail-verify',
    uses: 3,
    call: () => post('/verify-email/request', undefined, admin.cookie),
    within: 200,
    past: 'sign-in/too-many',
  },
  {
    name: 'name',
    uses: 30,
    call: () => server.call('PUT', '/api/session/name', { body: { displayName: fresh() }, cookie: admin.cookie }),
    within: 200,
    past: 'sign-in/too-many',
  },
  {
    name: 'delete',
    uses: 120,
    call: () => post('/forceDeleteUser', { userId: 'nobody', idToken: 'x' }, admin.cookie),
    within: 'step-up/required',
    past: 'sign-in/too-many',
  },
];

const codeOf = (answer: Awaited<ReturnType<typeof post>>): number | string =>
  answer.statusCode < 400 ? answer.statusCode : answer.json().data.code;

/** Sets the stored number of uses of a limit. */
async function setUses(name: string, uses: number): Promise<void> {
  const { numUpdatedRows } = await server.database.db
    .updateTable('rate_limits')
    .set({ uses })
    .where('key', 'like', `${name}:%`)
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
}

// Shows P19.7.
test.each(limited)('SEC-13 $name may be used $uses times, then $past', async ({ name, uses, call, within, past }) => {
  await call();
  // One use is left.
  await setUses(name, uses - 1);
  expect(codeOf(await call())).toBe(within);
  expect(codeOf(await call())).toBe(past);
});

test.each([
  ['audit-refusal', 60],
  ['audit-refusal-all', 2_000],
])('SEC-26 the limit %s lets at most %i refusals an hour into the log', async (name, uses) => {
  const refused = () => signIn();
  await refused();
  await setUses(name, uses - 1);
  const lines = async () =>
    (await sql<{ n: number }>`select count(*) as n from audit_log`.execute(server.database.db)).rows[0]!.n;
  const before = await lines();
  await refused();
  expect((await lines()) - before).toBe(1);
  await refused();
  expect((await lines()) - before).toBe(1);
});

test('a use past the limit changes nothing but the count', async () => {
  await signUp();
  await setUses('sign-up', 20);
  await server.database.db.deleteFrom('rate_limits').where('key', 'like', 'sign-up-unproven%').execute();
  const before = await digest(server.database.db);
  expect(codeOf(await signUp())).toBe('sign-in/too-many');
  const changed = changedTables(before, await digest(server.database.db));
  expect(changed.filter((table) => table !== 'rate_limits')).toEqual(['audit_log']);
});

test('SEC-13 all addresses of an IPv6 network count as one', async () => {
  const signInFrom = (from: string) =>
    server.call('POST', '/api/session', { body: { email: fresh(), password: 'x', remember: false }, from });
  await signInFrom('2001:db8:1:2::1');
  await setUses('sign-in-address', 300);
  expect(codeOf(await signInFrom('2001:db8:1:2:ffff:ffff:ffff:ffff'))).toBe('sign-in/too-many');
  expect(codeOf(await signInFrom('2001:db8:1:3::1'))).toBe('sign-in/not-found');
});

test('T14 SEC-13 an address in a header counts only from a trusted proxy, and only the one it added', async () => {
  const signInBy = (one: TestServer, proxy: string, forwarded: string) =>
    one.app.inject({
      method: 'POST',
      url: '/api/session',
      remoteAddress: proxy,
      headers: { 'x-forwarded-for': forwarded },
      payload: { email: fresh(), password: 'x', remember: false },
    });
  await signInBy(server, '192.0.2.1', '203.0.113.1');
  await setUses('sign-in-address', 300);
  expect(codeOf(await signInBy(server, '192.0.2.1', '203.0.113.2'))).toBe('sign-in/too-many');
  await server.database.db.deleteFrom('rate_limits').execute();

  const behind = await testServer({ TRUSTED_PROXIES: '192.0.2.1' }, {}, undefined, server);
  await signInBy(behind, '192.0.2.1', '203.0.113.1');
  await setUses('sign-in-address', 300);
  // The proxy appends its value to the right of what the client sent.
  expect(codeOf(await signInBy(behind, '192.0.2.1', '198.51.100.7, 203.0.113.1'))).toBe('sign-in/too-many');
  expect(codeOf(await signInBy(behind, '192.0.2.1', '203.0.113.2'))).toBe('sign-in/not-found');
  await behind.close();
});

test('after the window the count starts again', async () => {
  await post('/claim/read', { token: 'x' });
  await setUses('claim', 100);
  expect(codeOf(await post('/claim/read', { token: 'x' }))).toBe('sign-in/too-many');
  const start = server.clock;
  server.clock = start + 15 * 60_000;
  expect(codeOf(await post('/claim/read', { token: 'x' }))).toBe('claim/invalid');
  server.clock = start;
});
