import { limits } from '@kc/rules/limits';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { recordOf } from '../../test/support/rows.ts';
import { builtInEmail, cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { giveLink } from '../../test/support/share-links.ts';
import { insertVisualization } from '../visualizations/queries.ts';

const password = 'tulip-Harbor-9';
const newPassword = 'violet-Quarry-77-lamp';
let server: TestServer;
let fresh = 0;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
});

const newEmail = () => `reader-${fresh++}@example.org`;
const post = (path: string, body?: unknown, cookie?: string) => server.call('POST', `/api${path}`, { body, cookie });
const code = (response: { json(): { data: { code: string } } }) => response.json().data.code;
const signIn = (email: string, secret = password) => post('/session', { email, password: secret, remember: false });
const askForReset = (email: string) => post('/reset-password/request', { email });
const session = async (cookie: string) => (await server.call('GET', '/api/session', { cookie })).json();

/** Signs up and waits for the mail. */
async function member(): Promise<{ email: string; verification: string }> {
  const email = newEmail();
  const body = { email, password, displayName: 'Jo' };
  // From a new address, so that the bot check does not interfere.
  await server.call('POST', '/api/sign-up', { body, from: `10.0.${fresh >> 8}.${fresh & 255}` });
  return { email, verification: await tokenFor(email, 'verify-email') };
}

/** The token in the newest mail of a kind to an address. Waits until there are `count` such mails. */
function tokenFor(email: string, page: 'reset-password' | 'verify-email', count = 1): Promise<string> {
  return vi.waitFor(
    () => {
      const mails = server.mails.filter((mail) => mail.to === email && mail.text.includes(`/${page}#`));
      expect(mails).toHaveLength(count);
      return /#([\w-]{43})\n/.exec(mails.at(-1)!.text)![1]!;
    },
    { timeout: 60_000 },
  );
}

async function resetToken(email: string, count = 1): Promise<string> {
  await askForReset(email);
  return tokenFor(email, 'reset-password', count);
}

async function account(email: string) {
  return server.database.db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}

test('SEC-15 a reset link sets a new password, ends every session and signs nobody in', async () => {
  const { email } = await member();
  const before = cookieOf(await signIn(email));
  const token = await resetToken(email);
  expect((await post('/reset-password/read', { token })).json()).toEqual({ email, minPasswordLength: 6 });
  const answer = await post('/reset-password', { token, password: newPassword }, before);
  expect(answer.json()).toEqual({ email });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await session(before)).toMatchObject({ isAuthenticated: false });
  expect(code(await signIn(email))).toBe('sign-in/wrong-password');
  expect((await signIn(email, newPassword)).json()).toMatchObject({ isAuthenticated: true, status: 'pending' });
});

// Shows P3.10.
test('SEC-15 a known and an unknown email get the same response, and only the known one gets a mail', async () => {
  const { email } = await member();
  const unknown = newEmail();
  const [stranger, known] = [await askForReset(unknown), await askForReset(email)];
  expect([stranger.statusCode, stranger.json()]).toEqual([known.statusCode, { email: unknown }]);
  expect(known.json()).toEqual({ email });
  // Jobs run in order: once the second mail exists, the first request has been processed.
  await tokenFor(email, 'reset-password');
  expect(server.mails.filter((mail) => mail.to === unknown)).toEqual([]);
});

test('SEC-15 past three requests an hour the response is the same and no mail is sent', async () => {
  const { email } = await member();
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push(await askForReset(email));
  expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200]);
  await resetToken((await member()).email);
  expect(server.mails.filter((mail) => mail.to === email && mail.text.includes('/reset-password#'))).toHaveLength(3);
});

test('one address can request thirty mails an hour, for any recipients', async () => {
  const answers = [];
  for (let i = 0; i < 31; i++) answers.push(await askForReset(newEmail()));
  expect(answers.map((answer) => answer.statusCode)).toEqual([...Array(30).fill(200), 429]);
});

