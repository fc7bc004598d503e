// Shows T19.
import type { Status } from '@kc/rules/account';
import { defaultSettings } from '@kc/rules/settings';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveToken } from '../../../test/support/access-token-expectations.ts';
import { type GoogleStage, googleStage, outcome, trustedDomain } from '../../../test/support/google.ts';
import { cheapHash, cheapPasswords } from '../../../test/support/passwords.ts';
import type { TestPerson } from '../../../test/support/provider.ts';
import { builtInEmail } from '../../../test/support/server.ts';
import { reserveAccounts } from '../built-in-accounts.ts';
import { issueClaim } from '../claim.ts';
import { savePassword } from '../queries.ts';
import { issueToken } from '../tokens.ts';

const password = 'tulip-Harbor-9';
let stage: GoogleStage;
let admin: { id: string; email: string; cookie: string };
beforeAll(async () => {
  stage = await googleStage();
  const { config, database, app, clock } = stage.server;
  await reserveAccounts({ config, db: database.db, log: app.log as never, passwords: cheapPasswords }, clock);
  admin = await stage.server.person({ role: 'admin' });
});
afterAll(() => stage.close());
beforeEach(() => stage.server.database.db.deleteFrom('rate_limits').execute());

const accountsOf = (email: string) =>
  stage.server.database.db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at')
    .execute();
/** The status of a call with an access token. */
const withToken = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await stage.server.app.inject({ method: 'GET', url: '/api/session', headers })).statusCode;
};
const accountOf = async (email: string) => (await accountsOf(email)).find((row) => row.migrated_to === null)!;
const identitiesOf = (accountId: string) =>
  stage.server.database.db.selectFrom('identities').selectAll().where('account_id', '=', accountId).execute();
/** Everything about accounts that a sign-in could change. The tokens of mails are not included: a job creates them. */
const everything = async () => {
  const { db } = stage.server.database;
  const tables = ['accounts', 'credentials', 'identities', 'sessions', 'visualizations'] as const;
  return Promise.all(tables.map((table) => db.selectFrom(table).selectAll().orderBy(sql`1`).execute()));
};
const signUp = (email: string) =>
  stage.server.call('POST', '/api/sign-up', { body: { email, password, displayName: 'Jo' } });
const signIn = (email: string) =>
  stage.server.call('POST', '/api/session', { body: { email, password, remember: false } });
const proveByMail = (email: string) =>
  stage.server.database.db
    .updateTable('accounts')
    .set({ email_proven_at: new Date(stage.server.clock) })
    .where('email', '=', email)
    .execute();
const setStatus = (id: string, status: Status) =>
  stage.server.call('PUT', `/api/users/${id}/status`, { body: { status }, cookie: admin.cookie });
const actionsOn = async (target: string) => {
  const lines = stage.server.database.db.selectFrom('audit_log').select('action').where('target', '=', target);
  return (await lines.orderBy('id').execute()).map(({ action }) => action);
};
async function goAs({ sub }: TestPerson) {
  const browser = stage.browser();
  return { how: outcome(await browser.goAs(sub)), browser };
}

