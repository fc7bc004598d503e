// Shows SEC-57.

import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { untilOneWaits } from '../../test/support/database.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { inTransaction } from '../database/open.ts';
import { forgetEnded } from '../forget-ended.ts';
import { admitToken, readTokenAgain } from './access-tokens.ts';

const server: TestServer = await testServer();
const { db } = server.database;
const start = server.clock;
const day = 86_400_000;
type Person = Awaited<ReturnType<TestServer['person']>>;
let ann: Person;

beforeEach(async () => {
  server.clock = start;
  await db.deleteFrom('rate_limits').execute();
  ann = await server.person({});
});
afterAll(() => server.close());

const ask = { name: ' Monthly  import ', scopes: ['read', 'import'], expiresAt: start + 30 * day };
const make = (body: object = ask, { cookie } = ann) => server.call('POST', '/api/access-tokens', { body, cookie });
const codeOf = (answer: { body: string }) => (JSON.parse(answer.body) as { data?: { code: string } }).data?.code;
const withToken = (
  token: string,
  url = '/api/visualizations',
  headers: Record<string, string> = {},
  from = '10.0.0.1',
) =>
  server.app.inject({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    remoteAddress: from,
  });
const logged = async (action: string) =>
  (await db.selectFrom('audit_log').selectAll().where('actor', '=', ann.id).orderBy('id').execute()).filter(
    (line) => line.action === action,
  );

// Shows P27.1.
test('a token is shown once, stored as its hash, and listed without itself', async () => {
  const answer = await make();
  expect(answer.statusCode).toBe(200);
  const made = answer.json() as { id: string; token: string; name: string };
  expect(made).toMatchObject({ name: 'Monthly import', scopes: ['read', 'import'], expiresAt: start + 30 * day });
  expect(made.token).toMatch(/^kc_[\w-]{43}$/);
  const listed = await server.call('GET', '/api/access-tokens', { cookie: ann.cookie });
  expect(listed.json()).toEqual([expect.objectContaining({ id: made.id, createdAt: start })]);
  const stored = await db.selectFrom('access_tokens').selectAll().where('id', '=', made.id).execute();
  expect(listed.body + JSON.stringify(stored)).not.toContain(made.token);
  expect((await withToken(made.token)).statusCode).toBe(200);
});

test.each([
  [{ name: '  ' }, 'token/unnamed'],
  [{ expiresAt: start }, 'token/ended-before'],
  [{ expiresAt: start + 367 * day }, 'token/too-long'],
  [{ scopes: [] }, 'request/invalid'],
  [{ scopes: ['write'] }, 'request/invalid'],
  [{ scopes: ['admin'] }, 'admin/only'],
  [{ visualizationId: '00000000-0000-4000-8000-000000000000' }, 'visualization/not-found'],
])('a token with %j is refused with %s', async (wrong, code) => {
  expect(codeOf(await make({ ...ask, ...wrong }))).toBe(code);
  expect(await logged('token')).toEqual([]);
});

test('an account has at most 50 tokens at a time; one that was revoked or has expired does not count', async () => {
  const given = Array.from({ length: limits.maxAccessTokens - 1 }, () => giveToken(server, ann.id));
  await Promise.all([...given, giveToken(server, ann.id, { revoked: true }), giveToken(server, ann.id, { lifeMs: 0 })]);
  const both = await Promise.all([make(), make()]);
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
});

test('no token is made for a session that has ended meanwhile', async () => {
  let making: ReturnType<typeof make>;
  await inTransaction(db, async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', ann.id).forUpdate().execute();
    making = make();
    void making.then(() => undefined);
    await untilOneWaits(db);
    await tx.deleteFrom('sessions').where('account_id', '=', ann.id).execute();
  });
  expect(codeOf(await making!)).toBe('session/required');
  expect(await logged('token')).toEqual([]);
});

// Shows P27.3.
test('a revoked token works nowhere any more, also for a call that has begun', async () => {
  const { id, token } = await giveToken(server, ann.id);
  expect((await withToken(token)).statusCode).toBe(200);
  expect(await readTokenAgain(db, id, server.clock)).toMatchObject({ account: { id: ann.id } });
  const revoked = await server.call('DELETE', `/api/access-tokens/${id}`, { cookie: ann.cookie });
  expect(revoked.statusCode).toBe(200);
  expect(codeOf(await withToken(token))).toBe('token/invalid');
  expect(await readTokenAgain(db, id, server.clock)).toBeUndefined();
  const again = await server.call('DELETE', `/api/access-tokens/${id}`, { cookie: ann.cookie });
  expect(codeOf(again)).toBe('token/not-found');
  expect(await logged('end-token')).toHaveLength(1);
});

// Shows P27.4.
test('administrators see and revoke the tokens of others; nobody else does', async () => {
  const { id, token } = await giveToken(server, ann.id);
  const [bob, admin] = [await server.person({}), await server.person({ role: 'admin' })];
  const end = ({ cookie }: Person) => server.call('DELETE', `/api/access-tokens/${id}`, { cookie });
  expect(codeOf(await end(bob))).toBe('token/not-found');
  const all = await server.call('GET', '/api/access-tokens/all', { cookie: admin.cookie });
  expect(all.json()).toContainEqual(expect.objectContaining({ id, owner: ann.email }));
  expect((await end(admin)).statusCode).toBe(200);
  expect(codeOf(await withToken(token))).toBe('token/invalid');
});

