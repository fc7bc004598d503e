import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cheapPasswords } from '../../test/support/passwords.ts';
import { builtInEmail, cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { claimLinks, reserveAccounts } from './built-in-accounts.ts';

const password = 'tulip-Harbor-9';
let server: TestServer;
let fresh = 0;

beforeAll(async () => {
  server = await testServer();
  const { config, database, app } = server;
  const needs = { config, db: database.db, log: app.log as never, passwords: cheapPasswords };
  await reserveAccounts(needs, server.clock);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
});

const newEmail = () => `person-${fresh++}@example.org`;
/** Signs up from a new address each time, so that the bot check does not interfere. */
const signUp = (email: string) =>
  server.call('POST', '/api/sign-up', {
    body: { email, password, displayName: 'Jo' },
    from: `10.0.0.${fresh++ % 250}`,
  });
const signIn = (email: string, remember = false, secret = password) =>
  server.call('POST', '/api/session', { body: { email, password: secret, remember } });
const session = async (cookie?: string) => (await server.call('GET', '/api/session', { cookie })).json();
const code = (response: { json(): { data: { code: string } } }) => response.json().data.code;

async function claimToken(): Promise<string> {
  const { config, database, app } = server;
  await database.db.updateTable('accounts').set({ email_proven_at: null }).where('email', '=', builtInEmail).execute();
  const links = await claimLinks({ config, db: database.db, log: app.log as never }, server.clock);
  return new URL(links[0]!.link).hash.slice(1);
}

test('a user signs up, is approved, signs in and out', async () => {
  const email = newEmail();
  expect((await signUp(` ${email.toUpperCase()} `)).json()).toEqual({ email, isApproved: false });
  const waiting = await signIn(email);
  expect(waiting.json()).toMatchObject({ isAuthenticated: true, status: 'pending', redirectPath: '/pending-approval' });

  const admin = await server.person({ role: 'admin' });
  const listed = (await server.call('GET', '/api/users', { cookie: admin.cookie })).json();
  const { id } = listed.find((account: { email: string }) => account.email === email);
  const approved = await server.call('PUT', `/api/users/${id}/status`, {
    body: { status: 'approved' },
    cookie: admin.cookie,
  });
  expect(approved.json()).toMatchObject({ id, status: 'approved', role: 'user' });

  const cookie = cookieOf(waiting);
  expect(await session(cookie)).toMatchObject({ status: 'approved', redirectPath: '/visualization', isAdmin: false });
  await server.call('DELETE', '/api/session', { cookie });
  expect(await session(cookie)).toMatchObject({ isAuthenticated: false, shouldRedirect: true, redirectPath: '/login' });
});

test('without a session the response is "not authenticated", with 200', async () => {
  const answer = await server.call('GET', '/api/session');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ isAuthenticated: false, isAdmin: false });
});

test('an email can sign up once', async () => {
  const email = newEmail();
  const answers = await Promise.all(Array.from({ length: 12 }, () => signUp(email)));
  expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  expect(new Set(answers.filter((answer) => answer.statusCode !== 200).map(code))).toEqual(new Set(['sign-up/in-use']));
});

// Shows P18.2.
test('a built-in admin email is taken before anybody signs up', async () => {
  expect(code(await signUp(builtInEmail))).toBe('sign-up/in-use');
});

test('T1 S11 a sign-up sets no role, status or unknown field', async () => {
  for (const extra of [{ role: 'admin' }, { status: 'approved' }, { uid: 'x' }, { emailVerified: true }]) {
    const body = { email: newEmail(), password, displayName: 'Jo', ...extra };
    expect(code(await server.call('POST', '/api/sign-up', { body }))).toBe('request/invalid');
  }
});

test('a weak password is refused', async () => {
  const body = { email: newEmail(), password: 'password1', displayName: 'Jo' };
  expect(code(await server.call('POST', '/api/sign-up', { body }))).toBe('sign-up/weak');
});

// Shows P3.16.
test('an unknown email is reported a few times, a wrong password always, a built-in admin never', async () => {
  const email = newEmail();
  await signUp(email);
  expect(code(await signIn(email, false, 'wrong-one'))).toBe('sign-in/wrong-password');
  expect(code(await signIn(builtInEmail))).toBe('sign-in/wrong-password');
  const unknown: string[] = [];
  for (let i = 0; i < 12; i++) unknown.push(code(await signIn(newEmail())));
  expect(unknown).toEqual([...Array(10).fill('sign-in/not-found'), ...Array(2).fill('sign-in/wrong-password')]);
});

test('SEC-13 of many simultaneous attempts, no more than the limit reach the password check', async () => {
  const email = newEmail();
  await signUp(email);
  const codes = (await Promise.all(Array.from({ length: 30 }, () => signIn(email, false, 'wrong-one')))).map(code);
  expect(codes.filter((one) => one === 'sign-in/wrong-password')).toHaveLength(10);
  expect(codes.filter((one) => one === 'sign-in/too-many')).toHaveLength(20);
});