describe('a new user', () => {
  test('waits for approval with the profile from the provider', async () => {
    const picture = 'https://lh3.googleusercontent.com/a/photo';
    const ann = stage.somebody({ name: 'Ann Example', picture });
    const { how, browser } = await goAs(ann);
    expect(how).toBe('done');
    expect(await browser.session()).toMatchObject({
      status: 'pending',
      isAdmin: false,
      redirectPath: '/pending-approval',
    });
    const account = await accountOf(ann.email!);
    expect(account).toMatchObject({
      display_name: 'Ann Example',
      role: 'user',
      status: 'pending',
      created_by: 'system',
    });
    expect([account.photo_url, account.last_login?.getTime()]).toEqual([picture, stage.server.clock]);
    expect(await identitiesOf(account.id)).toMatchObject([
      { iss: stage.provider.issuer, sub: ann.sub, email: ann.email },
    ]);
    expect(await actionsOn(account.id)).toEqual(['sign-up', 'sign-in']);
    expect(JSON.stringify(await browser.session())).not.toContain(picture);
  });

  test('gets the same account again, even if approved or denied meanwhile', async () => {
    const ann = stage.somebody();
    await goAs(ann);
    const { id } = await accountOf(ann.email!);
    await setStatus(id, 'approved');
    expect(await (await goAs(ann)).browser.session()).toMatchObject({ status: 'approved', account: { id } });
    await setStatus(id, 'denied');
    const denied = await goAs(ann);
    expect([denied.how, (await denied.browser.session()).redirectPath]).toEqual(['done', '/access-denied']);
    expect(await accountsOf(ann.email!)).toHaveLength(1);
  });

  test.each([{ email_verified: false }, { email_verified: 'true' }, { email_verified: undefined }])(
    'T17 has an unproven email if the provider reports %j for it, and gets a link to prove it',
    async (claims) => {
      const ann = stage.somebody(claims);
      expect((await goAs(ann)).how).toBe('done');
      expect((await accountOf(ann.email!)).email_proven_at).toBeNull();
      const letters = () => stage.server.mails.filter(({ to }) => to === ann.email);
      await expect.poll(letters).toHaveLength(1);
    },
  );

  test('T17 has an unproven email if the provider has no authority over its domain, even at Gmail', async () => {
    for (const email of ['ann@gmail.com', 'ann@shop.example']) {
      await goAs(stage.somebody({ email, hd: 'shop.example' }));
      expect((await accountOf(email)).email_proven_at).toBeNull();
    }
  });

  test('gets no account without an email or with an invalid one', async () => {
    const long = `${'a'.repeat(10_000)}@${trustedDomain}`;
    for (const email of [
      undefined,
      'nobody',
      long,
      'a\u0000b@trusted.example',
      'a@trusted.example\r\nBcc: x@y.example',
    ]) {
      const { sub, email_verified } = stage.somebody();
      stage.provider.people = [{ sub, email_verified, ...(email === undefined ? {} : { email }) }];
      expect((await goAs({ sub })).how).toBe('google/profile-failed');
    }
  });

  test('T5 with markup, line breaks and NUL in the name gets it as text on one line', async () => {
    const ann = stage.somebody({
      name: '<img src=x onerror=alert(1)>\r\nSet-Cookie: a=b\u0000\u2028x',
      picture: 'javascript:x',
    });
    await goAs(ann);
    const { display_name, photo_url } = await accountOf(ann.email!);
    expect([display_name, photo_url]).toEqual(['<img src=x onerror=alert(1)> Set-Cookie: a=b x', null]);
  });

  test('keeps the name they chose themselves', async () => {
    const ann = stage.somebody({ name: 'Ann' });
    const { browser } = await goAs(ann);
    await stage.server.call('PUT', '/api/session/name', { body: { displayName: 'Annie' }, cookie: browser.cookie() });
    await goAs(ann);
    expect((await accountOf(ann.email!)).display_name).toBe('Annie');
  });

  test('T23 in several browsers at the same time gets one account', async () => {
    const ann = stage.somebody();
    const arrivals = await Promise.all(Array.from({ length: 8 }, () => goAs(ann)));
    expect(new Set(arrivals.map(({ how }) => how))).toEqual(new Set(['done']));
    expect(await accountsOf(ann.email!)).toHaveLength(1);
  });

  test('signs up with a password and with the provider at the same time, and gets one account', async () => {
    const ann = stage.somebody();
    await Promise.all([signUp(ann.email!), goAs(ann), signUp(ann.email!), goAs(ann)]);
    expect((await accountsOf(ann.email!)).filter((row) => row.migrated_to === null)).toHaveLength(1);
  });
});

describe('the registration policy', () => {
  const save = async (change: object) => {
    const settings = await stage.server.call('GET', '/api/settings', { cookie: admin.cookie });
    const body = { version: settings.json().version, settings: { ...defaultSettings, ...change }, enforce: true };
    expect((await stage.server.call('PUT', '/api/settings', { body, cookie: admin.cookie })).statusCode).toBe(200);
  };
  afterEach(() =>
    stage.server.database.db
      .updateTable('settings')
      .set({ open_registration: false, auto_approve: false, policy_enforced: false })
      .execute(),
  );

  test('if closed, admits existing users and the built-in admin, but no new users', async () => {
    const known = stage.somebody();
    await goAs(known);
    await save({});
    const stranger = stage.somebody();
    expect((await goAs(stranger)).how).toBe('sign-up/closed');
    expect(await accountsOf(stranger.email!)).toEqual([]);
    expect((await goAs(known)).how).toBe('done');
    expect((await goAs(stage.somebody({ email: builtInEmail }))).how).toBe('done');
  });

  test('approves at once if auto-approve is on', async () => {
    await save({ openRegistration: true, autoApprove: true });
    expect(await (await goAs(stage.somebody())).browser.session()).toMatchObject({ status: 'approved' });
  });
});

