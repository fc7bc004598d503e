import { limits } from '@kc/rules/limits';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cheapHash } from '../../test/support/passwords.ts';
import { builtInEmail, cookieOf, type TestServer, testServer } from '../../test/support/server.ts';
import { issueClaim } from './claim.ts';
import { savePassword } from './queries.ts';
import { issueToken } from './tokens.ts';

const password = 'violet-Quarry-77-lamp';
let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('accounts').execute();
  await server.database.db.deleteFrom('rate_limits').execute();
});

type Purpose = 'claim' | 'reset' | 'verify' | 'step-up' | 'forceDelete';
/** An account with a token of each purpose: an admin whose email is in `ADMIN_EMAILS` only during the claim. */
type Holder = { id: string; cookie: string; tokens: Record<Purpose, string> };

async function holder(): Promise<Holder> {
  const { db } = server.database;
  const now = server.clock;
  const admin = await server.person({ role: 'admin' });
  await savePassword(db, admin.id, cheapHash(password), now);
  const stepped = await server.call('POST', '/api/session/step-up', { body: { password }, cookie: admin.cookie });
  const cookie = cookieOf(stepped);
  const { stepUp } = stepped.json();
  const { idToken } = (await server.call('POST', '/api/session/id-token', { body: { stepUp }, cookie })).json();
  const tokens = {
    claim: await issueClaim(db, await reserved(), now),
    reset: await issueToken(db, 'reset', admin.id, limits.resetLinkMs, now),
    verify: await issueToken(db, 'verify', admin.id, limits.verifyLinkMs, now),
    'step-up': stepUp,
    forceDelete: idToken,
  };
  return { id: admin.id, cookie, tokens };
}

async function reserved(): Promise<string> {
  const at = new Date(server.clock);
  const row = { id: 'reserved', email: builtInEmail, built_in: true, created_at: at, updated_at: at };
  await server.database.db
    .insertInto('accounts')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute();
  return row.id;
}

/** Uses a token of each purpose, in the browser with this cookie. @returns the status of the response */
const uses: Record<Purpose, (token: string, cookie: string) => Promise<number>> = {
  claim: (token) => post('/claim', { token, password }),
  reset: (token) => post('/reset-password', { token, password }),
  verify: (token, cookie) => post('/verify-email', { token }, cookie),
  'step-up': (token, cookie) => post('/session/id-token', { stepUp: token }, cookie),
  forceDelete: async (token, cookie) => {
    const { id } = await server.person({});
    return post('/forceDeleteUser', { userId: id, idToken: token }, cookie);
  },
};

async function post(path: string, body: unknown, cookie?: string): Promise<number> {
  return (await server.call('POST', `/api${path}`, { body, cookie })).statusCode;
}

const purposes = Object.keys(uses) as Purpose[];
const crossings = purposes.flatMap((of) => purposes.filter((as) => as !== of).map((as) => [of, as] as const));

test.each(crossings)(
  'SEC-14 a token for %s does nothing for %s, and the attempt does not use it up',
  async (of, as) => {
    const { tokens, cookie } = await holder();
    expect(await uses[as](tokens[of], cookie)).toBeGreaterThanOrEqual(400);
    expect(await uses[of](tokens[of], cookie)).toBe(200);
  },
);

test.each(['verify', 'step-up', 'forceDelete'] as const)(
  'SEC-14 a token for %s is invalid for another account, and for another session if it is bound to one',
  async (purpose) => {
    const { id, tokens, cookie } = await holder();
    const other = await server.person({ role: 'admin' });
    expect(await uses[purpose](tokens[purpose], other.cookie)).toBeGreaterThanOrEqual(400);
    const { email } = await server.database.db
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const elsewhere = await server.call('POST', '/api/session', { body: { email, password, remember: false } });
    if (purpose !== 'verify') {
      expect(await uses[purpose](tokens[purpose], cookieOf(elsewhere))).toBeGreaterThanOrEqual(400);
    }
    expect(await uses[purpose](tokens[purpose], cookie)).toBe(200);
  },
);

const single = ['claim', 'reset', 'verify', 'forceDelete'] as const;

test.each(single)('SEC-14 of fifty simultaneous uses of a token for %s, one succeeds', async (purpose) => {
  const { tokens, cookie } = await holder();
  const statuses = await Promise.all(Array.from({ length: 50 }, () => uses[purpose](tokens[purpose], cookie)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
});

const lives: Record<Purpose, number> = {
  claim: 24 * 3_600_000,
  reset: 30 * 60_000,
  verify: 24 * 3_600_000,
  'step-up': 10 * 60_000,
  forceDelete: 60_000,
};

test.each(purposes)('SEC-14 a token for %s expires at the end of its lifetime', async (purpose) => {
  const start = server.clock;
  const { id, tokens } = await holder();
  server.clock = start + lives[purpose];
  // A new session, because the earlier one may have ended as well, which this test is not about.
  const { db } = server.database;
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(start + 48 * 3_600_000) })
    .execute();
  const { cookie } = await sessionOf(id);
  expect(await uses[purpose](tokens[purpose], cookie)).toBeGreaterThanOrEqual(400);
  server.clock = start;
});

async function sessionOf(id: string): Promise<{ cookie: string }> {
  const { email } = await server.database.db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const answer = await server.call('POST', '/api/session', { body: { email, password, remember: false } });
  return { cookie: cookieOf(answer) };
}

test('SEC-14 no row of any table holds a token or a cookie that can be used', async () => {
  const { tokens, cookie } = await holder();
  const owner = new pg.Client(server.database.owner);
  await owner.connect();
  const tables = await owner.query<{ name: string }>(`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`);
  const secrets = [...Object.values(tokens), cookie.split('=')[1]!];
  /** Each secret as text, as the bytes of that text, and as the bytes that it encodes. */
  const forms = secrets.flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret, 'base64url').toString('hex'),
  ]);
  let rows = 0;
  for (const { name } of tables.rows) {
    const { rows: found } = await owner.query<{ row: string }>(`select t::text as row from ${name} t`);
    rows += found.length;
    for (const { row } of found) for (const form of forms) expect(row.includes(form), name).toBe(false);
  }
  await owner.end();
  expect(tables.rows.length).toBeGreaterThan(10);
  expect(rows).toBeGreaterThan(8);
});
