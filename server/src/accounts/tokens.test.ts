import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertTestAccount } from '../../test/support/account.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { forgetEnded } from '../forget-ended.ts';
import { consumeToken, issueToken, type Purpose, readToken } from './tokens.ts';

const now = Date.UTC(2026, 0, 15);
const lifeMs = 60_000;
let database: TestDatabase;
let ann: string;
let ben: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  [ann, ben] = [await account(), await account()];
});

const account = () => insertTestAccount(database.db, now);
const issue = (purpose: Purpose, accountId: string) => issueToken(database.db, purpose, accountId, lifeMs, now);
const read = async (purpose: Purpose, token: string, at = now) =>
  (await readToken(database.db, purpose, token, at))?.accountId;
const consume = (purpose: Purpose, token: string, at = now) => consumeToken(database.db, purpose, token, at);

test('SEC-14 a token belongs to its account until it is used', async () => {
  const [anns, bens] = [await issue('reset', ann), await issue('reset', ben)];
  expect([await read('reset', anns), await read('reset', bens)]).toEqual([ann, ben]);
  expect(await consume('reset', anns)).toBe(true);
  expect([await read('reset', anns), await read('reset', bens)]).toEqual([undefined, ben]);
  expect(await consume('reset', anns)).toBe(false);
  expect(await consume('reset', bens)).toBe(true);
});

test.each(['claim', 'verify'] as const)('SEC-14 a reset token is none to %s', async (other) => {
  const token = await issue('reset', ann);
  expect([await read(other, token), await consume(other, token)]).toEqual([undefined, false]);
  expect(await consume('reset', token)).toBe(true);
});

test('SEC-14 a token expires at the end of its lifetime, not before', async () => {
  const token = await issue('verify', ann);
  expect([await read('verify', token, now + lifeMs - 1), await read('verify', token, now + lifeMs)]).toEqual([
    ann,
    undefined,
  ]);
  expect(await consume('verify', token, now + lifeMs)).toBe(false);
  expect(await consume('verify', token, now + lifeMs - 1)).toBe(true);
});

test('SEC-14 a text that was never a token is invalid', async () => {
  await issue('reset', ann);
  expect([await read('reset', 'x'), await consume('reset', 'x')]).toEqual([undefined, false]);
});

test('a new token ends the earlier one of its account and purpose, and no other', async () => {
  const [reset, verify, bens] = [await issue('reset', ann), await issue('verify', ann), await issue('reset', ben)];
  const fresh = await issue('reset', ann);
  expect([await read('reset', reset), await read('reset', fresh)]).toEqual([undefined, ann]);
  expect([await read('verify', verify), await read('reset', bens)]).toEqual([ann, ben]);
});

test('S3 a token of an account that is marked migrated opens nothing', async () => {
  const token = await issue('reset', ann);
  await database.db.updateTable('accounts').set({ migrated_to: ben }).where('id', '=', ann).execute();
  expect(await read('reset', token)).toBeUndefined();
});

test('the owner of a token is returned with whether the email is proven', async () => {
  const [anns, bens] = [await issue('reset', ann), await issue('reset', ben)];
  await database.db
    .updateTable('accounts')
    .set({ email_proven_at: new Date(now) })
    .where('id', '=', ann)
    .execute();
  expect(await readToken(database.db, 'reset', anns, now)).toMatchObject({ emailProven: true });
  expect(await readToken(database.db, 'reset', bens, now)).toMatchObject({ emailProven: false });
});

test('expired tokens are deleted, and no others', async () => {
  const token = await issue('reset', ann);
  await forgetEnded(database.db, now + lifeMs);
  expect(await read('reset', token)).toBe(ann);
  await forgetEnded(database.db, now + lifeMs + 1);
  const left = await database.db.selectFrom('tokens').selectAll().where('account_id', '=', ann).execute();
  expect(left).toEqual([]);
});