describe('S1 a built-in admin', () => {
  const forget = async () => {
    const { db } = stage.server.database;
    const { id } = await accountOf(builtInEmail);
    await db.deleteFrom('identities').where('account_id', '=', id).execute();
    await db
      .updateTable('accounts')
      .set({ email_proven_at: null, role: 'user', status: 'pending' })
      .where('id', '=', id)
      .execute();
    return id;
  };
  test('is admin and approved by a proven email, in the reserved account', async () => {
    const id = await forget();
    const link = await issueClaim(stage.server.database.db, id, stage.server.clock);
    const root = stage.somebody({ email: builtInEmail });
    const { browser } = await goAs(root);
    const claim = await stage.server.call('POST', '/api/claim/read', { body: { token: link } });
    expect(claim.json().data.code).toBe('claim/invalid');
    expect(await browser.session()).toMatchObject({
      isAdmin: true,
      status: 'approved',
      account: { id, emailProven: true },
    });
    expect(await accountOf(builtInEmail)).toMatchObject({ id, role: 'admin', status: 'approved' });
    expect(await actionsOn(id)).toContain('claim');
    expect(await (await goAs(root)).browser.session()).toMatchObject({ isAdmin: true });
  });
  test.each([{ email_verified: false }, { email_verified: 'true' }])(
    'S2 is not a user with the claim %j',
    async (claims) => {
      await forget();
      const before = await everything();
      expect((await goAs(stage.somebody({ email: builtInEmail, ...claims }))).how).toBe('sign-up/in-use');
      expect(await everything()).toEqual(before);
    },
  );
  test('T20 is not the earlier user of the email, whose sessions and access tokens end', async () => {
    const id = await forget();
    const { db } = stage.server.database;
    const squatter = stage.somebody({ email_verified: false });
    const held = await goAs(squatter);
    const squatted = await accountOf(squatter.email!);
    await savePassword(db, squatted.id, cheapHash(password), stage.server.clock);
    const { token } = await giveToken(stage.server, squatted.id);
    // ADMIN_EMAILS names the squatted address from now on.
    await db
      .updateTable('accounts')
      .set({ email: `old-${id}@example.org` })
      .where('id', '=', id)
      .execute();
    await db.updateTable('accounts').set({ email: builtInEmail }).where('id', '=', squatted.id).execute();
    expect((await goAs(stage.somebody({ email: builtInEmail }))).how).toBe('done');
    expect((await held.browser.session()).isAuthenticated).toBe(false);
    expect(await withToken(token)).toBe(401);
    expect((await signIn(builtInEmail)).json().data.code).toBe('sign-in/wrong-password');
    const again = await goAs(squatter);
    expect((await again.browser.session()).account?.id).not.toBe(squatted.id);
    expect((await again.browser.session()).isAdmin).toBe(false);
    await db.deleteFrom('accounts').where('id', '=', squatted.id).execute();
    await db.updateTable('accounts').set({ email: builtInEmail }).where('id', '=', id).execute();
  });
});

describe('S3 a user whose email has a proven account', () => {
  test.each<Status>(['pending', 'approved', 'denied'])('is linked to it, and it stays %s', async (status) => {
    const ann = stage.somebody();
    await signUp(ann.email!);
    await proveByMail(ann.email!);
    const before = await accountOf(ann.email!);
    await setStatus(before.id, status);
    const { browser } = await goAs(ann);
    expect(await browser.session()).toMatchObject({ status, account: { id: before.id } });
    expect((await signIn(ann.email!)).statusCode).toBe(200);
    expect(await accountsOf(ann.email!)).toHaveLength(1);
    expect(await identitiesOf(before.id)).toHaveLength(1);
    expect(await actionsOn(before.id)).toContain('link');
  });
});