test('SEC-14 of fifty simultaneous uses of a reset link, one succeeds', async () => {
  const { email } = await member();
  const token = await resetToken(email);
  const uses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => post('/reset-password', { token, password: `${newPassword}-${i}` })),
  );
  expect(uses.filter((use) => use.statusCode === 200)).toHaveLength(1);
  expect(uses.filter((use) => use.statusCode >= 500)).toHaveLength(0);
  expect(code(await post('/reset-password/read', { token }))).toBe('reset/invalid');
});

test('SEC-14 a reset link is valid until the next one is created, and for at most thirty minutes', async () => {
  const { email } = await member();
  const earlier = await resetToken(email);
  const token = await resetToken(email, 2);
  expect(code(await post('/reset-password', { token: earlier, password: newPassword }))).toBe('reset/invalid');
  const start = server.clock;
  server.clock = start + limits.resetLinkMs - 1;
  expect((await post('/reset-password/read', { token })).statusCode).toBe(200);
  server.clock = start + limits.resetLinkMs;
  expect(code(await post('/reset-password', { token, password: newPassword }))).toBe('reset/invalid');
  server.clock = start;
});

test('SEC-14 a link is valid only for its purpose and its account, and the database stores no token', async () => {
  const [ann, ben] = [await member(), await member()];
  const reset = await resetToken(ann.email);
  const cookie = cookieOf(await signIn(ann.email));
  const bens = cookieOf(await signIn(ben.email));
  expect(code(await post('/verify-email', { token: reset }, cookie))).toBe('verify/invalid');
  expect(code(await post('/reset-password', { token: ann.verification, password: newPassword }))).toBe('reset/invalid');
  expect(code(await post('/claim/read', { token: reset }))).toBe('claim/invalid');
  expect(code(await post('/verify-email', { token: ann.verification }, bens))).toBe('verify/invalid');
  expect(await session(`kc_session=${reset}`)).toMatchObject({ isAuthenticated: false });
  const { db } = server.database;
  const kept = await Promise.all([
    db.selectFrom('tokens').selectAll().execute(),
    db
      .withSchema('jobs')
      .selectFrom('job' as never)
      .selectAll()
      .execute(),
  ]);
  for (const token of [reset, ann.verification]) {
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(server.logged.join('')).not.toContain(token);
  }
  expect(JSON.stringify(kept)).toContain(ann.email);
});

test.each([
  ['short', 'sign-up/password-short'],
  ['password1', 'sign-up/weak'],
  ['x'.repeat(1025), 'sign-up/password-long'],
])('a reset to %j is refused and the link stays valid', async (secret, wanted) => {
  const token = await resetToken((await member()).email);
  expect(code(await post('/reset-password', { token, password: secret }))).toBe(wanted);
  expect((await post('/reset-password', { token, password: newPassword })).statusCode).toBe(200);
});

test('a reset link proves an email; a reset changes no status and no role', async () => {
  const { email, verification } = await member();
  const token = await resetToken(email);
  await post('/reset-password', { token, password: newPassword });
  const now = await account(email);
  expect(now.email_proven_at?.getTime()).toBe(server.clock);
  expect(now).toMatchObject({ status: 'pending', role: 'user' });
  const cookie = cookieOf(await signIn(email, newPassword));
  expect(code(await post('/verify-email', { token: verification }, cookie))).toBe('verify/invalid');
});

test('T20 access tokens of whoever signed up with an email end once its owner sets a password, and later ones stay', async () => {
  const { email } = await member();
  const { id } = await account(email);
  await server.database.db.updateTable('accounts').set({ status: 'approved' }).where('id', '=', id).execute();
  const read = async ({ token }: { token: string }) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await server.app.inject({ method: 'GET', url: '/api/visualizations', headers })).statusCode;
  };
  const strangers = await giveToken(server, id);
  expect(await read(strangers)).toBe(200);
  await post('/reset-password', { token: await resetToken(email), password: newPassword });
  expect(await read(strangers)).toBe(401);
  const own = await giveToken(server, id);
  await post('/reset-password', { token: await resetToken(email, 2), password });
  expect(await read(own)).toBe(200);
});

