import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { googleCallback } from '@kc/rules/google';
import { base64url, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBrowser, outcome, type TestBrowser } from '../../../test/support/google.ts';
import { type TestServer, testServer } from '../../../test/support/server.ts';
import { openDatabase } from '../../database/open.ts';

/** An issuer whose responses each test chooses. */
type ForgedIssuer = {
  readonly url: string;
  /** Makes the ID token from the correct claims. */
  token: (claims: JWTPayload) => Promise<string> | string;
  /** Members that its documents have in addition to the usual ones. */
  metadata: Record<string, unknown>;
  keys: unknown;
  userInfo: Record<string, unknown> | undefined;
  /** Responses of the token endpoint other than a token. */
  failing: { readonly status: number; readonly body: string } | undefined;
  readonly nonces: Map<string, string>;
};

const client = { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' };
const right = await generateKeyPair('RS256', { extractable: true });
const wrong = await generateKeyPair('RS256', { extractable: true });
const rightKeys = { keys: [{ ...(await exportJWK(right.publicKey)), kid: 'right', alg: 'RS256', use: 'sig' }] };

const sign = (claims: JWTPayload, header: { alg?: string; kid?: string } = {}, key = right.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'right', ...header }).sign(key);

let issuer: ForgedIssuer;
let server: TestServer;
let stop: () => void;
beforeAll(async () => {
  const forged = createServer(async (request, response) => {
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url!, issuer.url);
    if (pathname === '/.well-known/openid-configuration') {
      return json({
        issuer: issuer.url,
        authorization_endpoint: `${issuer.url}/auth`,
        token_endpoint: `${issuer.url}/token`,
        jwks_uri: `${issuer.url}/jwks`,
        userinfo_endpoint: `${issuer.url}/me`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        ...issuer.metadata,
      });
    }
    if (pathname === '/jwks') return issuer.keys ? json(issuer.keys) : json({ error: 'away' }, 503);
    if (pathname === '/me') return json(issuer.userInfo ?? {});
    if (issuer.failing) return response.writeHead(issuer.failing.status).end(issuer.failing.body);
    const code = new URLSearchParams(await text(request)).get('code')!;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer.url,
      sub: code,
      aud: client.GOOGLE_CLIENT_ID,
      nonce: issuer.nonces.get(code),
      iat: now,
      exp: now + 300,
      email: `${code}@trusted.example`,
      email_verified: true,
    };
    return json({ access_token: 'access', token_type: 'Bearer', id_token: await issuer.token(claims) });
  });
  await new Promise<void>((resolve) => forged.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(forged.address() as AddressInfo).port}`;
  stop = () => {
    forged.close();
    forged.closeAllConnections();
  };
  issuer = {
    url,
    token: sign,
    metadata: {},
    keys: rightKeys,
    userInfo: undefined,
    failing: undefined,
    nonces: new Map(),
  };
});
afterAll(() => stop());
beforeAll(startServer);
beforeEach(() => {
  Object.assign(issuer, { token: sign, metadata: {}, keys: rightKeys, userInfo: undefined, failing: undefined });
});
afterAll(() => server.close());

/** A new server, for tests of what a server caches about its issuer. */
async function startServer(): Promise<void> {
  await server?.close();
  server = await testServer({ ...client, GOOGLE_ISSUER: issuer.url, OIDC_TRUSTED_DOMAINS: 'trusted.example' });
}

let codes = 0;
/** Requests the callback as the browser does when the issuer redirects it back with a code. */
async function arrive(
  browser: TestBrowser = createBrowser(server, { visit: async () => '' }),
  query: Readonly<Record<string, string>> = {},
  code = `code-${codes++}`,
) {
  const { searchParams } = new URL(await browser.start(query));
  issuer.nonces.set(code, searchParams.get('nonce')!);
  const back = new URLSearchParams({ code, state: searchParams.get('state')! });
  const answer = await browser.open(`${googleCallback}?${back}`);
  const { isAuthenticated } = await browser.session();
  return { code, how: outcome(answer), isAuthenticated, status: answer.statusCode };
}

test('a valid token signs in', async () => {
  expect(await arrive()).toMatchObject({ how: 'done', isAuthenticated: true });
});

describe('T18 nobody is signed in by a token', () => {
  const unsigned = (claims: JWTPayload, alg = 'none') =>
    `${base64url.encode(JSON.stringify({ alg }))}.${base64url.encode(JSON.stringify(claims))}.`;
  const cases: Record<string, ForgedIssuer['token']> = {
    'with another nonce': (claims) => sign({ ...claims, nonce: 'another' }),
    'without a nonce': ({ nonce: _nonce, ...claims }) => sign(claims),
    'for another client': (claims) => sign({ ...claims, aud: 'another' }),
    'for several clients, on behalf of another': (claims) => sign({ ...claims, aud: ['client', 'b'], azp: 'b' }),
    'of another issuer': (claims) => sign({ ...claims, iss: 'https://accounts.google.com' }),
    'that has ended': (claims) => sign({ ...claims, iat: 1, exp: 2 }),
    'that never ends': ({ exp: _exp, ...claims }) => sign(claims),
    'that begins tomorrow': (claims) => sign({ ...claims, nbf: Math.floor(Date.now() / 1000) + 86_400 }),
    'that is not signed': (claims) => unsigned(claims),
    'that is not signed, in capitals': (claims) => unsigned(claims, 'NONE'),
    'signed by another key': (claims) => sign(claims, {}, wrong.privateKey),
    'signed by a key that nobody knows': (claims) => sign(claims, { kid: 'unknown' }, wrong.privateKey),
    'signed with the public key as a secret': async (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'right' })
        .sign(new TextEncoder().encode(await exportSPKI(right.publicKey))),
    'signed with the client secret': (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('secret')),
    'changed after it was signed': async (claims) => {
      const [header, , signature] = (await sign(claims)).split('.');
      return `${header}.${base64url.encode(JSON.stringify({ ...claims, sub: 'somebody else' }))}.${signature}`;
    },
    'that is none': () => 'not a token',
    'without a subject': ({ sub: _sub, ...claims }) => sign(claims),
    'with a subject of 256 characters': (claims) => sign({ ...claims, sub: 'x'.repeat(256) }),
    'with NUL in its subject': (claims) => sign({ ...claims, sub: 'a\u0000b' }),
  };
  test.each(Object.keys(cases))('%s', async (name) => {
    const accounts = () => server.database.db.selectFrom('accounts').select('id').execute();
    const before = await accounts();
    issuer.token = cases[name]!;
    expect(await arrive()).toMatchObject({ how: 'google/failed', isAuthenticated: false, status: 302 });
    expect(await accounts()).toEqual(before);
    // Every JWT begins with this.
    expect(server.logged.join('')).not.toContain('eyJ');
  });

  test('unsigned or signed with a secret, though the issuer’s own document allows that', async () => {
    await startServer();
    issuer.metadata = { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] };
    for (const name of [
      'that is not signed',
      'signed with the public key as a secret',
      'signed with the client secret',
    ]) {
      issuer.token = cases[name]!;
      expect(await arrive()).toMatchObject({ how: 'google/failed', isAuthenticated: false });
    }
  });
});

describe('T18 nobody is signed in, and nothing breaks, when the issuer', () => {
  const refused = { how: 'google/failed', isAuthenticated: false, status: 302 };

  test('does not publish its keys, and sign-in works once it does', async () => {
    await startServer();
    issuer.keys = undefined;
    expect(await arrive()).toMatchObject(refused);
    issuer.keys = rightKeys;
    expect(await arrive()).toMatchObject({ how: 'done' });
  });
  test.each([
    { status: 500, body: 'oops' },
    { status: 200, body: '<html>' },
    { status: 400, body: '{"error":"invalid_grant"}' },
    { status: 302, body: '' },
  ])('responds to a code with $status $body', async (failing) => {
    issuer.failing = failing;
    expect(await arrive()).toMatchObject(refused);
  });
  test('claims to be another one', async () => {
    await startServer();
    issuer.metadata = { issuer: 'https://accounts.google.com' };
    const answer = await createBrowser(server, { visit: async () => '' }).start();
    expect(answer).toBe('/login?google=google%2Ffailed');
  });
});

describe('an issuer that changes its keys', () => {
  const keysOf = async (kid: string, pair: typeof right) => ({
    keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' }],
  });

  test('signs people in with the new ones at once, however fresh the old ones are', async () => {
    await startServer();
    for (const kid of ['first', 'second', 'third']) {
      const pair = await generateKeyPair('RS256', { extractable: true });
      issuer.keys = await keysOf(kid, pair);
      issuer.token = (claims) => sign(claims, { kid }, pair.privateKey);
      expect(await arrive(), kid).toMatchObject({ how: 'done', isAuthenticated: true });
      expect(await arrive(), kid).toMatchObject({ how: 'done', isAuthenticated: true });
    }
  });

  test('is asked for them once while they are valid, and an unknown key locks nobody else out', async () => {
    await startServer();
    const asked = vi.spyOn(globalThis, 'fetch');
    const timesAsked = () => asked.mock.calls.filter(([url]) => String(url).endsWith('/jwks')).length;
    for (let n = 0; n < 3; n++) expect(await arrive()).toMatchObject({ how: 'done' });
    expect(timesAsked()).toBe(1);
    issuer.token = (claims) => sign(claims, { kid: 'unknown' }, wrong.privateKey);
    expect(await arrive()).toMatchObject({ how: 'google/failed' });
    expect(timesAsked()).toBe(2);
    issuer.token = sign;
    expect(await arrive()).toMatchObject({ how: 'done' });
    expect(timesAsked()).toBe(2);
  });
});

describe('a request to the issuer', () => {
  test('times out after three seconds', async () => {
    await startServer();
    const asked = vi.spyOn(globalThis, 'fetch');
    const limits = vi.spyOn(AbortSignal, 'timeout');
    issuer.token = ({ email: _email, ...claims }) => sign(claims);
    issuer.userInfo = { sub: `code-${codes}`, email: 'timed@trusted.example', email_verified: true };
    expect(await arrive()).toMatchObject({ how: 'done' });
    const paths = asked.mock.calls.map(([url]) => new URL(String(url)).pathname);
    expect(paths).toEqual(['/.well-known/openid-configuration', '/token', '/jwks', '/me']);
    for (const [, options] of asked.mock.calls) expect(options?.signal).toBeInstanceOf(AbortSignal);
    expect(new Set(limits.mock.calls.flat())).toEqual(new Set([3_000]));
  });

  test('signs nobody in with a response larger than a megabyte', async () => {
    const padded = (claims: JWTPayload, bytes: number) => sign({ ...claims, padding: 'x'.repeat(bytes) });
    issuer.token = (claims) => padded(claims, 600_000);
    expect(await arrive()).toMatchObject({ how: 'done', isAuthenticated: true });
    issuer.token = (claims) => padded(claims, 800_000);
    expect(await arrive()).toMatchObject({ how: 'google/failed', isAuthenticated: false, status: 302 });
  });
});

test('T23 only one callback counts, even if the issuer accepts a code repeatedly', async () => {
  const browser = createBrowser(server, { visit: async () => '' });
  const { searchParams } = new URL(await browser.start());
  const code = `code-${codes++}`;
  issuer.nonces.set(code, searchParams.get('nonce')!);
  const url = `${googleCallback}?${new URLSearchParams({ code, state: searchParams.get('state')! })}`;
  const headers = { cookie: browser.cookie() };
  const open = async () => outcome(await server.app.inject({ url, headers }));
  const ends = [...(await Promise.all(Array.from({ length: 8 }, open))), await open()];
  expect(ends.filter((end) => end === 'done')).toHaveLength(1);
  const identity = server.database.db.selectFrom('identities').select('account_id').where('sub', '=', code);
  const { account_id } = await identity.executeTakeFirstOrThrow();
  const sessions = server.database.db.selectFrom('sessions').select('id').where('account_id', '=', account_id);
  expect(await sessions.execute()).toHaveLength(1);
});

test('an issuer that returns the email only from the userinfo endpoint is asked there', async () => {
  issuer.token = ({ email: _email, email_verified: _verified, ...claims }) => sign(claims);
  issuer.userInfo = { sub: `code-${codes}`, email: 'asked@trusted.example', email_verified: true };
  expect(await arrive()).toMatchObject({ how: 'done' });
  const account = server.database.db.selectFrom('accounts').selectAll().where('email', '=', 'asked@trusted.example');
  expect((await account.executeTakeFirstOrThrow()).email_proven_at).not.toBeNull();
});

test('SEC-55 groups that only the userinfo endpoint names count, also if the token has an empty list of them', async () => {
  const own = await testServer({ ...client, GOOGLE_ISSUER: issuer.url, OIDC_ADMIN_GROUPS: 'leads' });
  issuer.token = (claims) => sign({ ...claims, groups: [] });
  issuer.userInfo = { sub: `code-${codes}`, groups: ['leads'] };
  const browser = createBrowser(own, { visit: async () => '' });
  expect(await arrive(browser)).toMatchObject({ how: 'done' });
  expect(await browser.session()).toMatchObject({ isAdmin: true });
  await own.close();
});

test('an issuer that returns another user there signs nobody in', async () => {
  issuer.token = ({ email: _email, ...claims }) => sign(claims);
  issuer.userInfo = { sub: 'somebody else', email: 'victim@trusted.example', email_verified: true };
  expect(await arrive()).toMatchObject({ how: 'google/failed', isAuthenticated: false });
});

describe('S6 proving the identity again', () => {
  /** An admin signs in with the issuer, then proves the identity again. @param authTime the claim of that proof */
  async function again(authTime: (now: number) => unknown) {
    const { db } = server.database;
    await db.deleteFrom('rate_limits').execute();
    const browser = createBrowser(server, { visit: async () => '' });
    const { code } = await arrive(browser);
    const admin = { role: 'admin', status: 'approved' } as const;
    await db.updateTable('accounts').set(admin).where('email', '=', `${code}@trusted.example`).execute();
    const now = Math.floor(server.clock / 1000);
    issuer.token = (claims) => sign({ ...claims, auth_time: authTime(now) } as JWTPayload);
    return (await arrive(browser, { purpose: 'step-up' }, code)).how;
  }

  test.each<[string, (now: number) => unknown]>([
    ['now', (now) => now],
    ['a moment ago by a clock that is behind', (now) => now - 25],
  ])('counts if the issuer reports a sign-in %s', async (_when, authTime) => {
    expect(await again(authTime)).toBe('done');
  });

  test.each<[string, (now: number) => unknown]>([
    ['a minute ago', (now) => now - 60],
    ['yesterday', (now) => now - 86_400],
    ['as a text', (now) => String(now)],
    ['never', () => undefined],
    ['null', () => null],
  ])('does not count if the issuer reports a sign-in %s', async (_when, authTime) => {
    expect(await again(authTime)).toBe('google/failed');
  });
});

test('a database failure is reported as such, with an ID in the log', async () => {
  const owner = openDatabase(server.database.owner, () => undefined, 1);
  await owner.schema.alterTable('identities').renameTo('gone').execute();
  await owner.destroy();
  expect(await arrive()).toMatchObject({ how: 'google/profile-failed', isAuthenticated: false, status: 302 });
  expect(server.logged.join('')).toContain('A request failed');
});
