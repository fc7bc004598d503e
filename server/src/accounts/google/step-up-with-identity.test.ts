import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GoogleStage, googleStage, pageNonce, type TestBrowser } from '../../../test/support/google.ts';
import type { TestPerson } from '../../../test/support/provider.ts';
import type { AccountDeps } from '../deps.ts';
import type { RequestContext } from '../require.ts';
import type { Identity } from './identity-claims.ts';
import type { RoundTrip } from './round-trip.ts';
import { stepUpWithIdentity, takeStepUp } from './step-up-with-identity.ts';

let stage: GoogleStage;
beforeAll(async () => {
  stage = await googleStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.server.database.db.deleteFrom('rate_limits').execute());

const again = { flow: 'popup', purpose: 'step-up' } as const;

type Admin = { readonly person: TestPerson; readonly id: string; readonly browser: TestBrowser };

/** A user without a password, who signed in with the issuer in a browser of their own. */
async function signedIn(role: 'admin' | 'user' = 'admin'): Promise<Admin> {
  const person = stage.somebody();
  const browser = await signInAs(person);
  const { id } = (await browser.session()).account!;
  const { db } = stage.server.database;
  await db.updateTable('accounts').set({ role, status: 'approved' }).where('id', '=', id).execute();
  return { person, id, browser };
}

async function signInAs({ sub }: TestPerson): Promise<TestBrowser> {
  const browser = stage.browser();
  await browser.goAs(sub);
  return browser;
}

const call = (method: 'GET' | 'POST', path: string, browser: TestBrowser, body?: unknown) =>
  stage.server.call(method, path, { cookie: browser.cookie(), body });
const take = (browser: TestBrowser, nonce = pageNonce) =>
  call('POST', '/api/session/step-up/google', browser, { nonce });
const failureOf = ({ body }: { body: string }) => /data-failure="([^"]+)"/.exec(body)?.[1];
const code = (answer: { json(): { data: { code: string } } }) => answer.json().data.code;
const stepUpLines = async (id: string) =>
  (await stage.server.database.db.selectFrom('audit_log').selectAll().where('target', '=', id).orderBy('id').execute())
    .filter(({ action }) => action === 'step-up')
    .map(({ result, details }) => [result, details]);

test('S6 an admin without a password deletes a user after signing in with the issuer again', async () => {
  const { person, id, browser } = await signedIn();
  expect((await call('GET', '/api/session/step-up', browser)).json()).toEqual({ password: false, google: true });
  const asked = new URL(await browser.start(again)).searchParams;
  expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
  expect(JSON.parse(asked.get('claims')!)).toEqual({ id_token: { auth_time: { essential: true } } });

  const before = browser.cookie();
  expect(failureOf(await browser.goAs(person.sub, again))).toBeUndefined();
  const { stepUp } = (await take(browser)).json();
  expect(stepUp).toMatch(/^[\w-]{22}$/);
  const { idToken } = (await call('POST', '/api/session/id-token', browser, { stepUp })).json();
  const other = await stage.server.person({});
  const deleted = await call('POST', '/api/forceDeleteUser', browser, { userId: other.id, idToken });
  expect(deleted.json()).toEqual({ ok: true });
  expect(await stepUpLines(id)).toEqual([['ok', { by: 'google' }]]);
  const held = await stage.server.call('GET', '/api/session', { cookie: before });
  expect(held.json().isAuthenticated, 'T9 the token from before').toBe(false);
});

test('SEC-14 the return from the issuer counts once, within a minute, for the session and page that started it', async () => {
  const { person, browser } = await signedIn();
  const elsewhere = await signInAs(person);
  expect(code(await take(browser))).toBe('step-up/required');
  await browser.goAs(person.sub, again);
  expect(code(await take(elsewhere))).toBe('step-up/required');
  expect(code(await take(browser, 'nonce-of-another-page'))).toBe('step-up/required');
  const takes = await Promise.all(Array.from({ length: 20 }, () => take(browser)));
  expect(takes.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);

  await browser.goAs(person.sub, again);
  stage.server.clock += 60_000;
  expect(code(await take(browser))).toBe('step-up/required');
});

