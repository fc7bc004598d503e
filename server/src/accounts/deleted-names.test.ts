import { randomUUID } from 'node:crypto';
import type { ActivityKind } from '@kc/rules/activity';
import type { ActivityLine } from '@kc/rules/admin-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { audit } from '../database/audit.ts';

let server: TestServer;
let admin: { id: string; email: string; cookie: string };
beforeAll(async () => {
  server = await testServer();
  admin = await server.person({ role: 'admin' });
});
afterAll(() => server.close());

const list = async (query: Record<string, string>): Promise<{ lines: ActivityLine[] }> =>
  (await server.call('GET', `/api/activity?${new URLSearchParams(query)}`, { cookie: admin.cookie })).json();
const note = (action: ActivityKind, target: string, details = {}) =>
  audit(server.database.db, { actor: admin.id, action, target, details }, server.clock);

test('lines by and about a deleted user have the name, in the list, in the search and in the export', async () => {
  const { db } = server.database;
  const [email, id, merged] = ['gone@example.org', randomUUID(), randomUUID()];
  await audit(db, { actor: id, action: 'sign-in', target: id }, server.clock);
  await audit(db, { actor: id, action: 'activate', target: admin.id }, server.clock);
  await audit(db, { actor: merged, action: 'sign-in', target: merged }, server.clock);
  await note('duplicate', merged, { to: id });
  await note('delete', id, { email, files: 0 });

  const { lines } = await list({ text: email });
  expect(
    lines.map(({ kind, actor, actorDeleted, target, targetDeleted }) => [
      kind,
      actor,
      actorDeleted,
      target,
      targetDeleted,
    ]),
  ).toEqual([
    ['delete', admin.email, false, email, true],
    ['duplicate', admin.email, false, email, true],
    ['sign-in', email, true, email, true],
    ['activate', email, true, admin.email, false],
    ['sign-in', email, true, email, true],
  ]);
  expect(lines[3]).toMatchObject({ actorId: id, targetId: admin.id });
  const table = () => server.call('GET', `/api/activity.csv?kind=activate&text=${id}`, { cookie: admin.cookie });
  expect((await table()).body).toContain(`,${email} (deleted),activate,${admin.email},ok,`);

  // After the email is removed from the log, the lines remain but no longer name the user.
  await server.call('POST', '/api/activity/forget', { body: { id }, cookie: admin.cookie });
  expect((await list({ text: email })).lines).toEqual([]);
  expect((await list({ text: id, kind: 'activate' })).lines).toMatchObject([{ actor: id, actorDeleted: true }]);
  expect((await table()).body).toContain(`,a deleted account (${id.slice(0, 8)}),activate,${admin.email},ok,`);
});

test('a user with the email of a deleted account is not mistaken for it', async () => {
  const [email, id] = ['again@example.org', randomUUID()];
  await note('role', id);
  await note('delete', id, { email });
  const next = await server.person({});
  await server.database.db.updateTable('accounts').set({ email }).where('id', '=', next.id).execute();
  await note('role', next.id);
  const { lines } = await list({ text: email, kind: 'role' });
  expect(lines.map(({ targetId, target, targetDeleted }) => [targetId, target, targetDeleted])).toEqual([
    [next.id, email, false],
    [id, email, true],
  ]);
});
