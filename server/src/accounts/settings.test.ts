import { defaultSettings, type Settings } from '@kc/rules/settings';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtInEmail, cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import type { Notification } from '../database/notifications.ts';
import { listen } from '../database/notifications.ts';
import { createLog } from '../log.ts';
import { issueClaim } from './claim.ts';

let server: TestServer;
let admin: { id: string; cookie: string };
beforeAll(async () => {
  server = await testServer();
  admin = await server.person({ role: 'admin' });
});
afterAll(() => server.close());
/** Resets the settings to those that the migration inserts. */
beforeEach(async () => {
  const row = { version: 1, open_registration: false, auto_approve: false, policy_enforced: false };
  await server.database.db
    .updateTable('settings')
    .set({ ...row, dark_mode: false, theme_chosen: false })
    .execute();
});

const save = (change: Partial<Settings>, { version = 1, enforce = false, cookie = admin.cookie } = {}) =>
  server.call('PUT', '/api/settings', {
    body: { version, settings: { ...defaultSettings, ...change }, enforce },
    cookie,
  });
let strangers = 0;
let signUps = 0;
const signUp = (email = `stranger${strangers++}@example.org`) =>
  server.call('POST', '/api/sign-up', {
    body: { email, password: 'tulip-Harbor-9', displayName: 'A Stranger' },
    from: `10.0.1.${signUps++}`,
  });
const statusOf = async (email: string) =>
  (await server.database.db.selectFrom('accounts').select('status').where('email', '=', email).executeTakeFirst())
    ?.status;

test('a fresh server has the defaults of the specification, and enforces nothing', async () => {
  expect((await server.call('GET', '/api/settings', { cookie: admin.cookie })).json()).toEqual({
    version: 1,
    settings: defaultSettings,
    themeChosen: false,
    policyEnforced: false,
  });
});

// Shows P11.1.
test('saved settings are visible to the next admin', async () => {
  expect((await save({ defaultDepth: 'all', dataRefreshInterval: 'none' })).json()).toMatchObject({ version: 2 });
  const other = await server.person({ role: 'admin' });
  expect((await server.call('GET', '/api/settings', { cookie: other.cookie })).json()).toMatchObject({
    settings: { defaultDepth: 'all', dataRefreshInterval: 'none' },
  });
  await save({}, { version: 2 });
});

test('an approved user reads the settings for their screen, and not the registration policy', async () => {
  const user = await server.person({});
  const screen = await server.call('GET', '/api/settings/screen', { cookie: user.cookie });
  expect(screen.json()).toEqual({
    defaultDepth: '2',
    autoExpand: true,
    dataRefreshInterval: '30',
    userImports: false,
    clientLinks: false,
  });
  await save({ darkMode: true });
  expect((await server.call('GET', '/api/settings/screen', { cookie: user.cookie })).json().theme).toBe('dark');
});

test('of several admins who save at the same time one succeeds, and the others get a conflict', async () => {
  for (let round = 0; round < 5; round++) {
    const { version } = (await server.call('GET', '/api/settings', { cookie: admin.cookie })).json();
    const depths = ['1', '3', 'all'] as const;
    const changes = depths.map((defaultDepth) => save({ defaultDepth, darkMode: round % 2 === 0 }, { version }));
    const answers = await Promise.all(changes);
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)?.json().data).toEqual({ code: 'settings/stale' });
    const kept = answers.find((answer) => answer.statusCode === 200)?.json();
    expect((await server.call('GET', '/api/settings', { cookie: admin.cookie })).json()).toEqual(kept);
    await save({}, { version: kept.version });
  }
});

test('auto-approve without open registration, and invalid values, are refused', async () => {
  expect((await save({ autoApprove: true })).json().data.code).toBe('settings/auto-approve-closed');
  const odd = { defaultDepth: '7' } as unknown as Settings;
  expect((await save(odd)).json().data.code).toBe('request/invalid');
});

