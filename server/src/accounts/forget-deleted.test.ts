import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/support/server.ts';
import { giveWebhook } from '../../test/support/webhook-expectations.ts';
import { openDatabase } from '../database/open.ts';

let server: TestServer;
let admin: { id: string; email: string; cookie: string };
beforeAll(async () => {
  server = await testServer();
  admin = await server.person({ role: 'admin' });
});
afterAll(() => server.close());

const forget = (id: string, cookie = admin.cookie) =>
  server.call('POST', '/api/activity/forget', { body: { id }, cookie });

type Line = { action: string; target: string; details: object; actor?: string };
const note = ({ action, target, details, actor = admin.id }: Line) =>
  server.database.db
    .insertInto('audit_log')
    .values({ at: new Date(server.clock), actor, action: action as 'delete', target, details: JSON.stringify(details) })
    .execute();
const linesOf = async (target: string) =>
  (
    await server.database.db.selectFrom('audit_log').selectAll().where('target', '=', target).orderBy('id').execute()
  ).map(({ action, actor, details }) => ({ action, actor, details }));

/** A user who changed their email, was denied and then deleted, with the log lines of all that. */
async function gone(email = `${randomUUID()}@example.org`) {
  const id = randomUUID();
  await note({ action: 'email', target: id, actor: id, details: { from: `old-${email}`, to: email } });
  await note({ action: 'status', target: id, details: { from: 'approved', to: 'denied' } });
  await note({ action: 'delete', target: id, details: { email, files: 2 } });
  return { id, email };
}

test('the emails of a deleted user are removed from the log, the list, the table and backups; the rest stays', async () => {
  const [ann, ben] = [await gone(), await gone()];
  expect((await forget(ann.id)).json()).toEqual({ lines: 2 });
  expect(await linesOf(ann.id)).toEqual([
    { action: 'email', actor: ann.id, details: {} },
    { action: 'status', actor: admin.id, details: { from: 'approved', to: 'denied' } },
    { action: 'delete', actor: admin.id, details: { files: 2 } },
    { action: 'forget', actor: admin.id, details: { lines: 2 } },
  ]);
  const table = await server.call('GET', '/api/activity.csv', { cookie: admin.cookie });
  const rows = await sql<{ line: string }>`select audit_log::text as line from audit_log`.execute(server.database.db);
  for (const text of [table.body, JSON.stringify(rows.rows), server.logged.join('')]) {
    expect(text).not.toContain(ann.email);
  }
  expect(table.body).toContain(ben.email);
  expect(await linesOf(ben.id)).toHaveLength(3);
});

test('what webhooks were told of a deleted user is removed from their log, and nothing else', async () => {
  const [ann, ben] = [await gone(), await gone()];
  const webhook_id = await giveWebhook(server);
  const at = new Date(server.clock);
  for (const user of [ann, ben]) {
    const row = {
      webhook_id,
      event: 'user.pending',
      data: JSON.stringify({ user }),
      made_at: at,
      next_at: at,
    } as const;
    await server.database.db
      .insertInto('webhook_deliveries')
      .values({ id: randomUUID(), state: 'delivered', ...row })
      .execute();
  }
  await forget(ann.id);
  const left = await server.database.db.selectFrom('webhook_deliveries').select('data').execute();
  expect(left.map(({ data }) => data)).toEqual([{ user: ben }]);
});

test('a second run changes nothing and adds no line', async () => {
  const { id } = await gone();
  expect((await Promise.all([forget(id), forget(id)])).map((answer) => answer.json().lines).sort()).toEqual([0, 2]);
  expect((await linesOf(id)).filter(({ action }) => action === 'forget')).toHaveLength(1);
});

test('records merged into the deleted one are forgotten with it, but not those of other users', async () => {
  const { id } = await gone();
  const [old, older, other] = [randomUUID(), randomUUID(), randomUUID()];
  await note({ action: 'migrate', target: old, details: { to: id } });
  await note({ action: 'duplicate', target: older, details: { to: old } });
  await note({ action: 'migrate', target: other, details: { to: admin.id } });
  for (const target of [old, older, other])
    await note({ action: 'email', target, details: { from: 'a@b.c', to: 'd' } });
  expect((await forget(id)).json()).toEqual({ lines: 4 });
  expect((await linesOf(older)).map(({ details }) => details)).toEqual([{ to: old }, {}]);
  expect((await linesOf(other)).map(({ details }) => details)).toEqual([{ to: admin.id }, { from: 'a@b.c', to: 'd' }]);
});

test('existing and unknown accounts are refused', async () => {
  const { id } = await server.person({});
  await note({ action: 'email', target: id, details: { from: 'a@example.org', to: 'b@example.org' } });
  for (const unknown of [id, randomUUID()]) {
    const answer = await forget(unknown);
    expect([answer.statusCode, answer.json().data.code]).toEqual([404, 'account/not-found']);
  }
  expect(await linesOf(id)).toMatchObject([{ details: { from: 'a@example.org' } }]);
});

test('only an admin can remove the emails', async () => {
  const [user, { id }] = [await server.person({}), await gone()];
  expect((await forget(id, user.cookie)).json().data.code).toBe('admin/only');
  expect(await linesOf(id)).toHaveLength(3);
});

// Shows P12.4.
test('SEC-26 the server’s database role can remove nothing else from the log, whatever it sets, and no email of an existing account', async () => {
  const { db } = server.database;
  const { id, email } = await gone();
  const change = (set: string) =>
    db.transaction().execute(async (tx) => {
      await sql`select set_config('kc.forgetting', 'on', true)`.execute(tx);
      await sql`${sql.raw(set)}`.execute(tx);
    });
  await expect(change(`update audit_log set actor = 'x'`)).rejects.toThrow(/permission denied/);
  await expect(change('delete from audit_log')).rejects.toThrow(/permission denied/);
  await expect(sql`select forget_deleted(${admin.id})`.execute(db)).rejects.toThrow('not deleted');
  // Not even the owner role can do it by accident: only the function unlocks the log, and it locks it again.
  const owner = openDatabase(server.database.owner, () => undefined, 1);
  const byMistake = owner.transaction().execute(async (tx) => {
    await sql`select forget_deleted('nobody')`.execute(tx);
    await sql`update audit_log set details = '{}'`.execute(tx);
  });
  await expect(byMistake).rejects.toThrow('append-only');
  await expect(sql`delete from audit_log`.execute(owner)).rejects.toThrow('append-only');
  await owner.destroy();
  expect(JSON.stringify(await linesOf(id))).toContain(email);
});
