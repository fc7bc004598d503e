// Shows T50.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { openDatabase } from '../database/open.ts';
import { responseKind, securityHeaders } from './headers.ts';
import { serveStatic } from './static-files.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "font-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; " +
  "object-src 'none'; require-trusted-types-for 'script'; trusted-types kc";

const policyOfWorkers = policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
const absent = ['x-powered-by', 'server', 'access-control-allow-origin', 'strict-transport-security'];

const plain = { https: false, hstsSubdomains: false, popups: false };

test.each([
  ['/', 'document'],
  ['/admin/upload/1', 'document'],
  ['/assets/index-abc.js', 'asset'],
  ['/assets/check-worker-abc.js', 'worker'],
  ['/theme.js', 'asset'],
  ['/api/session', 'api'],
  ['/api/google/start', 'callback'],
  ['/api/google/callback', 'callback'],
  ['/api/google/callback/x', 'api'],
  ['/google-callback.js', 'asset'],
  ['/healthz', 'api'],
  ['/api/visualizations/1/slice', 'api'],
  ['/api/visualizations/1/original', 'api'],
  ['/api/avatars/1', 'picture'],
] as const)('%s is answered as %s', (path, kind) => expect(responseKind(path)).toBe(kind));

test('SEC-10 the policy of each kind of response, word for word', () => {
  const of = (kind: Parameters<typeof securityHeaders>[0]) => securityHeaders(kind, plain)['Content-Security-Policy'];
  expect(of('document')).toBe(policy);
  expect(of('callback')).toBe(policy);
  expect(of('asset'), 'that of the page that loads it counts').toBeUndefined();
  expect(of('api')).toBe(policy);
  expect(of('worker')).toBe(policyOfWorkers);
  expect(of('picture')).toBe(`${policy}; sandbox`);
  expect(of('file')).toBe(`${policy}; sandbox`);
});

test('SEC-10 https is remembered for a year, for subdomains only if configured', () => {
  const told = (options: Partial<typeof plain>) =>
    securityHeaders('api', { ...plain, ...options })['Strict-Transport-Security'];
  expect(told({ https: true })).toBe('max-age=31536000');
  expect(told({ https: true, hstsSubdomains: true })).toBe('max-age=31536000; includeSubDomains');
  expect(told({})).toBeUndefined();
});

test.each([
  [{}, 'max-age=31536000'],
  [{ HSTS_SUBDOMAINS: 'on' }, 'max-age=31536000; includeSubDomains'],
])('a server over https with %j sends %s', async (environment, told) => {
  const server = await testServer({ BASE_URL: 'https://kc.example.com', ...environment });
  const { headers } = await server.call('GET', '/healthz');
  expect(headers['strict-transport-security']).toBe(told);
  await server.close();
});

test('S16 only with Google may a page open a popup that reports back, and only the callback page keeps its opener', () => {
  const kinds = ['document', 'callback', 'worker', 'asset', 'api', 'picture', 'file'] as const;
  const openers = (popups: boolean) =>
    kinds.map((kind) => securityHeaders(kind, { ...plain, popups })['Cross-Origin-Opener-Policy']);
  const rest = Array(5).fill('same-origin');
  expect(openers(true)).toEqual(['same-origin-allow-popups', 'unsafe-none', ...rest]);
  expect(openers(false)).toEqual(['same-origin', 'same-origin', ...rest]);
});

const folder = mkdtempSync(join(tmpdir(), 'kc-bundle-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
writeFileSync(join(folder, '.sources'), 'hash');
for (const name of ['index-abc.js', 'check-worker-abc.js']) writeFileSync(join(folder, 'assets', name), 'export {}');

describe('SEC-10 every response has the security headers', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({}, { webFolder: folder });
  });
  afterAll(() => server.close());

  test.each([
    ['GET', '/api/session', 200],
    ['GET', '/api/users', 401],
    ['GET', '/api/nothing', 404],
    ['GET', '/api/visualizations/%E0%A4%A', 401],
    ['GET', '/api/%', 404],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['POST', '/api/session', 422],
  ])('%s %s', async (method, path, status) => {
    const { headers, statusCode } = await server.call(method, path, method === 'POST' ? { body: {} } : {});
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Cookie',
    });
    for (const name of [...absent, 'permissions-policy']) expect(headers[name]).toBeUndefined();
  });

  test.each([
    ['/', 'text/html; charset=utf-8', policy],
    ['/login', 'text/html; charset=utf-8', policy],
    ['/admin', 'text/html; charset=utf-8', policy],
    ['/no/such/page', 'text/html; charset=utf-8', policy],
    ['/assets/index-abc.js', 'application/javascript; charset=utf-8', undefined],
    ['/assets/check-worker-abc.js', 'application/javascript; charset=utf-8', policyOfWorkers],
  ])('the file of %s', async (path, type, expected) => {
    const { headers, statusCode } = await server.call('GET', path);
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toBe(expected);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-type': type,
    });
    if (type.startsWith('text/html')) expect(headers['permissions-policy']).toMatch(/camera=\(\).*microphone=\(\)/);
    else expect(headers['permissions-policy']).toBeUndefined();
    for (const name of absent) expect(headers[name]).toBeUndefined();
  });

  // Shows P26.3.
  test('S14 SEC-25 a fault returns only an ID, which is in the log, and no internals', async () => {
    const { cookie } = await server.person({ role: 'admin' });
    const owner = openDatabase(server.database.owner, () => undefined, 1);
    await owner.schema.alterTable('event_streams').renameTo('gone').execute();
    await owner.destroy();
    const answer = await server.call('GET', '/api/users', { cookie });
    expect(answer.statusCode).toBe(500);
    expect(Object.keys(answer.json().data)).toEqual(['code', 'params']);
    expect(answer.json().data.code).toBe('fault/internal');
    const { id } = answer.json().data.params;
    expect(answer.headers['x-request-id']).toBe(id);
    expect(server.logged.join('')).toContain(id);
    expect(answer.body).not.toMatch(/select|accounts|stack|\.ts/);
  });
});

describe('the bundle', () => {
  const app = Fastify();
  beforeAll(() => serveStatic(app, folder));
  afterAll(() => app.close());

  test.each([
    ['/', 200, 'no-cache'],
    ['/admin', 200, 'no-cache'],
    ['/assets/index-abc.js', 200, 'public, max-age=31536000, immutable'],
    ['/assets/index-old.js', 404, 'no-store'],
    ['/api/nothing', 404, 'no-store'],
    ['/.sources', 404, 'no-store'],
    ['/assets/../../package.json', 404, 'no-store'],
  ])('%s responds with %i, %s', async (url, status, cache) => {
    const answer = await app.inject({ url });
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([status, cache]);
  });
});