test('T20 links to visualizations of whoever signed up with an email end once its owner sets a password, and later ones stay', async () => {
  const { email } = await member();
  const { id } = await account(email);
  const { db } = server.database;
  await db.updateTable('accounts').set({ status: 'approved' }).where('id', '=', id).execute();
  const record = recordOf(id, { is_active: true });
  await insertVisualization(db, record);
  const page = async ({ id: link, cookie }: { id: string; cookie: string }) =>
    (await server.call('GET', `/api/shared/${link}/page`, { cookie })).statusCode;
  const strangers = await giveLink(server, { visualizationId: record.id, makerId: id });
  expect(await page(strangers)).toBe(200);
  await post('/reset-password', { token: await resetToken(email), password: newPassword });
  expect(await page(strangers)).not.toBe(200);
  expect(code(await post('/shared/session', { token: strangers.token }))).toBe('link/ended');
  const own = await giveLink(server, { visualizationId: record.id, makerId: id });
  await post('/reset-password', { token: await resetToken(email, 2), password });
  expect(await page(own)).toBe(200);
});

// Shows P27.7.
test('a reset says how many access tokens still work', async () => {
  const { email } = await member();
  const reset = async (count: number) => {
    const answer = await post('/reset-password', { token: await resetToken(email, count), password: newPassword });
    return answer.json();
  };
  expect(await reset(1)).toEqual({ email });
  const { id } = await account(email);
  for (const given of [{}, {}, { revoked: true }, { lifeMs: -1 }]) await giveToken(server, id, given);
  expect(await reset(2)).toEqual({ email, accessTokens: 2 });
});

test('S1 an unproven built-in admin gets no mail; a proven one needs twelve characters', async () => {
  const { db } = server.database;
  const at = new Date(server.clock);
  await db
    .insertInto('accounts')
    .values({ id: 'built-in', email: builtInEmail, built_in: true, created_at: at, updated_at: at })
    .execute();
  expect((await askForReset(builtInEmail)).statusCode).toBe(200);
  await resetToken((await member()).email);
  expect(server.mails.filter((mail) => mail.to === builtInEmail)).toEqual([]);

  await db.updateTable('accounts').set({ email_proven_at: at }).where('id', '=', 'built-in').execute();
  const token = await resetToken(builtInEmail);
  expect((await post('/reset-password/read', { token })).json()).toMatchObject({ minPasswordLength: 12 });
  expect(code(await post('/reset-password', { token, password: 'elevenchars' }))).toBe('claim/password-short');
  expect((await post('/reset-password', { token, password: newPassword })).statusCode).toBe(200);
  expect((await signIn(builtInEmail, newPassword)).json()).toMatchObject({ isAdmin: true });
});

test('S2 no mail link makes an admin of an account whose email was listed later', async () => {
  const cookie = cookieOf(await signIn((await member()).email));
  const { account: me } = await session(cookie);
  const { verification } = await member();
  await server.database.db.deleteFrom('accounts').where('email', '=', builtInEmail).execute();
  await server.database.db.updateTable('accounts').set({ email: builtInEmail }).where('id', '=', me.id).execute();
  expect(code(await post('/verify-email', { token: verification }, cookie))).toBe('verify/invalid');
  await post('/verify-email/request', undefined, cookie);
  await resetToken((await member()).email);
  expect(server.mails.filter((mail) => mail.to === builtInEmail && mail.text.includes('/verify-email#'))).toEqual([]);
  expect(await session(cookie)).toMatchObject({ isAdmin: false });
});

