import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changedTables, digest } from '../../test/support/digest.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer(
    {},
    {
      // These tests are not about hashing.
      passwords: { hash: async () => 'hashed', verify: async () => false, isOutdated: () => false },
      mails: { enqueue: async () => undefined, stop: async () => undefined },
    },
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('rate_limits').execute();
  await server.database.db.deleteFrom('accounts').execute();
});

const fields = { email: 'jo@example.org', password: 'tulip-Harbor-9', displayName: 'Jo' };
const post = (payload: string) =>
  server.app.inject({
    method: 'POST',
    url: '/api/sign-up',
    headers: { origin: 'http://localhost:3000', 'content-type': 'application/json' },
    payload,
  });
const accounts = () => server.database.db.selectFrom('accounts').selectAll().execute();

/** Members that a client may not set, named as in a row, a response, another product or a prototype. */
const extras: readonly Record<string, unknown>[] = [
  { role: 'admin' },
  { role: 'user' },
  { status: 'approved' },
  { status: 'pending' },
  { isAdmin: true },
  { is_admin: true },
  { admin: 1 },
  { roles: ['admin'] },
  { isApproved: true },
  { approved: true },
  { id: 'mine' },
  { uid: 'mine' },
  { uniqueId: 'mine' },
  { userId: 'mine' },
  { account_id: 'mine' },
  { emailVerified: true },
  { emailProven: true },
  { email_proven_at: '2026-01-01T00:00:00Z' },
  { createdBy: 'admin' },
  { created_by: 'admin' },
  { createdAt: 0 },
  { updatedAt: 0 },
  { lastLogin: 0 },
  { built_in: true },
  { isPrimaryAdmin: true },
  { is_sample: true },
  { isSample: true },
  { migratedTo: 'x' },
  { migrated_from: 'x' },
  { autoApprove: true },
  { openRegistration: true },
  { settings: { autoApprove: true } },
  { photoURL: 'https://evil.example/x.png' },
  { photo_url: 'https://evil.example/x.png' },
  { account: { role: 'admin' } },
  { user: { status: 'approved' } },
  { data: { ...fields, role: 'admin' } },
  { json: { ...fields, role: 'admin' } },
  { meta: [] },
  { password_hash: 'x' },
  { confirmation: fields.password },
  { '': 'x' },
  { ' role': 'admin' },
  { toString: 'x' },
  { $set: { role: 'admin' } },
];

test.each(extras.map((extra) => JSON.stringify({ ...fields, ...extra })))(
  'T1 the body %s is refused as a whole',
  async (payload) => {
    const before = await digest(server.database.db);
    const answer = await post(payload);
    expect([answer.statusCode, answer.json().data.code]).toEqual([422, 'request/invalid']);
    expect(changedTables(before, await digest(server.database.db))).toEqual([]);
  },
);

/** Members as JSON text, because an object literal cannot express them. */
const written: readonly string[] = [
  '"__proto__":{"role":"admin"}',
  '"__proto__":{"status":"approved","role":"admin"}',
  '"constructor":{"prototype":{"role":"admin"}}',
  '"\\u005f_proto__":{"role":"admin"}',
  '"email":{"email":"jo@example.org","role":"admin"}',
  '"email":["jo@example.org","root@example.com"]',
  '"displayName":{"toString":"x"}',
  '"displayName":["Jo"]',
  '"password":["tulip-Harbor-9"]',
  '"password":{"$ne":""}',
  '"proof":{"role":"admin"}',
  '"proof":{}',
  '"role":"user","role":"admin"',
];

test.each(written)('T1 a sign-up with %s is refused as a whole', async (member) => {
  const before = await digest(server.database.db);
  const answer = await post(`${JSON.stringify(fields).slice(0, -1)},${member}}`);
  expect([400, 422]).toContain(answer.statusCode);
  expect(answer.json().data.code).toBe('request/invalid');
  expect(changedTables(before, await digest(server.database.db))).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const long = (count: number) => 'a'.repeat(count);

/** Emails as typed and as stored; without the latter, the email is refused. Source: SECURITY.md, T2. */
const emails: readonly (readonly [typed: string, stored?: string])[] = [
  ['ann@example.com', 'ann@example.com'],
  ['ANN@EXAMPLE.COM', 'ann@example.com'],
  [' ann@example.com', 'ann@example.com'],
  ['ann@example.com\t', 'ann@example.com'],
  ['\nann@example.com\r\n', 'ann@example.com'],
  ['\u00a0ann@example.com\ufeff', 'ann@example.com'],
  ['a@b.co', 'a@b.co'],
  ['ann+shop@example.com', 'ann+shop@example.com'],
  ['ann.b@example.com', 'ann.b@example.com'],
  ['a-b_c@example.com', 'a-b_c@example.com'],
  ["o'neill@example.com", "o'neill@example.com"],
  ['!#$%&*/=?^`{|}~@example.com', '!#$%&*/=?^`{|}~@example.com'],
  ['1@2.34', '1@2.34'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['ann@a.b.c.d.example', 'ann@a.b.c.d.example'],
  ['ann@ex--ample.com', 'ann@ex--ample.com'],
  ['.ann@example.com', '.ann@example.com'],
  [`${long(64)}@example.com`, `${long(64)}@example.com`],
  [`${long(242)}@example.com`, `${long(242)}@example.com`],
  [`${long(243)}@example.com`],
  [`ann@${long(300)}.com`],
  [long(10_000)],
  ['ann'],
  ['ann@'],
  ['@example.com'],
  ['@'],
  ['ann@example'],
  ['ann@.com'],
  ['ann@example.'],
  ['ann@example.com.'],
  ['ann@example..com'],
  ['ann..b@example.com'],
  ['ann@-example.com'],
  ['ann@example-.com'],
  ['ann@example.com-'],
  ['ann@exam_ple.com'],
  ['ann@@example.com'],
  ['ann@b@example.com'],
  ['ann@example.com,ben@example.com'],
  ['ann@example.com;ben@example.com'],
  ['ann@example.com ben@example.com'],
  ['an n@example.com'],
  ['ann@exa mple.com'],
  ['ann @example.com'],
  ['"ann"@example.com'],
  ['"a b"@example.com'],
  ['<ann@example.com>'],
  ['Ann <ann@example.com>'],
  ['mailto:ann@example.com'],
  ['ann(comment)@example.com'],
  ['ann@[127.0.0.1]'],
  ['ann@example.com\r\nBcc: ben@example.com'],
  ['ann@example.com\nX: y'],
  ['ann\0@example.com'],
  ['ann@example.com\0'],
  ['ann\u200b@example.com'],
  ['ann\u202e@example.com'],
  ['änn@example.com'],
  ['ann@exämple.com'],
  ['аnn@example.com'],
  ['\u212aim@example.com'],
  ['\uff41nn@example.com'],
  ['ann＠example.com'],
  ['ann@example。com'],
];

test.each(emails)('T2 the email %j is stored as %j', async (typed, stored) => {
  const answer = await post(JSON.stringify({ ...fields, email: typed }));
  const rows = (await accounts()).map(({ email }) => email);
  if (stored === undefined) expect([answer.json().data.code, rows]).toEqual(['sign-in/invalid-email', []]);
  else expect([answer.statusCode, rows]).toEqual([200, [stored]]);
});

test('T2 one email in any of its spellings is one account', async () => {
  for (const [typed] of emails.slice(0, 6)) await post(JSON.stringify({ ...fields, email: typed }));
  expect((await accounts()).map(({ email }) => email)).toEqual(['ann@example.com']);
});
