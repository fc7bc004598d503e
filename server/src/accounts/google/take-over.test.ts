import type { Status } from '@kc/rules/account';
import { done } from '@kc/rules/result';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type GoogleStage, googleStage, outcome } from '../../../test/support/google.ts';
import type { TestPerson } from '../../../test/support/provider.ts';
import { recordOf, uploadOf } from '../../../test/support/rows.ts';
import { cookieOf } from '../../../test/support/server.ts';
import { giveLink } from '../../../test/support/share-links.ts';
import { inTransaction } from '../../database/open.ts';
import { saveAndActivate } from '../../visualizations/ingest/activate.ts';
import { flipActive, insertVisualization } from '../../visualizations/queries.ts';
import { insertUpload } from '../../visualizations/upload/upload-queries.ts';
import { deleteAccount } from '../delete-account.ts';

const password = 'tulip-Harbor-9';
let stage: GoogleStage;
let admin: { id: string; email: string; cookie: string };
beforeAll(async () => {
  stage = await googleStage();
  admin = await stage.server.person({ role: 'admin' });
});
afterEach(() => vi.useRealTimers());
afterAll(() => stage.close());
beforeEach(() => stage.server.database.db.deleteFrom('rate_limits').execute());

const call = (method: string, path: string, body?: unknown, cookie?: string) =>
  stage.server.call(method, `/api${path}`, { body, cookie });
const signUp = (email: string) => call('POST', '/sign-up', { email, password, displayName: 'Mallory' });
const signIn = (email: string) => call('POST', '/session', { email, password, remember: false });
const session = async (cookie: string) => (await call('GET', '/session', undefined, cookie)).json();
const setStatus = (id: string, status: Status) => call('PUT', `/users/${id}/status`, { status }, admin.cookie);
const recordsOf = (email: string) =>
  stage.server.database.db.selectFrom('accounts').selectAll().where('email', '=', email).execute();
async function pair(email: string) {
  const records = await recordsOf(email);
  return { old: records.find((row) => row.migrated_to)!, fresh: records.find((row) => !row.migrated_to)! };
}
async function goAs({ sub }: TestPerson) {
  const browser = stage.browser();
  return { how: outcome(await browser.goAs(sub)), browser };
}
/** An account with an email that the person who signed up never proved. */
async function unproven(email: string, status: Status = 'pending') {
  await signUp(email);
  const { id } = (await recordsOf(email))[0]!;
  await setStatus(id, status);
  return id;
}

