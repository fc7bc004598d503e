import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { builtInEmail, type TestServer, testServer } from '../../test/support/server.ts';
import { PreparingClient } from '../database/open.ts';
import type { LinkMails } from './link-mails.ts';
import { createPasswords, HashingBusy, type Passwords } from './passwords.ts';

/**
 * Equal response times, tested without a clock: password hashes and SQL statements are counted and must be the same
 * whether or not the account exists. `npm run bench -- timing` measures the times.
 */
const password = 'tulip-Harbor-9';
let server: TestServer;
let hashes = 0;
let statements: string[] = [];
let busy = false;
let fresh = 0;

beforeAll(async () => {
  const real = await createPasswords();
  const passwords: Passwords = {
    ...real,
    hash: (text) => counted(() => real.hash(text)),
    verify: (stored, text) => counted(() => real.verify(stored, text)),
  };
  // A job writes the mails. Its work is not part of the request and is not counted.
  const mails: LinkMails = {
    enqueue: async (tx) => void (await sql`select 'a letter is queued'`.execute(tx)),
    stop: async () => undefined,
  };
  server = await testServer({}, { passwords, mails });
  const at = new Date(server.clock);
  await server.database.db
    .insertInto('accounts')
    .values({ id: 'built-in', email: builtInEmail, built_in: true, created_at: at, updated_at: at })
    .execute();
  member = newEmail();
  expect((await post('/sign-up', { email: member, password, displayName: 'Jo' })).statusCode).toBe(200);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...asked: unknown[]): never {
    if (this instanceof PreparingClient) statements.push(textOf(asked[0]));
    return Reflect.apply(query, this, asked) as never;
  });
});
afterEach(() => {
  busy = false;
});

const textOf = (statement: unknown): string =>
  typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : String(statement);

function counted<T>(work: () => Promise<T>): Promise<T> {
  if (busy) throw new HashingBusy('Too many passwords to hash');
  hashes++;
  return work();
}

const newEmail = () => `somebody-${fresh++}@example.org`;
const address = () => `10.1.${fresh >> 8}.${fresh++ & 255}`;
const post = (path: string, body: object, from = address()) => server.call('POST', `/api${path}`, { body, from });
const signIn = (email: string, from = address()) =>
  post('/session', { email, password: 'not-the-password', remember: false }, from);

/** The email of a user with an account and a password. */
let member: string;

/** The response to a call and its work: the number of password hashes, and the SQL statements in order. */
async function workOf(call: () => Promise<{ statusCode: number }>) {
  const before = hashes;
  statements = [];
  const { statusCode } = await call();
  return { statusCode, hashes: hashes - before, statements };
}

test('T8 a wrong password, an unknown email and an account without a password take the same work', async () => {
  const known = await workOf(() => signIn(member));
  expect(known.statusCode).toBe(401);
  expect(known.hashes).toBe(1);
  expect(known.statements.length).toBeGreaterThan(4);
  expect(await workOf(() => signIn(newEmail()))).toEqual(known);
  expect(await workOf(() => signIn(builtInEmail))).toEqual(known);
});

test('T8 the work is the same if nothing more may be revealed to this address', async () => {
  const from = address();
  for (let i = 0; i < 10; i++) await signIn(newEmail(), from);
  const known = await workOf(() => signIn(member, from));
  const unknown = await workOf(() => signIn(newEmail(), from));
  expect(unknown).toEqual(known);
});

test('T8 SEC-15 a reset request for a known and an unknown email takes the same work', async () => {
  const ask = (email: string) => workOf(() => post('/reset-password/request', { email }));
  const known = await ask(member);
  expect([known.statusCode, known.hashes]).toEqual([200, 0]);
  expect(known.statements.length).toBeGreaterThan(2);
  expect(await ask(newEmail())).toEqual(known);
  expect(await ask(builtInEmail)).toEqual(known);
});

test('T8 a sign-up takes the same hashing for a taken email as for a free one', async () => {
  const signUp = (email: string) => workOf(() => post('/sign-up', { email, password, displayName: 'Jo' }));
  const [taken, free] = [await signUp(member), await signUp(newEmail())];
  expect([taken.statusCode, free.statusCode]).toEqual([409, 200]);
  expect([taken.hashes, free.hashes]).toEqual([1, 1]);
});

test('T7 of a hundred simultaneous wrong attempts, ten reach the hash', async () => {
  const from = address();
  const before = hashes;
  const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(member, from)));
  expect(hashes - before).toBe(10);
  expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(90);
  // The owner signs in from another address and succeeds.
  const own = await post('/session', { email: member, password, remember: false });
  expect(own.statusCode).toBe(200);
});

test('REL-31 with too many hashes queued a sign-in is refused with a retry after one second', async () => {
  busy = true;
  const answer = await signIn(newEmail());
  expect([answer.statusCode, answer.json().data]).toEqual([429, { code: 'sign-in/too-many', params: { seconds: 1 } }]);
});