// Shows P4.7.
describe('T17 a user with an unproven email that has an account', () => {
  test.each([
    { email_verified: false },
    { email_verified: 'true' },
    { email_verified: undefined },
    { email: 'victim@gmail.com' },
    { email: 'victim@shop.example', hd: 'shop.example' },
  ])('is refused with %j, and nothing changes', async (claims) => {
    const mallory = stage.somebody(claims);
    const email = mallory.email!;
    await stage.server.database.db.deleteFrom('accounts').where('email', '=', email).execute();
    await signUp(email);
    for (const proven of [false, true]) {
      if (proven) await proveByMail(email);
      const before = await everything();
      expect((await goAs(mallory)).how).toBe('sign-up/in-use');
      expect(await everything()).toEqual(before);
    }
  });

  test('S5 is informed about it only a few times an hour', async () => {
    const { email } = stage.somebody();
    await signUp(email!);
    const mallory = stage.somebody({ email: email!, email_verified: false });
    const told: string[] = [];
    for (let i = 0; i < 12; i++) told.push((await goAs(mallory)).how);
    expect(new Set(told)).toEqual(new Set(['sign-up/in-use', 'google/failed']));
    expect(told.filter((one) => one === 'sign-up/in-use')).toHaveLength(10);
  });
});

describe('T19', () => {
  // Shows P4.7.
  test('a renamed user keeps the account, and takes over a proven email that is free', async () => {
    const ann = stage.somebody();
    await goAs(ann);
    const { id } = await accountOf(ann.email!);
    const { db } = stage.server.database;
    const link = await issueToken(db, 'reset', id, 60_000, stage.server.clock);
    const renamed = stage.somebody({ sub: ann.sub, email: `new-${ann.email}` });
    expect((await (await goAs(renamed)).browser.session()).account).toMatchObject({ id, email: renamed.email });
    expect(await actionsOn(id)).toContain('email');
    // A link that was mailed to the old address is no longer valid.
    const read = await stage.server.call('POST', '/api/reset-password/read', { body: { token: link } });
    expect(read.json().data.code).toBe('reset/invalid');
    // The old address is free: its next owner gets a separate account.
    const next = stage.somebody({ email: ann.email! });
    const { account } = await (await goAs(next)).browser.session();
    expect([account?.email, account?.id === id]).toEqual([ann.email, false]);
  });
  test('T21 a denied user frees no address by being renamed: nobody else can use it', async () => {
    const ann = stage.somebody();
    await goAs(ann);
    const { id } = await accountOf(ann.email!);
    const { db } = stage.server.database;
    const deny = (status: 'denied' | 'approved') =>
      db.updateTable('accounts').set({ status }).where('id', '=', id).execute();
    await deny('denied');
    const renamed = stage.somebody({ sub: ann.sub, email: `new-${ann.email}` });
    const session = await (await goAs(renamed)).browser.session();
    expect([session.account?.email, session.status]).toEqual([ann.email, 'denied']);
    const other = stage.somebody({ email: ann.email! });
    const again = await (await goAs(other)).browser.session();
    expect([again.account?.id, again.status]).toEqual([id, 'denied']);
    // Once approved again, the user can change their email as any other user.
    await deny('approved');
    expect((await (await goAs(renamed)).browser.session()).account).toMatchObject({ id, email: renamed.email });
  });
  test('a user renamed to a taken or unproven address keeps the old one', async () => {
    const ann = stage.somebody();
    await goAs(ann);
    const { id } = await accountOf(ann.email!);
    const taken = stage.somebody().email!;
    await signUp(taken);
    for (const claims of [
      { email: taken },
      { email: `free-${taken}`, email_verified: false },
      { email: builtInEmail },
    ]) {
      const { account } = await (await goAs(stage.somebody({ sub: ann.sub, ...claims }))).browser.session();
      expect(account).toMatchObject({ id, email: ann.email });
    }
  });
  test('a user with the email of an unproven account takes nothing over without proving it', async () => {
    const { email } = stage.somebody({ email_verified: false });
    await goAs(stage.somebody({ email: email!, email_verified: false }));
    expect((await goAs(stage.somebody({ email: email!, email_verified: false }))).how).toBe('sign-up/in-use');
  });
});

// Shows P3.3.
test('nobody can sign in to a record marked as migrated', async () => {
  const ann = stage.somebody();
  await goAs(ann);
  const { id } = await accountOf(ann.email!);
  await stage.server.database.db.updateTable('accounts').set({ migrated_to: admin.id }).where('id', '=', id).execute();
  expect((await goAs(ann)).how).toBe('sign-in/disabled');
});

test('S8 a deleted user is a new user', async () => {
  const ann = stage.somebody();
  await goAs(ann);
  const { id } = await accountOf(ann.email!);
  await stage.server.database.db.deleteFrom('accounts').where('id', '=', id).execute();
  expect((await goAs(ann)).how).toBe('done');
  expect((await accountOf(ann.email!)).id).not.toBe(id);
});