describe('S3 a user who proves an email that another person signed up with', () => {
  // Shows P18.5.
  test('gets a new account, and both records say so', async () => {
    const ann = stage.somebody({ name: 'Ann' });
    const oldId = await unproven(ann.email!);
    const { how, browser } = await goAs(ann);
    const { old, fresh } = await pair(ann.email!);
    expect([how, old.id, fresh.id === old.id]).toEqual(['done', oldId, false]);
    expect((await browser.session()).account).toMatchObject({ id: fresh.id, displayName: 'Ann', emailProven: true });
    expect([old.migrated_to, fresh.migrated_from]).toEqual([fresh.id, old.id]);
    expect([old.migrated_at, fresh.migrated_at]).toEqual([fresh.migrated_at, old.migrated_at]);
    expect(fresh.migrated_at).toBeInstanceOf(Date);
    const line = stage.server.database.db.selectFrom('audit_log').selectAll().where('action', '=', 'migrate');
    expect(await line.where('target', '=', old.id).execute()).toMatchObject([
      { actor: fresh.id, details: { to: fresh.id, status: 'pending' } },
    ]);
    const list: { id: string }[] = (await call('GET', '/users', undefined, admin.cookie)).json();
    expect(list.filter(({ id }) => id === old.id || id === fresh.id).map(({ id }) => id)).toEqual([fresh.id]);
  });

  test.each<[Status, Status]>([
    ['pending', 'pending'],
    ['approved', 'pending'],
    ['denied', 'denied'],
  ])('SEC-06 T21 comes as %s: %s', async (before, after) => {
    const ann = stage.somebody();
    await unproven(ann.email!, before);
    expect(await (await goAs(ann)).browser.session()).toMatchObject({ status: after, isAdmin: false });
    expect(await (await goAs(ann)).browser.session()).toMatchObject({ status: after });
  });

  test('keeps role and status of an account that an admin created for them', async () => {
    for (const status of ['approved', 'denied'] as const) {
      const ann = stage.somebody();
      const body = { email: ann.email, password, role: 'admin' };
      const { id } = (await call('POST', '/users', body, admin.cookie)).json();
      if (status === 'denied') await setStatus(id, status);
      const { browser } = await goAs(ann);
      expect(await browser.session()).toMatchObject({ status, isAdmin: status === 'approved' });
      expect((await pair(ann.email!)).fresh.created_by).toBe(admin.id);
      expect((await signIn(ann.email!)).statusCode).toBe(401);
    }
  });

  test('gets the visualizations, with the active one active, and the running uploads', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!);
    const records = [recordOf(oldId, { is_active: true }), recordOf(oldId)];
    for (const record of records) await insertVisualization(db, record);
    const upload = { ...uploadOf(oldId, 10), uploader_id: admin.id };
    await insertUpload(db, upload, new Date(stage.server.clock));
    await goAs(ann);
    const { fresh } = await pair(ann.email!);
    const moved = await db
      .selectFrom('visualizations')
      .select(['id', 'is_active'])
      .where('user_id', '=', fresh.id)
      .execute();
    expect(new Map(moved.map((row) => [row.id, row.is_active]))).toEqual(
      new Map(records.map((row) => [row.id, row.is_active])),
    );
    expect(await db.selectFrom('visualizations').select('id').where('user_id', '=', oldId).execute()).toEqual([]);
    const [row] = await db.selectFrom('uploads').select('user_id').where('id', '=', upload.id).execute();
    expect(row?.user_id).toBe(fresh.id);
  });

  test('gets what the import folder has begun, so that no file is imported twice', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!);
    const file = { place: 'new/list.csv', content_hash: Buffer.alloc(32), upload_id: 'begun' };
    await db
      .insertInto('imported_files')
      .values({ ...file, account_id: oldId, begun_at: new Date(stage.server.clock) })
      .execute();
    await goAs(ann);
    const { fresh } = await pair(ann.email!);
    const known = db.selectFrom('imported_files').select('account_id').where('upload_id', '=', file.upload_id);
    expect(await known.execute()).toEqual([{ account_id: fresh.id }]);
  });

  test('gets the saved views, and others keep their views of the data', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!);
    const record = recordOf(oldId, { is_active: true });
    await insertVisualization(db, record);
    const of = { owner_id: oldId, root_name: record.root_name, state: '', position: 0, created_at: new Date(0) };
    for (const account_id of [oldId, admin.id]) {
      await db
        .insertInto('saved_views')
        .values({ id: `view of ${account_id}`, account_id, name: 'Trail', ...of })
        .execute();
    }
    const { browser } = await goAs(ann);
    const { fresh } = await pair(ann.email!);
    await setStatus(fresh.id, 'approved');
    for (const [cookie, account_id] of [
      [browser.cookie(), oldId],
      [admin.cookie, admin.id],
    ] as const) {
      const views = await call('GET', `/visualizations/${record.id}/views`, undefined, cookie);
      expect(views.json()).toEqual([{ id: `view of ${account_id}`, name: 'Trail', state: '' }]);
    }
  });

  test('gets no links that open the data to whoever had the account', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!, 'approved');
    const record = recordOf(oldId, { is_active: true });
    await insertVisualization(db, record);
    const link = await giveLink(stage.server, { visualizationId: record.id, makerId: oldId });
    await goAs(ann);
    await setStatus((await pair(ann.email!)).fresh.id, 'approved');
    const opened = await call('GET', `/shared/${link.id}/page`, undefined, link.cookie);
    expect(opened.json()).toMatchObject({ data: { code: 'link/ended' } });
  });

  test('gets the plans', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!);
    const plan = { id: `plan of ${oldId}`, owner_id: oldId, of_sample: false, root_hash: 'a'.repeat(64) };
    await db
      .insertInto('plans')
      .values({ ...plan, created_at: new Date(0) })
      .execute();
    await goAs(ann);
    const { fresh } = await pair(ann.email!);
    const moved = db.selectFrom('plans').select('owner_id').where('id', '=', plan.id);
    expect(await moved.execute()).toEqual([{ owner_id: fresh.id }]);
  });

  test('gets the upload that was being read for the old record during the takeover', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!);
    await goAs(ann);
    const record = recordOf(oldId, { uploaded_by: admin.id });
    const log = stage.server.app.log as never;
    const may = async () => done(true);
    const mayImport = async () => done({ hasQuota: true });
    const activation = { db, flip: flipActive, mayUpload: may, mayImport, mayDo: may, log, now: Date.now };
    await saveAndActivate(activation, record);
    const { fresh } = await pair(ann.email!);
    const saved = db.selectFrom('visualizations').select(['user_id', 'is_active']).where('id', '=', record.id);
    expect(await saved.execute()).toEqual([{ user_id: fresh.id, is_active: true }]);
  });

  test('S8 is deleted with the old record and the records merged into it before', async () => {
    const { db } = stage.server.database;
    const ann = stage.somebody();
    const oldId = await unproven(ann.email!);
    const older = await stage.server.person({});
    await db
      .updateTable('accounts')
      .set({ email: ann.email!, migrated_to: oldId })
      .where('id', '=', older.id)
      .execute();
    await goAs(ann);
    expect(await recordsOf(ann.email!)).toHaveLength(3);
    const { id } = (await recordsOf(ann.email!)).find((row) => row.migrated_to === null)!;
    await inTransaction(db, (tx) => deleteAccount(tx, id));
    expect(await recordsOf(ann.email!)).toEqual([]);
  });

  test('T23 takes it over once, even from several browsers at the same time', async () => {
    const ann = stage.somebody();
    await unproven(ann.email!);
    const arrivals = await Promise.all(Array.from({ length: 6 }, () => goAs(ann)));
    expect(new Set(arrivals.map(({ how }) => how))).toEqual(new Set(['done']));
    expect(await recordsOf(ann.email!)).toHaveLength(2);
    const ids = await Promise.all(arrivals.map(async ({ browser }) => (await browser.session()).account?.id));
    expect(new Set(ids).size).toBe(1);
  });
});

