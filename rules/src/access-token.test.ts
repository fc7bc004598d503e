import { describe, expect, test } from 'vitest';
import { bearerOf, checkExpiry, isAccessToken, type TokenScope, tokenAllows, tokenScopes } from './access-token.ts';
import { contract } from './api.ts';
import { rawRoutes, scopeOfRaw } from './raw-routes.ts';

const day = 86_400_000;

test('a token is recognised by its form', () => {
  expect(isAccessToken(`kc_${'a-_Z9'.repeat(8)}abc`)).toBe(true);
  for (const other of [
    '',
    'kc_',
    `kc_${'a'.repeat(42)}`,
    `kc_${'a'.repeat(44)}`,
    'a'.repeat(46),
    `kc_${'!'.repeat(43)}`,
  ]) {
    expect(isAccessToken(other), other).toBe(false);
  }
});

test.each([
  [undefined, undefined],
  ['Basic a2M6a2M=', undefined],
  ['Bearers x', undefined],
  ['Bearer x', 'x'],
  ['bearer   x y', 'x y'],
  ['Bearer', ''],
  ['Bearer ', ''],
])('the header %s shows the token %s', (header, token) => {
  expect(bearerOf(header)).toBe(token);
});

test.each([
  [-1, 'token/ended-before'],
  [0, 'token/ended-before'],
  [1, undefined],
  [366 * day, undefined],
  [366 * day + 1, 'token/too-long'],
])('a token that ends %d ms from now is refused with %s', (fromNow, code) => {
  const answer = checkExpiry(1_000_000 + fromNow, 1_000_000);
  expect(answer.ok ? undefined : answer.refusal.code).toBe(code);
});

describe('a token makes the calls of its scopes', () => {
  const read = { scopes: ['read'], visualizationId: undefined } as const;
  test('and no others', () => {
    expect(tokenAllows(read, { scope: 'read', path: '/visualizations' }).ok).toBe(true);
    expect(tokenAllows(read, { scope: 'plan', path: '/visualizations' })).toMatchObject({
      refusal: { code: 'token/scope', params: { scope: 'plan' } },
    });
    expect(tokenAllows({ ...read, scopes: tokenScopes }, { scope: undefined, path: '/claim' })).toMatchObject({
      refusal: { code: 'token/never' },
    });
  });
  test('for one visualization: only about one, or those that list it', () => {
    const one = { ...read, visualizationId: 'v' };
    for (const path of ['/session', '/visualizations', '/visualizations/{id}', '/visualizations/{id}/nodes/{node}']) {
      expect(tokenAllows(one, { scope: 'read', path }).ok, path).toBe(true);
    }
    for (const path of ['/drafts', '/me/scores', '/links', '/activity', '/uploads/{id}/status']) {
      expect(tokenAllows(one, { scope: 'read', path }), path).toMatchObject({
        refusal: { code: 'token/one-visualization' },
      });
    }
  });
});

const calls = [
  ...Object.entries(contract).flatMap(([group, all]) =>
    Object.entries(all).map(
      ([
        name,
        {
          '~orpc': { meta, route },
        },
      ]) => ({
        name: `${group}.${name}`,
        method: route.method ?? 'POST',
        ...meta,
      }),
    ),
  ),
  ...rawRoutes.map(({ method, path, who, scope }) => ({ name: `${method} ${path}`, method, who, scope })),
];
const having = (scope: TokenScope | undefined) => calls.filter((call) => call.scope === scope).map(({ name }) => name);

// Shows P27.2.
test('no token signs in or out, knows or sets a password, switches off mails, makes tokens, links or webhooks, or deletes an account', () => {
  const shared = calls.filter(({ who }) => who === 'link').map(({ name }) => name);
  expect(having(undefined).filter((name) => !shared.includes(name))).toEqual([
    'session.signIn',
    'session.stepUp',
    'session.stepUpWays',
    'session.takeStepUp',
    'session.idToken',
    'session.signOut',
    'session.signOutEverywhere',
    'session.setName',
    ...['registration', 'signUp', 'signUpCheck', 'readClaim', 'claim', 'requestReset', 'readReset'].map(
      (name) => `people.${name}`,
    ),
    ...['resetPassword', 'requestVerification', 'verifyEmail'].map((name) => `people.${name}`),
    ...['create', 'deleteRecords', 'deleteUserAuth'].map((name) => `accounts.${name}`),
    'adminCheck.fix',
    'mails.changeSettings',
    ...['make', 'list', 'revoke', 'all'].map((name) => `links.${name}`),
    'sharing.open',
    ...['make', 'list', 'revoke', 'all'].map((name) => `accessTokens.${name}`),
    'webhooks.make',
    'GET /api/events',
    'POST /api/forceDeleteUser',
    'GET /api/google/start',
    'GET /api/google/callback',
    'GET /api/docs',
    'GET /healthz',
    'GET /readyz',
  ]);
  expect(shared.filter((name) => !having(undefined).includes(name))).toEqual([]);
});

test('what only administrators may do takes the scope for it, uploads the one for imports', () => {
  const ofAdmins = calls.filter(({ who, scope }) => who === 'admin' && scope !== undefined);
  expect(ofAdmins.filter(({ scope }) => scope !== 'admin' && scope !== 'import')).toEqual([]);
  expect(calls.filter(({ who, scope }) => who !== 'admin' && scope === 'admin')).toEqual([]);
});

test('the scope to read changes nothing', () => {
  // What the tools of agents do at /mcp are calls of their own.
  const isTool = (name: string) => name.endsWith(' /mcp');
  const writing = calls.filter(({ name, method, scope }) => scope === 'read' && method !== 'GET' && !isTool(name));
  expect(writing.map(({ name }) => name)).toEqual([
    'visualizations.checkScore',
    'visualizations.density',
    'POST /api/visualizations/{id}/selection-totals',
    'POST /api/visualizations/{id}/export.csv',
    'POST /api/visualizations/{id}/export.xlsx',
  ]);
});

test('HEAD is a request for what GET answers, unless it is listed', () => {
  expect(scopeOfRaw('HEAD', '/api/visualizations/{id}/slice')).toBe('read');
  expect(scopeOfRaw('HEAD', '/api/uploads/{id}')).toBe('import');
  expect(scopeOfRaw('HEAD', '/api/events')).toBeUndefined();
  expect(scopeOfRaw('GET', '/api/nothing')).toBeUndefined();
});
