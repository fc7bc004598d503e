import type { DuplicateReport } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import type { ListedAccount } from '@kc/rules/shapes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtInEmail, type TestServer, testServer } from '../../test/support/server.ts';
import { addTwin, allowTwins } from '../../test/support/twins.ts';

let server: TestServer;
let admin: { id: string; email: string; cookie: string };
beforeEach(async () => {
  server = await testServer();
  await allowTwins(server);
  admin = await server.person({ role: 'admin' });
});
afterEach(() => server.close());

const report = async (): Promise<DuplicateReport> =>
  (await server.call('GET', '/api/users/duplicates', { cookie: admin.cookie })).json();
const clean = async (): Promise<number> =>
  (await server.call('POST', '/api/users/clean-duplicates', { cookie: admin.cookie })).json().marked;
const ids = (accounts: readonly ListedAccount[]) => accounts.map(({ id }) => id).sort();
const migrated = async () => {
  const rows = await server.database.db
    .selectFrom('accounts')
    .select('id')
    .where('migrated_to', 'is not', null)
    .execute();
  return rows.map(({ id }) => id).sort();
};

test('the report shows what a clean-up would do, and changes nothing', async () => {
  const kept = await addTwin(server, { email: 'ann@example.org', proven: true });
  const late = await addTwin(server, { email: 'ann@example.org', lastLogin: server.clock });
  const denied = await addTwin(server, { email: 'ann@example.org', status: 'denied' });
  const first = await addTwin(server, { email: 'ben@example.org', lastLogin: 2 });
  const second = await addTwin(server, { email: 'ben@example.org', lastLogin: 1 });

  const { emails, merges, groups } = await report();
  expect([emails, merges]).toEqual([2, 3]);
  expect(groups.map(({ email, kept: one, merged, statusAfter }) => [email, one.id, ids(merged), statusAfter])).toEqual([
    ['ann@example.org', kept, [late, denied].sort(), 'denied'],
    ['ben@example.org', first, [second], 'approved'],
  ]);
  expect(await migrated()).toEqual([]);

  expect(await clean()).toBe(merges);
  expect(await migrated()).toEqual(groups.flatMap(({ merged }) => ids(merged)).sort());
  const users = (await server.call('GET', '/api/users', { cookie: admin.cookie })).json<ListedAccount[]>();
  for (const group of groups) {
    expect(users.find(({ id }) => id === group.kept.id)?.status, group.email).toBe(group.statusAfter);
  }
  expect(await report()).toEqual({ emails: 0, merges: 0, groups: [] });
});

test("the current admin's own account is reported as untouched, and stays", async () => {
  const rival = await addTwin(server, { email: admin.email, proven: true });
  const { merges, groups } = await report();
  expect(merges).toBe(0);
  expect(groups.map(({ kept, merged, untouched }) => [kept.id, ids(merged), ids(untouched)])).toEqual([
    [rival, [], [admin.id]],
  ]);
  expect(await clean()).toBe(0);
});

test('a proven built-in administrator stays active next to a denied account', async () => {
  await server.database.db.deleteFrom('accounts').where('email', '=', builtInEmail).execute();
  await addTwin(server, { email: builtInEmail, proven: true, role: 'admin', status: 'pending' });
  await addTwin(server, { email: builtInEmail, status: 'denied' });
  expect((await report()).groups).toMatchObject([{ kept: { status: 'approved' }, statusAfter: 'approved' }]);
});

test('many emails are counted, and the first of them are listed', async () => {
  const count = limits.maxDuplicateGroups + 3;
  for (let n = 0; n < count; n++) {
    const email = `p${String(n).padStart(4, '0')}@example.org`;
    await addTwin(server, { email });
    await addTwin(server, { email });
  }
  const { emails, merges, groups } = await report();
  expect([emails, merges, groups.length]).toEqual([count, count, limits.maxDuplicateGroups]);
  expect(groups[0]?.email).toBe('p0000@example.org');
  expect(await clean()).toBe(count);
});