describe('T20 a person who signed up with the email of another', () => {
  test('with a password, cannot sign in with it any more', async () => {
    const ann = stage.somebody();
    await unproven(ann.email!);
    await goAs(ann);
    expect((await signIn(ann.email!)).json().data.code).toBe('sign-in/wrong-password');
    expect((await signUp(ann.email!)).json().data.code).toBe('sign-up/in-use');
  });

  test('with a session, is signed out, and their stream ends', async () => {
    const ann = stage.somebody();
    await unproven(ann.email!);
    const cookie = cookieOf(await signIn(ann.email!));
    // No heartbeat comes, which would end it, too.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const stream = stage.server.call('GET', '/api/events', { cookie });
    const open = stage.server.database.db.selectFrom('event_streams').selectAll();
    await expect.poll(() => open.execute()).toHaveLength(1);
    await goAs(ann);
    expect((await stream).statusCode).toBe(200);
    const { old } = await pair(ann.email!);
    const kept = stage.server.database.db.selectFrom('sessions').select('id').where('account_id', '=', old.id);
    expect(await kept.execute()).toEqual([]);
    expect((await session(cookie)).isAuthenticated).toBe(false);
  });

  test('with an identity of their own, loses the account', async () => {
    const ann = stage.somebody();
    const mallory = stage.somebody({ email: ann.email!, email_verified: false });
    const held = await goAs(mallory);
    expect(held.how).toBe('done');
    expect((await goAs(ann)).how).toBe('done');
    expect((await held.browser.session()).isAuthenticated).toBe(false);
    expect((await goAs(mallory)).how).toBe('sign-up/in-use');
  });

  test('with a mailed link, finds it used up', async () => {
    const ann = stage.somebody();
    await unproven(ann.email!);
    await call('POST', '/reset-password/request', { email: ann.email });
    const tokens = () =>
      stage.server.mails
        .filter(({ to }) => to === ann.email)
        .flatMap(({ text }) => [.../(reset-password|verify-email)#([\w-]{43})/.exec(text)!].slice(1, 3))
        .filter((text) => text.length === 43);
    await expect.poll(tokens).toHaveLength(2);
    const { browser } = await goAs(ann);
    const { old } = await pair(ann.email!);
    const kept = stage.server.database.db.selectFrom('tokens').select('purpose').where('account_id', '=', old.id);
    expect(await kept.execute()).toEqual([]);
    for (const token of tokens()) {
      const reset = await call('POST', '/reset-password', { token, password: 'violet-Quarry-77-lamp' });
      expect(reset.json().data.code).toBe('reset/invalid');
      const verified = await call('POST', '/verify-email', { token }, browser.cookie());
      expect(verified.json().data.code).toBe('verify/invalid');
    }
  });

  test('with a provider that proves nothing, gets into no existing account', async () => {
    const { email } = stage.somebody();
    const id = await unproven(email!);
    for (const email_verified of [undefined, false, 'true', 1, {}]) {
      expect((await goAs(stage.somebody({ email: email!, email_verified }))).how).toBe('sign-up/in-use');
    }
    expect((await recordsOf(email!)).map((row) => [row.id, row.migrated_to])).toEqual([[id, null]]);
  });

  test('with an identity of their own, loses the account once the owner proves the email by a mailed link', async () => {
    const owner = stage.somebody();
    const mallory = stage.somebody({ email: owner.email!, email_verified: false });
    await goAs(mallory);
    const [before] = await recordsOf(owner.email!);
    await resetPassword(owner.email!);
    expect((await goAs(mallory)).how).toBe('sign-up/in-use');
    expect((await (await goAs(owner)).browser.session()).account?.id).toBe(before!.id);
    // An identity that was linked with a proof stays.
    await resetPassword(owner.email!);
    expect((await (await goAs(owner)).browser.session()).account?.id).toBe(before!.id);
    expect(
      await stage.server.database.db
        .selectFrom('identities')
        .select('sub')
        .where('account_id', '=', before!.id)
        .execute(),
    ).toEqual([{ sub: owner.sub }]);
  });
});

let resets = 0;
async function resetPassword(email: string): Promise<void> {
  const letters = () => stage.server.mails.filter(({ to, text }) => to === email && text.includes('/reset-password#'));
  const before = letters().length;
  await call('POST', '/reset-password/request', { email });
  await expect.poll(letters).toHaveLength(before + 1);
  const token = /reset-password#([\w-]{43})/.exec(letters().at(-1)!.text)![1]!;
  const answer = await call('POST', '/reset-password', { token, password: `violet-Quarry-${resets++}-lamp` });
  expect(answer.statusCode).toBe(200);
}
