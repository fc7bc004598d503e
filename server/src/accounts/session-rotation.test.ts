import type { Response } from 'light-my-request';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, type TestServer, testServer } from '../../test/support/server.ts';

const graceMs = 30_000;
let server: TestServer;
let admin: { id: string; cookie: string };
beforeAll(async () => {
  server = await testServer();
  admin = await server.person({ role: 'admin' });
});
afterAll(() => server.close());

const setRole = (id: string, role: 'admin' | 'user') =>
  server.call('PUT', `/api/users/${id}/role`, { body: { role }, cookie: admin.cookie });
const session = (cookie: string) => server.call('GET', '/api/session', { cookie });
const isIn = async (cookie: string) => (await session(cookie)).json().isAuthenticated;
const renewed = (answer: Response) => answer.headers['set-cookie'] !== undefined;

/** A user who was just promoted and has sent no request since. */
async function promoted() {
  const person = await server.person({});
  expect((await setRole(person.id, 'admin')).statusCode).toBe(200);
  return person;
}

test('T9 the next request after a change of role gets a new token, once; the old one is invalid after a grace period', async () => {
  const { cookie } = await promoted();
  const first = await session(cookie);
  expect(first.json()).toMatchObject({ isAuthenticated: true, isAdmin: true });
  const fresh = cookieOf(first);
  expect(fresh).toMatch(/^kc_session=[\w-]{43}$/);
  expect(fresh).not.toBe(cookie);
  for (const held of [fresh, cookie]) {
    const again = await session(held);
    expect([again.json().isAuthenticated, renewed(again)]).toEqual([true, false]);
  }
  server.clock += graceMs;
  expect([await isIn(cookie), await isIn(fresh)]).toEqual([false, true]);
  expect((await server.call('GET', '/api/users', { cookie })).json().data.code).toBe('session/required');
});

test('T9 of twenty simultaneous requests of a page all succeed and one returns the new token', async () => {
  const { cookie } = await promoted();
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.call('GET', '/api/users', { cookie })));
  expect(answers.map((answer) => answer.statusCode)).toEqual(Array(20).fill(200));
  const fresh = answers.filter(renewed).map(cookieOf);
  expect(fresh).toHaveLength(1);
  expect((await server.call('GET', '/api/users', { cookie: fresh[0]! })).statusCode).toBe(200);
});

test('T9 a cookie that was set beforehand never becomes valid', async () => {
  const { id, email } = await server.person({ role: 'admin' });
  const planted = `kc_session=${'p'.repeat(43)}`;
  const password = 'tulip-Harbor-9';
  const made = await server.call('POST', '/api/users', {
    body: { email: `by-${email}`, password, role: 'user' },
    cookie: admin.cookie,
  });
  const body = { email: `by-${email}`, password, remember: false };
  const own = cookieOf(await server.call('POST', '/api/session', { body, cookie: planted }));
  expect(own).not.toBe(planted);
  for (const target of [id, made.json().id]) {
    await setRole(target, 'user');
    await setRole(target, 'admin');
    expect(await isIn(planted)).toBe(false);
  }
  await session(own);
  expect(renewed(await session(planted))).toBe(false);
  expect(await isIn(planted)).toBe(false);
});

test('a demoted admin’s rights are gone at once, with the old token and with the new one', async () => {
  const person = await server.person({ role: 'admin' });
  await setRole(person.id, 'user');
  const refused = await server.call('GET', '/api/users', { cookie: person.cookie });
  expect([refused.statusCode, refused.json().data.code]).toEqual([403, 'admin/only']);
  for (const cookie of [cookieOf(refused), person.cookie]) {
    expect((await server.call('GET', '/api/users', { cookie })).statusCode).toBe(403);
  }
});

test('only a change of role requires a new token', async () => {
  const person = await server.person({ status: 'pending' });
  await server.call('PUT', `/api/users/${person.id}/status`, { body: { status: 'approved' }, cookie: admin.cookie });
  await setRole(person.id, 'user');
  expect(renewed(await session(person.cookie))).toBe(false);
});

test('each browser of a user gets its own token, and a second change another one', async () => {
  const { id, cookie } = await promoted();
  const fresh = cookieOf(await session(cookie));
  await setRole(id, 'user');
  // A request with the token before the last one gets no new token: the browser already has a newer one.
  expect(renewed(await session(cookie))).toBe(false);
  const next = cookieOf(await session(fresh));
  expect(new Set([cookie, fresh, next]).size).toBe(3);
  expect([await isIn(cookie), await isIn(fresh), await isIn(next)]).toEqual([false, true, true]);
});

test('signing out with the previous token ends the session', async () => {
  const { cookie } = await promoted();
  const fresh = cookieOf(await session(cookie));
  await server.call('DELETE', '/api/session', { cookie });
  expect([await isIn(cookie), await isIn(fresh)]).toEqual([false, false]);
});

test('the request that gets the new token can be a sign-out', async () => {
  const { cookie } = await promoted();
  const answer = await server.call('DELETE', '/api/session', { cookie });
  const cookies = [answer.headers['set-cookie']].flat();
  // Browsers keep the last cookie, which is the one that clears.
  expect(cookies.at(-1)).toContain('Max-Age=0');
  expect(await isIn(cookie)).toBe(false);
  expect(await isIn(String(cookies[0]).split(';')[0]!)).toBe(false);
});

test('the response to an upload has the new token, and so does the event stream, which outlives the old one', async () => {
  const [uploader, watcher] = [await promoted(), await promoted()];
  const head = await server.call('HEAD', '/api/uploads/0', { cookie: uploader.cookie });
  expect([head.statusCode, renewed(head)]).toEqual([404, true]);

  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const stream = await fetch(`${address}/api/events`, { headers: { cookie: watcher.cookie } });
  const fresh = stream.headers.get('set-cookie')!.split(';')[0]!;
  server.clock += graceMs;
  expect([await isIn(watcher.cookie), await isIn(fresh)]).toEqual([false, true]);
  await setRole(watcher.id, 'user');
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  while (!heard.includes('event: session')) {
    const { value, done } = await reader.read();
    expect(done).toBe(false);
    heard += value;
  }
  await reader.cancel();
});