// Shows P11.5.
test('until a policy is set, anybody can sign up and waits for approval', async () => {
  expect((await signUp('early@example.org')).statusCode).toBe(200);
  await save({ darkMode: true });
  expect((await signUp('second@example.org')).statusCode).toBe(200);
  expect(await statusOf('second@example.org')).toBe('pending');
});

// Shows P11.5.
test('an enforced closed policy refuses every sign-up', async () => {
  await save({}, { enforce: true });
  const answer = await signUp('late@example.org');
  expect([answer.statusCode, answer.json().data]).toEqual([403, { code: 'sign-up/closed' }]);
  expect((await server.call('GET', '/api/sign-up')).json()).toEqual({ isOpen: false });
  expect(await statusOf('late@example.org')).toBeUndefined();
});

test('while registration is closed, admins can still create accounts, and a built-in admin can still claim theirs', async () => {
  await save({}, { enforce: true });
  const body = { email: 'invited@example.org', password: 'tulip-Harbor-9', role: 'user' };
  expect((await server.call('POST', '/api/users', { body, cookie: admin.cookie })).statusCode).toBe(200);
  const at = new Date(server.clock);
  const builtIn = { id: 'built-in', email: builtInEmail, created_at: at, updated_at: at };
  await server.database.db.insertInto('accounts').values(builtIn).execute();
  const token = await issueClaim(server.database.db, 'built-in', server.clock);
  const claimed = await server.call('POST', '/api/claim', { body: { token, password: 'a long quiet evening' } });
  expect(claimed.json()).toMatchObject({ isAdmin: true });
  expect(cookieOf(claimed)).not.toBe('');
});

// Shows P3.14.
test('with open registration new users wait for approval, and with auto-approve they are approved at once', async () => {
  await save({ openRegistration: true });
  await signUp('waits@example.org');
  expect(await statusOf('waits@example.org')).toBe('pending');
  await save({ openRegistration: true, autoApprove: true }, { version: 2 });
  await signUp('stays@example.org');
  expect(await statusOf('stays@example.org')).toBe('approved');
});

test('a sign-up at the moment the policy is enforced is either before it or refused', async () => {
  const [, ...answers] = await Promise.all([save({}, { enforce: true }), signUp(), signUp(), signUp(), signUp()]);
  for (const answer of answers) expect([200, 403]).toContain(answer.statusCode);
  expect((await signUp()).json().data.code).toBe('sign-up/closed');
});

test('a save notifies every replica and adds a line to the audit log, and a repeated one does neither', async () => {
  const heard: Notification[] = [];
  const listener = listen(
    () => server.database.connection,
    createLog('ERROR'),
    () => undefined,
  );
  let accountsHeard = 0;
  listener.on(({ about }) => {
    if (about === 'settings') heard.push({ about });
    if (about === 'accounts') accountsHeard++;
  });
  /** Waits until all earlier notifications have arrived: they arrive in order, so a new one is the last. */
  const allHeard = async (): Promise<void> => {
    const before = accountsHeard;
    await signUp();
    await expect.poll(() => accountsHeard).toBeGreaterThan(before);
  };
  // The listener works once it has received a notification.
  await expect
    .poll(async () => {
      const { version } = (await server.call('GET', '/api/settings', { cookie: admin.cookie })).json();
      await save({ darkMode: version % 2 === 1 }, { version });
      return heard.length;
    })
    .toBeGreaterThan(0);
  await allHeard();
  const { version, settings } = (await server.call('GET', '/api/settings', { cookie: admin.cookie })).json();
  const before = heard.length;
  await save({ ...settings, defaultDepth: '3' }, { version });
  await save({ ...settings, defaultDepth: '3' }, { version: version + 1 });
  await allHeard();
  expect(heard.length).toBe(before + 1);
  await listener.close();
  const lines = await server.database.db
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', 'settings')
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  expect(lines[0]).toEqual({ actor: admin.id, details: { defaultDepth: '2 → 3' } });
  expect(lines[1]?.details).not.toEqual(lines[0]?.details);
});
