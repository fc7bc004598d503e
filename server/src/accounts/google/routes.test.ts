import { googleCallback, googleStart } from '@kc/rules/google';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBrowser, type GoogleStage, googleStage, outcome, pageNonce } from '../../../test/support/google.ts';
import { startTestProvider } from '../../../test/support/provider.ts';
import { testServer } from '../../../test/support/server.ts';

let stage: GoogleStage;
beforeAll(async () => {
  stage = await googleStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.server.database.db.deleteFrom('rate_limits').execute());

const sessionsOf = async (email: string) => {
  const { db } = stage.server.database;
  const sessions = db.selectFrom('sessions').innerJoin('accounts', 'accounts.id', 'sessions.account_id');
  return sessions.selectAll('sessions').where('email', '=', email).execute();
};
/** The data that the page of the popup passes to its script. */
const report = (body: string) => /<script src="\/google-callback\.js"([^>]*)><\/script>/.exec(body)?.[1]?.trim();

test('without Google both routes respond that it is not set up, and the session reports it', async () => {
  const server = await testServer();
  for (const path of [`${googleStart}?flow=popup&nonce=${pageNonce}`, googleCallback]) {
    const answer = await server.call('GET', path);
    expect([answer.statusCode, answer.json().data.code]).toEqual([403, 'sign-in/google-off']);
  }
  expect((await server.call('GET', '/api/session')).json().server.google).toBe(false);
  await server.close();
  expect((await stage.browser().session()).server.google).toBe(true);
});

test('a user is redirected to the provider and returns signed in', async () => {
  const ann = stage.somebody({ name: 'Ann' });
  const browser = stage.browser();
  const answer = await browser.goAs(ann.sub);
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/login?google=done']);
  expect(await browser.session()).toMatchObject({
    isAuthenticated: true,
    status: 'pending',
    account: { email: ann.email, displayName: 'Ann', emailProven: true },
  });
});

test('a popup ends on a page with the outcome and the nonce of its opener', async () => {
  const ann = stage.somebody();
  const browser = stage.browser();
  const good = await browser.goAs(ann.sub, { flow: 'popup' });
  expect([good.statusCode, good.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(report(good.body)).toBe(`data-nonce="${pageNonce}"`);
  expect((await browser.session()).isAuthenticated).toBe(true);
  const bad = await stage.browser().goAs('cancel', { flow: 'popup' });
  expect(report(bad.body)).toBe(`data-nonce="${pageNonce}" data-failure="cancelled"`);
});

test('T22 the report of the popup contains no token, code or state', async () => {
  const browser = stage.browser();
  const { searchParams } = new URL(await browser.start({ flow: 'popup' }));
  const back = new URL(
    await stage.provider.visit(`${stage.provider.issuer}/auth?${searchParams}`, stage.somebody().sub),
  );
  const { body, headers } = await browser.open(back.pathname + back.search);
  const token = /kc_session=([^;]+)/.exec(String(headers['set-cookie']))![1]!;
  for (const secret of [
    token,
    searchParams.get('state')!,
    searchParams.get('nonce')!,
    back.searchParams.get('code')!,
  ]) {
    expect(body).not.toContain(secret);
    expect(stage.server.logged.join('')).not.toContain(secret);
  }
});

test('S16 both sign-in routes keep the popup’s opener, other pages may open popups, and nothing is cached', async () => {
  const browser = stage.browser();
  const search = new URLSearchParams({ flow: 'popup', nonce: pageNonce });
  for (const path of [`${googleStart}?${search}`, googleCallback]) {
    const { headers } = await browser.open(path);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'unsafe-none',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("script-src 'self';"),
    });
  }
  expect((await browser.open('/login')).headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  expect((await browser.open('/api/session')).headers['cross-origin-opener-policy']).toBe('same-origin');
});

test('T10 the state of a sign-in is sealed in a cookie as strict as the session’s, for ten minutes', async () => {
  const { db } = stage.server.database;
  const before = await db.selectFrom('audit_log').select('id').execute();
  const answer = await stage.browser().open(`${googleStart}?flow=redirect&nonce=${pageNonce}`);
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^kc_google_[\w-]{22}=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  const { searchParams } = new URL(String(answer.headers.location));
  for (const name of ['state', 'nonce', 'code_challenge']) expect(cookie).not.toContain(searchParams.get(name));
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  expect(await db.selectFrom('audit_log').select('id').execute()).toEqual(before);
  expect(await db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
});

test('two simultaneous sign-ins both succeed, whichever begins or ends first', async () => {
  const people = [stage.somebody(), stage.somebody(), stage.somebody()];
  const browser = stage.browser();
  const nonces = people.map((_, n) => `nonce-of-page-${n}`);
  const ways: string[] = [];
  for (const nonce of nonces) ways.push(await browser.start({ flow: 'popup', nonce }));
  for (const n of [1, 0, 2]) {
    const back = new URL(await stage.provider.visit(ways[n]!, people[n]!.sub));
    const { body } = await browser.open(back.pathname + back.search);
    expect(report(body)).toBe(`data-nonce="${nonces[n]}"`);
    expect((await browser.session()).account?.email).toBe(people[n]!.email);
  }
  expect(browser.cookie()).not.toContain('kc_google');
});

test('T12 "Remember me" creates a session of a month, otherwise it ends with the browser', async () => {
  const ann = stage.somebody();
  const cookies = async (remember: string) =>
    String((await stage.browser().goAs(ann.sub, { remember })).headers['set-cookie']);
  expect(await cookies('true')).toMatch(/kc_session=[\w-]{43}; [^,]*; Max-Age=2592000/);
  expect(await cookies('false')).not.toMatch(/kc_session=[^,]*Max-Age/);
});

test('T9 the previous session of the browser ends', async () => {
  const browser = stage.browser();
  await browser.goAs(stage.somebody().sub);
  const held = browser.cookie();
  await browser.goAs(stage.somebody().sub);
  expect((await stage.server.call('GET', '/api/session', { cookie: held })).json().isAuthenticated).toBe(false);
  expect((await browser.session()).isAuthenticated).toBe(true);
});

test('a user who cancels is sent back without a message', async () => {
  const browser = stage.browser();
  expect(outcome(await browser.goAs('cancel'))).toBe('cancelled');
  expect((await browser.session()).isAuthenticated).toBe(false);
});

describe('T18 nobody is signed in', () => {
  const callback = async (browser: ReturnType<GoogleStage['browser']>, who = stage.somebody().sub) => {
    const { pathname, search } = new URL(await stage.provider.visit(await browser.start(), who));
    return pathname + search;
  };

  test('by a callback without a start', async () => {
    expect(outcome(await stage.browser().open(`${googleCallback}?code=x&state=y`))).toBe('google/failed');
    expect(outcome(await stage.browser().open(googleCallback))).toBe('google/failed');
  });
  test('in another browser, and the original one can still finish', async () => {
    const browser = stage.browser();
    const path = await callback(browser);
    const other = stage.browser();
    await other.start();
    expect(outcome(await other.open(path))).toBe('google/failed');
    expect((await other.session()).isAuthenticated).toBe(false);
    expect(outcome(await browser.open(path))).toBe('done');
  });
  test('without the state, or with another one, and the sign-in can still finish', async () => {
    const browser = stage.browser();
    const path = await callback(browser);
    expect(outcome(await browser.open(path.replace(/state=[^&]+/, '')))).toBe('google/failed');
    expect(outcome(await browser.open(path.replace(/state=[^&]+/, 'state=guess')))).toBe('google/failed');
    expect(outcome(await browser.open(path))).toBe('done');
  });
  test('eleven minutes later', async () => {
    const browser = stage.browser();
    const path = await callback(browser);
    stage.server.clock += 11 * 60_000;
    expect(outcome(await browser.open(path))).toBe('google/failed');
    stage.server.clock -= 11 * 60_000;
  });
  test('by a cookie that this server did not seal', async () => {
    const browser = stage.browser();
    const path = await callback(browser);
    const forged = browser.cookie().replace(/.{4}$/, 'AAAA');
    const answer = await stage.server.app.inject({ url: path, headers: { cookie: forged } });
    expect(outcome(answer)).toBe('google/failed');
  });
  test('if the provider returns anything but success', async () => {
    const says = async (error: string) => {
      const browser = stage.browser();
      const state = new URL(await browser.start()).searchParams.get('state')!;
      const iss = stage.provider.issuer;
      return outcome(await browser.open(`${googleCallback}?${new URLSearchParams({ error, state, iss })}`));
    };
    expect(await says('server_error')).toBe('google/failed');
    expect(await says('redirect_uri_mismatch')).toBe('google/unauthorized-domain');
    expect(await says('<script>alert(1)</script>')).toBe('google/failed');
  });
  // Shows P4.5.
  test('while the provider is unavailable, and sign-in works once it is back', async () => {
    const options = { redirectUris: [`http://localhost:3000${googleCallback}`], people: [stage.somebody()] };
    const first = await startTestProvider(options);
    const port = Number(new URL(first.issuer).port);
    await first.stop();
    const server = await testServer({ ...first.environment });
    const away = createBrowser(server, first);
    expect(outcome(await away.open(`${googleStart}?flow=redirect&nonce=${pageNonce}`))).toBe('google/failed');
    const shown = await away.open(`${googleStart}?flow=popup&nonce=${pageNonce}`);
    expect(report(shown.body)).toBe(`data-nonce="${pageNonce}" data-failure="google/failed"`);
    const second = await startTestProvider({ ...options, port });
    expect(outcome(await createBrowser(server, second).goAs(options.people[0]!.sub))).toBe('done');
    await server.close();
    await second.stop();
  });
});

test('T23 of several callbacks with one code only one begins a session', async () => {
  const ann = stage.somebody();
  const browser = stage.browser();
  const { pathname, search } = new URL(await stage.provider.visit(await browser.start(), ann.sub));
  const headers = { cookie: browser.cookie() };
  const open = () => stage.server.app.inject({ url: pathname + search, headers });
  const answers = await Promise.all(Array.from({ length: 12 }, open));
  expect(answers.map(outcome).filter((one) => one === 'done')).toHaveLength(1);
  expect(answers.filter(({ statusCode }) => statusCode >= 500)).toHaveLength(0);
  expect(await sessionsOf(ann.email!)).toHaveLength(1);
  expect(outcome(await open())).toBe('google/failed');
  expect(await sessionsOf(ann.email!)).toHaveLength(1);
});

test('SEC-09 HEAD neither starts nor ends a sign-in', async () => {
  for (const url of [`${googleStart}?flow=popup&nonce=${pageNonce}`, googleCallback]) {
    const answer = await stage.server.app.inject({ method: 'HEAD', url });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([404, undefined]);
  }
});

test.each(['cross-site', 'same-site'])('T13 a %s page sends nobody to the provider', async (site) => {
  const path = `${googleStart}?flow=redirect&nonce=${pageNonce}`;
  const answer = await stage.browser().open(path, { 'sec-fetch-site': site });
  expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
});

// Shows P4.6.
test('a page with an origin other than BASE_URL is refused', async () => {
  const browser = stage.browser();
  const begin = (origin: string) =>
    browser.open(`${googleStart}?${new URLSearchParams({ flow: 'redirect', nonce: pageNonce, origin })}`);
  expect(outcome(await begin('http://127.0.0.1:3000'))).toBe('google/unauthorized-domain');
  expect(outcome(await begin('null'))).toBe('google/unauthorized-domain');
  expect(outcome(await begin('http://localhost:3000'))).toContain(stage.provider.issuer);
});

test.each([
  'flow=popup',
  'flow=window&nonce=nonce-of-the-page',
  'flow=popup&nonce=short',
  'flow=popup&nonce="><script>alert(1)</script>',
  'flow=popup&flow=redirect&nonce=nonce-of-the-page',
  'flow=redirect&nonce=nonce-of-the-page&remember=maybe',
])('a start with ?%s is refused', async (query) => {
  const answer = await stage.browser().open(`${googleStart}?${encodeURI(query)}`);
  expect([answer.statusCode, answer.json().data.code]).toEqual([422, 'request/invalid']);
});

const elsewhere = [
  'https://evil.example',
  '//evil.example',
  'javascript:alert(1)',
  '/\\evil.example',
  '/login%0d%0aX: y',
];
const names = ['redirect', 'redirect_uri', 'redirectPath', 'next', 'return_to', 'url', 'continue', 'RelayState'];
test('T16 S18 nothing in a query, a header or a state redirects to another site', async () => {
  const ann = stage.somebody();
  const hostile = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  for (const target of elsewhere) {
    const extra = Object.fromEntries(names.map((name) => [name, target]));
    const browser = stage.browser();
    const search = new URLSearchParams({ flow: 'redirect', nonce: pageNonce, ...extra });
    const sent = String((await browser.open(`${googleStart}?${search}`, hostile)).headers.location);
    expect(sent.startsWith(`${stage.provider.issuer}/auth?`), sent).toBe(true);
    expect(new URL(sent).searchParams.get('redirect_uri')).toBe(`http://localhost:3000${googleCallback}`);
    expect(sent).not.toContain('evil');
    const back = new URL(await stage.provider.visit(sent, ann.sub));
    for (const [name, value] of Object.entries(extra)) back.searchParams.append(name, value);
    const answer = await browser.open(back.pathname + back.search, hostile);
    expect(answer.headers.location).toBe('/login?google=done');
  }
});
