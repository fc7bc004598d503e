import { limits } from '@kc/rules/limits';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertTestAccount } from '../../test/support/account.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { forgetEnded } from '../forget-ended.ts';
import {
  endAllSessions,
  endSession,
  readSession,
  readSessionById,
  readSessions,
  rotateIfDue,
  rotateSession,
  rotateSoon,
  startSession,
} from './sessions.ts';

const now = Date.UTC(2026, 0, 15);
const graceMs = 30_000;
let database: TestDatabase;
let ann: string;
let ben: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('accounts').execute();
  [ann, ben] = [await account(), await account()];
});

const account = () => insertTestAccount(database.db, now);
const start = (accountId: string, remembered = false) => startSession(database.db, accountId, remembered, now);
const holder = async (token: string, at = now) => (await readSession(database.db, token, at))?.account.id;
const seen = async (accountId: string) =>
  (await database.db.selectFrom('sessions').select('last_seen_at').where('account_id', '=', accountId).execute()).map(
    (row) => row.last_seen_at.getTime() - now,
  );

test('a token opens only the session of its own account', async () => {
  const [anns, bens] = [await start(ann), await start(ben)];
  expect([await holder(anns), await holder(bens), await holder('x')]).toEqual([ann, ben, undefined]);
  const { sessionId } = (await readSession(database.db, bens, now))!;
  expect((await readSessionById(database.db, sessionId, now))?.account.id).toBe(ben);
  expect(await readSessionById(database.db, 'x', now)).toBeUndefined();
});

test('T12 a session ends on time, however often it was used', async () => {
  const token = await start(ann);
  expect(await holder(token, now + limits.sessionMs - 1)).toBe(ann);
  expect(await holder(token, now + limits.sessionMs)).toBeUndefined();
});

test('T12 a remembered session ends after a week without use, and after thirty days in any case', async () => {
  const [seldom, often] = [await start(ann, true), await start(ben, true)];
  expect(await holder(seldom, now + limits.rememberedIdleMs + 1)).toBeUndefined();
  for (let at = now; at < now + limits.rememberedSessionMs; at += limits.rememberedIdleMs) {
    expect(await holder(often, at)).toBe(ben);
  }
  expect(await holder(often, now + limits.rememberedSessionMs)).toBeUndefined();
});

test('the last use of a session is saved every five minutes, for that session only', async () => {
  const token = await start(ann);
  await start(ben);
  await holder(token, now + 300_000);
  expect([await seen(ann), await seen(ben)]).toEqual([[0], [0]]);
  await holder(token, now + 300_001);
  expect([await seen(ann), await seen(ben)]).toEqual([[300_001], [0]]);
});

test('S3 a session of an account that is marked migrated opens nothing', async () => {
  const token = await start(ann);
  await database.db.updateTable('accounts').set({ migrated_to: ben }).where('id', '=', ann).execute();
  expect(await holder(token)).toBeUndefined();
});

test('T11 ending one session ends no other, and ending all of a user’s sessions ends nobody else’s', async () => {
  const [one, two, bens] = [await start(ann), await start(ann), await start(ben)];
  expect(await endSession(database.db, one)).toBe(ann);
  expect(await endSession(database.db, one)).toBeUndefined();
  expect([await holder(one), await holder(two), await holder(bens)]).toEqual([undefined, ann, ben]);
  await endAllSessions(database.db, ann);
  expect([await holder(two), await holder(bens)]).toEqual([undefined, ben]);
});

test('T9 after a change of role the previous token is valid for half a minute, and can still end the session', async () => {
  const [token, other] = [await start(ann), await start(ben)];
  await rotateSoon(database.db, ann);
  const due = (await readSession(database.db, token, now))!;
  expect([due.rotationDue, (await readSession(database.db, other, now))?.rotationDue]).toEqual([true, false]);
  const fresh = (await rotateIfDue(database.db, due, token, now))!.token;
  expect([await holder(fresh), await holder(token), await holder(other)]).toEqual([ann, ann, ben]);
  expect((await readSession(database.db, token, now))?.rotationDue).toBe(false);
  expect(await rotateIfDue(database.db, due, token, now)).toBeUndefined();
  expect(await holder(token, now + graceMs - 1)).toBe(ann);
  expect(await holder(token, now + graceMs)).toBeUndefined();
  expect(await holder(fresh, now + graceMs)).toBe(ann);
  expect(await endSession(database.db, token)).toBe(ann);
  expect(await holder(fresh)).toBeUndefined();
});

test('T9 after a step-up the previous tokens are invalid', async () => {
  const token = await start(ann);
  const other = await start(ben);
  const { sessionId } = (await readSession(database.db, token, now))!;
  const rotated = (await rotateSession(database.db, sessionId))!;
  expect([await holder(token), await holder(rotated.token), await holder(other)]).toEqual([undefined, ann, ben]);
});

test('expired sessions are deleted, and no others', async () => {
  const [token, remembered] = [await start(ann), await start(ben, true)];
  await forgetEnded(database.db, now + limits.sessionMs);
  expect(await holder(token)).toBe(ann);
  await forgetEnded(database.db, now + limits.sessionMs + 1);
  expect([await holder(token), await holder(remembered)]).toEqual([undefined, ben]);
});

test('tokens looked up at once each get their own result, in order, including repeated and unknown ones', async () => {
  const [anns, bens] = [await start(ann), await start(ben)];
  const asked = [bens, 'nobody’s', anns, bens];
  const found = await readSessions(database.db, asked, now);
  expect(found.map((session) => session?.account.id)).toEqual([ben, undefined, ann, ben]);
  expect(await readSessions(database.db, ['nobody’s'], now)).toEqual([undefined]);
  await endSession(database.db, anns);
  const after = await readSessions(database.db, asked, now);
  expect(after.map((session) => session?.account.id)).toEqual([ben, undefined, undefined, ben]);
});