test.each([
  ['denied', { status: 'denied' as const }, 'session/not-approved'],
  ['merged into another account', { migrated_to: 'somebody' }, 'token/invalid'],
])('a token of an account that is %s is refused', async (_, changed, code) => {
  const { token } = await giveToken(server, ann.id);
  await db.updateTable('accounts').set(changed).where('id', '=', ann.id).execute();
  expect(codeOf(await withToken(token))).toBe(code);
});

test('an administrator who is none any more has no scope for it left', async () => {
  const admin = await server.person({ role: 'admin' });
  const { token } = await giveToken(server, admin.id, { scopes: ['admin'] });
  expect((await withToken(token, '/api/users')).statusCode).toBe(200);
  await db.updateTable('accounts').set({ role: 'user' }).where('id', '=', admin.id).execute();
  expect(codeOf(await withToken(token, '/api/users'))).toBe('admin/only');
});

// Shows P27.5.
test('no cookie is looked at when a token is sent, and none is set', async () => {
  const bob = await server.person({});
  const { token } = await giveToken(server, ann.id);
  await db.updateTable('sessions').set({ rotation_due: true }).where('account_id', '=', bob.id).execute();
  const answer = await withToken(token, '/api/session', { cookie: bob.cookie });
  expect(answer.json()).toMatchObject({ account: { id: ann.id } });
  // Bob's session is to get a new token with his next request, which this is not.
  expect(answer.headers['set-cookie']).toBeUndefined();
  for (const wrong of ['', 'x', `kc_${'a'.repeat(43)}`]) {
    expect(codeOf(await withToken(wrong, '/api/session', { cookie: bob.cookie }))).toBe('token/invalid');
  }
  const proxied = { authorization: 'Basic a2M6a2M=', cookie: bob.cookie };
  const basic = await server.app.inject({ method: 'GET', url: '/api/session', headers: proxied });
  expect(basic.json()).toMatchObject({ account: { id: bob.id } });
});

test('a program needs no header of a browser in order to change something', async () => {
  const { token } = await giveToken(server, ann.id, { scopes: ['plan'] });
  const asked = { method: 'POST', url: '/api/me/scores', payload: { name: 'a', score: 'branch.volume' } } as const;
  const headers = { authorization: `Bearer ${token}`, origin: 'https://elsewhere.example' };
  expect((await server.app.inject({ ...asked, headers })).statusCode).toBe(200);
  const withCookie = { cookie: ann.cookie, origin: 'https://elsewhere.example' };
  expect(codeOf(await server.app.inject({ ...asked, headers: withCookie }))).toBe('request/cross-site');
});

// Shows P27.6.
test('the log has the first use from each address, once even if many come at the same time', async () => {
  const { id, token } = await giveToken(server, ann.id);
  await Promise.all(Array.from({ length: 8 }, () => withToken(token)));
  await withToken(token, '/api/visualizations', {}, '10.9.0.1');
  await withToken(token);
  const lines = (await logged('token-address')).map(({ details }) => details);
  expect(lines.map(({ address, token: of }) => [address, of])).toEqual([
    ['10.0.0.1', id],
    ['10.9.0.1', id],
  ]);
});

test('the last use is listed', async () => {
  const { id, token } = await giveToken(server, ann.id);
  const lastUse = async () => {
    const listed = await server.call('GET', '/api/access-tokens', { cookie: ann.cookie });
    return (listed.json() as { id: string; lastUsedAt?: number }[]).find((one) => one.id === id)?.lastUsedAt;
  };
  expect(await lastUse()).toBeUndefined();
  await withToken(token);
  expect(await lastUse()).toBe(start);
  server.clock = start + 61_000;
  await withToken(token);
  expect(await lastUse()).toBe(start + 61_000);
});

test('a token makes 600 calls a minute, whatever others make', async () => {
  const [one, other] = [await giveToken(server, ann.id), await giveToken(server, ann.id)];
  const admit = (token: string) => admitToken(db, token, '10.0.0.1', server.clock);
  for (let call = 0; call < limits.tokenCallsPerMinute; call++) expect((await admit(one.token)).ok).toBe(true);
  expect(await admit(one.token)).toMatchObject({ refusal: { code: 'token/too-many', params: { seconds: 60 } } });
  expect((await admit(other.token)).ok).toBe(true);
  server.clock = start + 60_000;
  expect((await admit(one.token)).ok).toBe(true);
});

test('tokens that have ended are forgotten, others stay', async () => {
  await db.deleteFrom('access_tokens').execute();
  const living = await giveToken(server, ann.id);
  await giveToken(server, ann.id, { lifeMs: 1_000 });
  await giveToken(server, ann.id, { revoked: true });
  await forgetEnded(db, start + 1_001);
  const left = await db.selectFrom('access_tokens').select('id').execute();
  expect(left).toEqual([{ id: living.id }]);
});

test.each([
  ['token/invalid', {}, 'This access token is not valid: it was revoked, has expired, or never existed.'],
  ['token/never', {}, 'No access token can do this. Sign in with a browser.'],
  ['token/scope', { scope: 'plan' }, 'This access token lacks the scope “plan”.'],
  ['token/one-visualization', {}, 'This access token is for one visualization only.'],
])('programs are told with %s what to do', (code, params, text) => {
  expect(sayRefusal({ code, params })).toBe(text);
});
