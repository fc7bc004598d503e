import { contract, rawRoutes, type Who } from '@kc/rules/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from './testing-server.ts';

type Route = { method: string; path: string; who: Who };

/** Every call of the contract and every raw one. */
const routes: Route[] = [
  ...Object.values(contract).flatMap((group) =>
    Object.values(group).map(({ '~orpc': { route, meta } }) => ({
      method: route.method ?? 'POST',
      path: `/api${route.path}`,
      who: meta.who,
    })),
  ),
  ...rawRoutes,
];

const actors = ['anonymous', 'forged', 'pending', 'denied', 'denied admin', 'approved', 'admin'] as const;
type Actor = (typeof actors)[number];

/** The refusal an actor meets at the door, or `undefined` where the door is open. */
function expected(who: Who, actor: Actor): string | undefined {
  if (who === 'anyone' || actor === 'admin') return undefined;
  if (actor === 'anonymous' || actor === 'forged') return 'session/required';
  if (who === 'signed-in') return undefined;
  if (who === 'admin') return 'admin/only';
  return actor === 'approved' ? undefined : 'session/not-approved';
}

const doorCodes = new Set(['session/required', 'session/not-approved', 'admin/only']);

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** A session of its own for each call: one of them is signing out. */
async function cookieFor(actor: Actor): Promise<string | undefined> {
  if (actor === 'anonymous') return undefined;
  if (actor === 'forged') return `__Host-kc_session=${'x'.repeat(43)}`;
  const role = actor.includes('admin') ? 'admin' : 'user';
  const status = actor === 'pending' ? 'pending' : actor.startsWith('denied') ? 'denied' : 'approved';
  return (await server.person({ role, status })).cookie;
}

describe.each(routes.filter(({ path }) => path !== '/api/events'))('SEC-02 $method $path for $who', (route) => {
  test.each(actors)('%s', async (actor) => {
    const path = route.path.replace(/\{\w+\}/g, '0');
    const answer = await server.call(route.method, path, { cookie: await cookieFor(actor) });
    const refusal =
      String(answer.headers['content-type']).includes('json') && answer.body ? answer.json().data?.code : '';
    const wanted = expected(route.who, actor);
    if (route.method === 'HEAD' && wanted) expect(answer.statusCode).toBe(wanted === 'session/required' ? 401 : 403);
    else if (wanted) expect(refusal).toBe(wanted);
    else expect(doorCodes.has(refusal)).toBe(false);
    expect(answer.statusCode).toBeLessThan(500);
  });
});

test.each(actors.filter((actor) => expected('signed-in', actor)))('SEC-02 no event stream for %s', async (actor) => {
  const answer = await server.call('GET', '/api/events', { cookie: await cookieFor(actor) });
  expect(answer.json().data.code).toBe('session/required');
});

test('SEC-01 the server answers on no path that is not listed', async () => {
  const cookie = await cookieFor('admin');
  for (const path of [
    '/api',
    '/api/metrics',
    '/api/users/x',
    '/metrics',
    '/.git/config',
    '/package.json',
    '/api/Session',
  ]) {
    expect((await server.call('GET', path, { cookie })).statusCode, path).toBe(404);
  }
});

const unsafe = routes.filter(({ method }) => !['GET', 'HEAD'].includes(method));
const attacks: Record<string, Record<string, string>> = {
  'no origin, cross-site': { 'sec-fetch-site': 'cross-site' },
  'another origin': { origin: 'https://evil.example' },
  'origin null': { origin: 'null' },
  'same-site sibling': { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
  'another port': { origin: 'http://localhost:9' },
  'cross-site with a form': { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
};

describe.each(unsafe)('SEC-09 $method $path', (route) => {
  const path = route.path.replace(/\{\w+\}/g, '0');
  test.each(Object.keys(attacks))('%s is refused', async (attack) => {
    const headers = { ...attacks[attack], cookie: (await cookieFor('admin'))! };
    const answer = await server.app.inject({ method: route.method as 'POST', url: path, headers });
    expect([answer.statusCode, answer.json().data.code]).toEqual([403, 'request/cross-site']);
  });
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'SEC-09 %s is no body of a call, not even from this site',
  async (type) => {
    const headers = { origin: 'http://localhost:3000', 'content-type': type };
    const answer = await server.app.inject({ method: 'POST', url: '/api/sign-up', headers, payload: '{}' });
    expect(answer.statusCode).toBe(415);
  },
);

test('SEC-09 both names of the loopback are this site', async () => {
  for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000']) {
    const answer = await server.app.inject({ method: 'DELETE', url: '/api/session', headers: { origin } });
    expect(answer.statusCode).toBe(200);
  }
});