test('SEC-08 the cookie is unreadable for scripts, and its token is stored as a hash only', async () => {
  const email = newEmail();
  await signUp(email);
  const header = String([(await signIn(email)).headers['set-cookie']].flat()[0]);
  expect(header).toMatch(/^kc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const token = header.slice('kc_session='.length).split(';')[0]!;
  const rows = JSON.stringify(await server.database.db.selectFrom('sessions').selectAll().execute());
  expect(rows).not.toContain(token);
  expect(server.logged.join('')).not.toContain(token);
});

test('SEC-08 over https every cookie is host-bound and Secure, and one without the prefix signs nobody in', async () => {
  const secured = await testServer({ BASE_URL: 'https://kc.example.com' }, {}, undefined, server);
  const email = newEmail();
  await signUp(email);
  const answer = await secured.call('POST', '/api/session', { body: { email, password, remember: false } });
  const headers = [answer.headers['set-cookie']].flat().map(String);
  expect(headers.map((header) => header.replace(/=[^;]+/, ''))).toEqual([
    '__Host-kc_session; Path=/; HttpOnly; SameSite=Lax; Secure',
    '__Host-kc_device; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000',
  ]);
  const mine = headers[0]!.split(';')[0]!;
  const asks = async (cookie: string) =>
    (await secured.call('GET', '/api/session', { cookie })).json().isAuthenticated as boolean;
  expect(await asks(mine)).toBe(true);
  // A sibling host can set these for the parent domain, but browsers do not let it use our name, which has a prefix.
  for (const planted of [mine.replace('__Host-', ''), `\u00a0${mine}`, `${mine}; ${mine}`]) {
    expect(await asks(planted), planted).toBe(false);
  }
  await secured.close();
});

test('T9 signing in again ends the previous session of the browser', async () => {
  const email = newEmail();
  await signUp(email);
  const first = cookieOf(await signIn(email));
  const again = await server.call('POST', '/api/session', {
    body: { email, password, remember: false },
    cookie: first,
  });
  expect(await session(cookieOf(again))).toMatchObject({ isAuthenticated: true });
  expect(await session(first)).toMatchObject({ isAuthenticated: false });
});

test('T12 a session lasts a day, a remembered one a week without use', async () => {
  const email = newEmail();
  await signUp(email);
  const plain = cookieOf(await signIn(email));
  const remembered = await signIn(email, true);
  expect(String(remembered.headers['set-cookie'])).toContain(`Max-Age=${30 * 24 * 3600}`);
  const start = server.clock;
  server.clock = start + 25 * 3_600_000;
  expect(await session(plain)).toMatchObject({ isAuthenticated: false });
  expect(await session(cookieOf(remembered))).toMatchObject({ isAuthenticated: true });
  server.clock += 8 * 24 * 3_600_000;
  expect(await session(cookieOf(remembered))).toMatchObject({ isAuthenticated: false });
  server.clock = start;
});

// Shows P18.3.
test('SEC-14 of fifty simultaneous uses of a claim link, one succeeds', async () => {
  const token = await claimToken();
  const body = { token, password: 'violet-Quarry-77-lamp' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => server.call('POST', '/api/claim', { body })));
  expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  expect(answers.filter((answer) => answer.statusCode >= 500)).toHaveLength(0);
  const claimed = answers.find((answer) => answer.statusCode === 200)!;
  expect(claimed.json()).toMatchObject({ isAuthenticated: true, isAdmin: true, status: 'approved' });
  expect(code(await server.call('POST', '/api/claim/read', { body: { token } }))).toBe('claim/invalid');
});

test('SEC-14 a claim link is valid until the next one is created, and for at most a day', async () => {
  const earlier = await claimToken();
  const token = await claimToken();
  expect(code(await server.call('POST', '/api/claim/read', { body: { token: earlier } }))).toBe('claim/invalid');
  const late = { token: earlier, password: 'violet-Quarry-77-lamp' };
  expect(code(await server.call('POST', '/api/claim', { body: late }))).toBe('claim/invalid');
  expect((await server.call('POST', '/api/claim/read', { body: { token } })).json()).toEqual({ email: builtInEmail });
  server.clock += 24 * 3_600_000 + 1;
  expect(code(await server.call('POST', '/api/claim/read', { body: { token } }))).toBe('claim/invalid');
  server.clock -= 24 * 3_600_000 + 1;
});

test('a claim requires twelve characters that are not easy to guess', async () => {
  const token = await claimToken();
  const claim = async (secret: string) =>
    code(await server.call('POST', '/api/claim', { body: { token, password: secret } }));
  expect(await claim('tooShort-1')).toBe('claim/password-short');
  expect(await claim('adminpassword12')).toBe('sign-up/weak');
});

// Shows P6.7.
test('a claim link makes an admin of an account that was listed after it was created', async () => {
  const later = await server.person({});
  const { db } = server.database;
  // The account that the start reserved takes the place of this one, so that its email is free.
  await db.updateTable('accounts').set({ email: 'reserved@example.org' }).where('email', '=', builtInEmail).execute();
  await db.updateTable('accounts').set({ email: builtInEmail }).where('id', '=', later.id).execute();
  expect(await session(later.cookie)).toMatchObject({ isAdmin: false, account: { inAdminList: true } });
  const body = { token: await claimToken(), password: 'a long quiet morning' };
  const claimed = await server.call('POST', '/api/claim', { body });
  expect(claimed.json()).toMatchObject({ isAdmin: true, account: { id: later.id } });
});

// Shows P13.6.
test('with the sample, the users list shows whose it is, and nobody can sign in as that user', async () => {
  const other = await testServer({ SAMPLE: 'on' });
  const { config, database, app } = other;
  const needs = { config, db: database.db, log: app.log as never, passwords: cheapPasswords };
  await reserveAccounts(needs, other.clock);
  const admin = await other.person({ role: 'admin' });
  const listed = (await other.call('GET', '/api/users', { cookie: admin.cookie })).json();
  const ofSample = listed.filter(({ isSample }: { isSample: boolean }) => isSample);
  expect(ofSample.map(({ email }: { email: string }) => email)).toEqual(['sample@example.com']);
  const body = { email: 'sample@example.com', password: 'anything at all', remember: false };
  const refused = await other.call('POST', '/api/session', { body });
  expect([refused.statusCode >= 400, cookieOf(refused)]).toEqual([true, '']);
  await other.close();
});