// Shows P3.13.
test('a sign-up is mailed a link that proves the email of the user signed in to that account', async () => {
  const { email, verification } = await member();
  const cookie = cookieOf(await signIn(email));
  expect((await session(cookie)).account).toMatchObject({ emailProven: false });
  expect(code(await post('/verify-email', { token: verification }))).toBe('session/required');
  const proven = await post('/verify-email', { token: verification }, cookie);
  expect(proven.json()).toMatchObject({ status: 'pending', account: { email, emailProven: true } });
  expect(code(await post('/verify-email', { token: verification }, cookie))).toBe('verify/invalid');
});

test('SEC-14 of fifty simultaneous confirmations one succeeds, and a day later none', async () => {
  const [ann, ben] = [await member(), await member()];
  const anns = cookieOf(await signIn(ann.email));
  const uses = await Promise.all(
    Array.from({ length: 50 }, () => post('/verify-email', { token: ann.verification }, anns)),
  );
  expect(uses.map((use) => use.statusCode).sort()).toEqual([200, ...Array(49).fill(422)]);
  const start = server.clock;
  server.clock = start + limits.verifyLinkMs;
  const bens = cookieOf(await signIn(ben.email));
  expect(code(await post('/verify-email', { token: ben.verification }, bens))).toBe('verify/invalid');
  server.clock = start;
});

test('the confirmation is mailed again three times an hour; the earlier links end', async () => {
  const { email, verification } = await member();
  const cookie = cookieOf(await signIn(email));
  expect((await post('/verify-email/request', undefined, cookie)).json()).toEqual({ email });
  await tokenFor(email, 'verify-email', 2);
  expect(code(await post('/verify-email', { token: verification }, cookie))).toBe('verify/invalid');
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await post('/verify-email/request', undefined, cookie)).statusCode);
  expect(statuses).toEqual([200, 200, 429]);
});

test('a mail that waited longer than its link is valid is not sent', async () => {
  const { email } = await member();
  const start = server.clock;
  await server.database.db.transaction().execute(async (tx) => {
    // The mail was requested long ago, as after an outage.
    server.clock = start - limits.resetLinkMs - 1;
    await server.askForMail(tx, 'reset', email);
    server.clock = start;
  });
  await expect.poll(() => server.logged.join('')).toContain('given up');
  expect(server.mails.filter((mail) => mail.to === email && mail.text.includes('/reset-password#'))).toEqual([]);
});

// Shows P2.3.
test('a name is changed everywhere at once', async () => {
  const person = await server.person({});
  const set = (displayName: string) =>
    server.call('PUT', '/api/session/name', { body: { displayName }, cookie: person.cookie });
  expect((await set('  Ann\r\nBcc: x ')).json()).toMatchObject({ account: { displayName: 'Ann Bcc: x' } });
  expect(code(await set(' \n '))).toBe('sign-up/name-required');
  const admin = await server.person({ role: 'admin' });
  const listed = (await server.call('GET', '/api/users', { cookie: admin.cookie })).json();
  expect(listed).toContainEqual(expect.objectContaining({ id: person.id, displayName: 'Ann Bcc: x' }));
  const lines = server.database.db.selectFrom('audit_log').select('id').where('action', '=', 'name');
  const before = await lines.execute();
  expect((await set('Ann Bcc: x')).json()).toMatchObject({ account: { displayName: 'Ann Bcc: x' } });
  expect(await lines.execute()).toEqual(before);
});

// Shows P2.6.
test('T11 signing out everywhere ends every session of the user and nobody else’s', async () => {
  const { email } = await member();
  const [one, two] = [cookieOf(await signIn(email)), cookieOf(await signIn(email))];
  const other = await server.person({});
  const answer = await server.call('DELETE', '/api/session/all', { cookie: one });
  expect(answer.json()).toMatchObject({ isAuthenticated: false });
  expect(answer.headers['set-cookie']).toContain('Max-Age=0');
  for (const cookie of [one, two]) expect(await session(cookie)).toMatchObject({ isAuthenticated: false });
  expect(await session(other.cookie)).toMatchObject({ isAuthenticated: true });
});
