// Shows S6.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { consumeIdToken, issueStepUp, mintIdToken } from './step-up.ts';

const password = 'tulip-Harbor-9';
let server: TestServer;
let root: { cookie: string };
beforeAll(async () => {
  server = await testServer();
  root = await server.person({ role: 'admin' });
});
afterAll(() => server.close());

type Admin = { readonly id: string; readonly email: string; cookie: string; stepUp: string | undefined };

let made = 0;
/** A user who has just signed in with a password. */
async function signedIn(role: 'admin' | 'user' = 'admin'): Promise<Admin> {
  const body = { email: `by-password-${made++}@example.org`, password, role };
  const { id } = (await server.call('POST', '/api/users', { body, cookie: root.cookie })).json();
  return { id, email: body.email, ...(await signInAgain(body.email)) };
}

async function signInAgain(email: string): Promise<Pick<Admin, 'cookie' | 'stepUp'>> {
  const answer = await server.call('POST', '/api/session', { body: { email, password, remember: false } });
  return { cookie: cookieOf(answer), stepUp: answer.json().stepUp };
}

const askIdToken = (cookie: string, stepUp: string) =>
  server.call('POST', '/api/session/id-token', { body: { stepUp }, cookie });
const stepUpWith = (cookie: string, given: string) =>
  server.call('POST', '/api/session/step-up', { body: { password: given }, cookie });
const code = (answer: { json(): { data: { code: string } } }) => answer.json().data.code;

test('SEC-17 an admin who signs in gets a handle that is not the password and is stored only as a hash', async () => {
  const admin = await signedIn();
  expect(admin.stepUp).toMatch(/^[\w-]{22}$/);
  const tokens = await server.database.db.selectFrom('tokens').selectAll().where('account_id', '=', admin.id).execute();
  expect(tokens.map(({ purpose }) => purpose)).toEqual(['step-up']);
  expect(tokens[0]?.token_hash.toString('base64url')).not.toContain(admin.stepUp);
  expect(tokens[0]?.expires_at.getTime()).toBe(server.clock + 10 * 60_000);
});

test('a user who is not an admin gets no handle', async () => {
  expect((await signedIn('user')).stepUp).toBeUndefined();
});

test('SEC-17 a handle is invalid in another session, even of the same user', async () => {
  const admin = await signedIn();
  const elsewhere = await signInAgain(admin.email);
  expect((await askIdToken(admin.cookie, admin.stepUp!)).statusCode).toBe(200);
  expect(code(await askIdToken(elsewhere.cookie, admin.stepUp!))).toBe('step-up/required');
  expect(code(await askIdToken(root.cookie, admin.stepUp!))).toBe('step-up/required');
});

test('a handle expires after ten minutes, and with the session', async () => {
  const admin = await signedIn();
  server.clock += 10 * 60_000;
  expect(code(await askIdToken(admin.cookie, admin.stepUp!))).toBe('step-up/required');
  await server.call('DELETE', '/api/session', { cookie: admin.cookie });
  const left = await server.database.db.selectFrom('tokens').selectAll().where('account_id', '=', admin.id).execute();
  expect(left).toEqual([]);
});

test('T9 entering the password again creates a new handle, ends the earlier one and renews the session', async () => {
  const admin = await signedIn();
  expect(code(await stepUpWith(admin.cookie, 'wrong'))).toBe('sign-in/wrong-password');
  const answer = await stepUpWith(admin.cookie, password);
  const renewed = cookieOf(answer);
  expect(renewed).not.toBe(admin.cookie);
  expect(code(await askIdToken(renewed, admin.stepUp!))).toBe('step-up/required');
  expect((await askIdToken(renewed, answer.json().stepUp)).statusCode).toBe(200);
  expect(code(await askIdToken(admin.cookie, answer.json().stepUp))).toBe('session/required');
  const lines = await server.database.db
    .selectFrom('audit_log')
    .select(['action', 'result'])
    .where('target', '=', admin.id)
    .orderBy('id')
    .execute();
  expect(lines.filter(({ action }) => action === 'step-up').map(({ result }) => result)).toEqual(['refused', 'ok']);
});

test('T7 a session cannot be used to guess its password', async () => {
  const admin = await signedIn();
  for (let n = 0; n < 10; n++) expect(code(await stepUpWith(admin.cookie, 'wrong'))).toBe('sign-in/wrong-password');
  expect(code(await stepUpWith(admin.cookie, password))).toBe('sign-in/too-many');
});

async function personOf(admin: Admin) {
  const { id } = await server.database.db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', admin.id)
    .executeTakeFirstOrThrow();
  const account = { id: admin.id, email: admin.email, displayName: '', role: 'admin', status: 'approved' } as const;
  return { account: { ...account, emailProven: false, createdAt: 0 }, sessionId: id, hasPhoto: false };
}

async function idTokenOf(admin: Admin): Promise<string> {
  return (await askIdToken(admin.cookie, admin.stepUp!)).json().idToken;
}

test('SEC-14 of fifty simultaneous uses of an ID token, one succeeds', async () => {
  const admin = await signedIn();
  const [person, token] = [await personOf(admin), await idTokenOf(admin)];
  const uses = await Promise.all(
    Array.from({ length: 50 }, () => consumeIdToken(server.database.db, person, token, server.clock)),
  );
  expect(uses.filter((use) => use.ok)).toHaveLength(1);
});

test('S7 SEC-14 an ID token works for a minute, for its own session and account, and for nothing else', async () => {
  const { db } = server.database;
  const admin = await signedIn();
  const other = await signedIn();
  const [person, stranger] = [await personOf(admin), await personOf(other)];
  const token = await idTokenOf(admin);
  const refused = { ok: false, refusal: { code: 'step-up/required' } };
  expect(await consumeIdToken(db, stranger, token, server.clock)).toEqual(refused);
  expect(await consumeIdToken(db, { ...person, sessionId: stranger.sessionId }, token, server.clock)).toEqual(refused);
  expect(await consumeIdToken(db, person, token, server.clock + 60_000)).toEqual(refused);
  expect(await consumeIdToken(db, person, admin.stepUp!, server.clock)).toEqual(refused);
  expect(await mintIdToken(db, person, token, server.clock)).toEqual(refused);
  expect(code(await server.call('POST', '/api/claim/read', { body: { token } }))).toBe('claim/invalid');
  expect(await consumeIdToken(db, person, token, server.clock)).toEqual({ ok: true, value: true });
});

test('a session that has ended meanwhile gets neither a handle nor an ID token', async () => {
  const { db } = server.database;
  const admin = await signedIn();
  const gone = { ...(await personOf(admin)), sessionId: 'gone' };
  expect(await issueStepUp(db, gone, server.clock)).toBeUndefined();
  expect(await mintIdToken(db, gone, admin.stepUp!, server.clock)).toMatchObject({
    refusal: { code: 'session/required' },
  });
});
