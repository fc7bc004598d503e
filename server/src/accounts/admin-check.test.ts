import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInEmail, type TestServer, testServer } from '../../test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const fix = async (cookie: string) => (await server.call('POST', '/api/admin-check/fix', { cookie })).json();
const stored = (id: string) =>
  server.database.db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const change = (id: string, to: { email?: string; email_proven_at?: Date }) =>
  server.database.db.updateTable('accounts').set(to).where('id', '=', id).execute();

test('S2 a listed email makes nobody an admin until it is proven for this account', async () => {
  const squatter = await server.person({});
  await change(squatter.id, { email: builtInEmail });
  const session = (await server.call('GET', '/api/session', { cookie: squatter.cookie })).json();
  expect(session).toMatchObject({ isAdmin: false, account: { inAdminList: true } });
  expect(await fix(squatter.cookie)).toEqual({ updated: false });
  expect(await stored(squatter.id)).toMatchObject({ role: 'user', status: 'approved' });

  await change(squatter.id, { email_proven_at: new Date(server.clock) });
  expect(await fix(squatter.cookie)).toEqual({ updated: true });
  expect(await stored(squatter.id)).toMatchObject({ role: 'admin', status: 'approved' });
});

test('a proven email that is not listed gives no rights', async () => {
  const user = await server.person({});
  await change(user.id, { email_proven_at: new Date(server.clock) });
  expect(await fix(user.cookie)).toEqual({ updated: false });
  expect(await stored(user.id)).toMatchObject({ role: 'user' });
});

test('an admin appointed by another admin is not a listed one, and stays an admin', async () => {
  const admin = await server.person({ role: 'admin' });
  expect(await fix(admin.cookie)).toEqual({ updated: false });
  expect(await stored(admin.id)).toMatchObject({ role: 'admin' });
});

test('SEC-26 a stored correction is in the audit log once', async () => {
  const lines = await server.database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'admin-fix')
    .execute();
  expect(lines.map(({ details }) => details)).toEqual([
    { from: { role: 'user', status: 'approved' }, to: { role: 'admin', status: 'approved' } },
  ]);
});