test('another user of the issuer proves nothing, and is not signed in', async () => {
  const { person, id, browser } = await signedIn();
  const { person: other } = await signedIn();
  const cookie = browser.cookie();
  expect(failureOf(await browser.goAs(other.sub, again))).toBe('google/failed');
  expect(failureOf(await browser.goAs(stage.somebody().sub, again))).toBe('google/failed');
  expect(failureOf(await browser.goAs('cancel', again))).toBe('cancelled');
  expect(browser.cookie()).toBe(cookie);
  expect((await browser.session()).account?.email).toBe(person.email);
  expect(code(await take(browser))).toBe('step-up/required');
  const refused = ['refused', expect.objectContaining({ by: 'google' })];
  expect(await stepUpLines(id)).toEqual([refused, refused]);
});

test('a user who is not a signed-in admin is not sent to the issuer for it', async () => {
  for (const browser of [(await signedIn('user')).browser, stage.browser()]) {
    const search = new URLSearchParams({ nonce: pageNonce, ...again });
    const answer = await browser.open(`/api/google/start?${search}`);
    expect([answer.statusCode, failureOf(answer)]).toEqual([200, 'google/failed']);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
});

/** Proves the identity with the issuer, runs `meanwhile`, and only then follows the redirect back. */
async function comeBackAfter(admin: Admin, meanwhile: () => Promise<unknown>) {
  const back = new URL(await stage.provider.visit(await admin.browser.start(again), admin.person.sub));
  await meanwhile();
  return failureOf(await admin.browser.open(back.pathname + back.search));
}

test('SEC-04 an admin who is signed out, signed in again or demoted meanwhile has proven nothing', async () => {
  const { db } = stage.server.database;
  const signedOut = await signedIn();
  expect(
    await comeBackAfter(signedOut, () =>
      stage.server.call('DELETE', '/api/session', { cookie: signedOut.browser.cookie() }),
    ),
  ).toBe('google/failed');
  const newcomer = await signedIn();
  const elsewhere = (await signInAs(newcomer.person)).cookie();
  expect(await comeBackAfter(newcomer, async () => undefined)).toBeUndefined();
  const trip = new URL(await stage.provider.visit(await newcomer.browser.start(again), newcomer.person.sub));
  const sealed = /kc_google_[^;]+/.exec(newcomer.browser.cookie())![0];
  const cookie = `${/kc_session=[^;]+/.exec(elsewhere)![0]}; ${sealed}`;
  const other = await stage.server.app.inject({ url: trip.pathname + trip.search, headers: { cookie } });
  expect(failureOf(other)).toBe('google/failed');
  const demoted = await signedIn();
  const demote = () => db.updateTable('accounts').set({ role: 'user' }).where('id', '=', demoted.id).execute();
  expect(await comeBackAfter(demoted, demote)).toBe('google/failed');
});

test('a session that ends while the return is checked gets nothing', async () => {
  const { person: known, id, browser } = await signedIn();
  const { account } = await browser.session();
  const person = {
    account: { ...account!, role: 'admin', status: 'approved' },
    sessionId: 'gone',
    hasPhoto: false,
  } as const;
  const { db } = stage.server.database;
  const log = { info: () => undefined };
  const deps = { db, log, now: () => stage.server.clock, config: {} } as unknown as AccountDeps;
  const context = { person, builtInAdmins: new Set(), address: '127.0.0.1' } as unknown as RequestContext;
  const identity = { iss: stage.provider.issuer, sub: known.sub, authenticatedAt: stage.server.clock } as Identity;
  const trip = { stepUpOf: 'gone', begunAt: stage.server.clock, pageNonce } as RoundTrip;
  const refused = { ok: false, refusal: { code: 'session/required' } };
  expect(await stepUpWithIdentity(deps, context, identity, trip)).toEqual(refused);
  expect(await takeStepUp(deps, person, pageNonce)).toEqual(refused);
  expect(await stepUpLines(id)).toEqual([]);
});

test('an admin with a password can use either way', async () => {
  const { db } = stage.server.database;
  const { id, browser } = await signedIn();
  const at = new Date(stage.server.clock);
  await db
    .insertInto('credentials')
    .values({ account_id: id, password_hash: 'x', created_at: at, updated_at: at })
    .execute();
  expect((await call('GET', '/api/session/step-up', browser)).json()).toEqual({ password: true, google: true });
  await db.deleteFrom('identities').where('account_id', '=', id).execute();
  expect((await call('GET', '/api/session/step-up', browser)).json()).toEqual({ password: true, google: false });
});
