import { toRefusal } from '@kc/rules/result';
import { expect, test } from 'vitest';
import { type Calls, functionsOf } from './calls.ts';

const calls = {
  session: { get: 'GET /session', signOut: 'DELETE /session' },
  accounts: { setStatus: 'PUT /users/{id}/status' },
  nodes: { search: 'GET /visualizations/{id}/search' },
} satisfies Calls;

/** The calls against a server that gives them all the same response, and the requests it received. */
function before(status: number, body: string) {
  const sent: { url: string; init: RequestInit | undefined }[] = [];
  const send: typeof fetch = async (url, init) => {
    sent.push({ url: String(url), init });
    return new Response(body, { status });
  };
  return { sent, functions: functionsOf(calls, '/api', send) };
}

test('a call without input is a method and a path', async () => {
  const { sent, functions } = before(200, '{"isAuthenticated":false}');
  await expect(functions.session.get()).resolves.toEqual({ isAuthenticated: false });
  await functions.session.signOut();
  expect(sent.map(({ url, init }) => [init?.method, url, init?.body])).toEqual([
    ['GET', '/api/session', undefined],
    ['DELETE', '/api/session', undefined],
  ]);
});

test('path parameters go into the path, the rest into the query of a GET; undefined values are omitted', async () => {
  const { sent, functions } = before(200, '[]');
  await functions.nodes.search({ id: 'a/b', q: 'tea & cake', skip: 0, under: undefined });
  expect(sent[0]?.url).toBe('/api/visualizations/a%2Fb/search?q=tea+%26+cake&skip=0');
  expect(sent[0]?.init?.body).toBeUndefined();
});

test('for other methods the rest is sent as a JSON body', async () => {
  const { sent, functions } = before(200, '');
  await expect(functions.accounts.setStatus({ id: '7', status: 'denied' })).resolves.toBeUndefined();
  expect(sent[0]).toMatchObject({
    url: '/api/users/7/status',
    init: { method: 'PUT', body: '{"status":"denied"}', headers: { 'content-type': 'application/json' } },
  });
});

test('a refusal is thrown with the code and parameters from the server', async () => {
  const { functions } = before(403, '{"code":"REFUSED","status":403,"data":{"code":"admin/only"}}');
  expect(await functions.session.get().catch(toRefusal)).toEqual({ code: 'admin/only' });
});

test.each(['<h1>Bad gateway</h1>', '', '{}', 'null'])('an unknown response counts as unavailable: %s', async (body) => {
  const { functions } = before(502, body);
  expect(await functions.session.get().catch(toRefusal)).toEqual({ code: 'fault/unavailable' });
});

test('a request without a response is offline, and an aborted request is not sent', async () => {
  const functions = functionsOf(calls, 'http://127.0.0.1:1', fetch);
  expect(await functions.session.get().catch(toRefusal)).toEqual({ code: 'fault/offline' });
  await expect(functions.session.get({}, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});
