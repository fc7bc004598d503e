import type { PlanHistory, PlanPage } from '@kc/rules/plan-shapes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Colleague, colleaguesOf } from '../../test/support/colleagues.ts';
import { untilOneWaits } from '../../test/support/database.ts';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
let colleagues: ReturnType<typeof colleaguesOf>;
let shop: string;
/** The entry that Ann has planned. */
let boots: string;
/** Bob, whose link to Ann's shop allows editing the plan. */
let bob: Colleague;
let ahead = 0;

const text = 'shoes > trail: boots 30, spikes 5 | road: flats 2';

beforeAll(async () => {
  server = await startPlanned(() => Date.now() + ahead);
  colleagues = colleaguesOf(server);
});
beforeEach(async () => {
  ahead = 0;
  await server.people();
  await server.db.deleteFrom('rate_limits').execute();
  shop = await server.upload(fileOf(text));
  boots = await plan('boots', 'trail > boots');
  bob = await colleagues.share('ann', shop, 'bob');
});
afterAll(() => server.stop());

/** Adds a node to Ann's plan. @returns its entry */
async function plan(note: string, path: string): Promise<string> {
  const { body } = await server.change('ann', shop, {
    targets: [{ node: nodeAt('shoes', path) }],
    set: { note },
  });
  return body.entries[0]!.id;
}
const entryFor = async (who: string, id = boots) =>
  (await server.read(who, shop)).entries.find((entry) => entry.id === id)!;

// Shows P25.7.
test('a colleague sets status, owner and note, and the history names them', async () => {
  const { status, body } = await bob.set([boots], { status: 'written', assignee: 'Lena', note: 'Done' }, { base: 1 });
  expect(status).toBe(200);
  expect(body.conflicts).toEqual([]);
  expect(body.entries).toMatchObject([{ id: boots, status: 'written', assignee: 'Lena', note: 'Done' }]);
  expect(await entryFor('ann')).toMatchObject({ status: 'written', assignee: 'Lena', note: 'Done' });
  const history = await server.call<PlanHistory>('ann', 'GET', `/visualizations/${shop}/plan/history?entry=${boots}`);
  expect(history.body.lines.slice(0, 3).map(({ field, by }) => [field, by])).toEqual([
    ['note', 'bob'],
    ['assignee', 'bob'],
    ['status', 'bob'],
  ]);
  expect(history.body.people).toContainEqual({ id: 'bob', name: 'bob' });
});

// Shows P25.7.
test.each([
  ['a field that is not theirs', { set: { url: '/boots' } }],
  ['whether an entry is planned', { set: { isPlanned: false } }],
  ['tags', { set: {}, addTags: ['x'] }],
  ['a node that becomes an entry', { set: { status: 'live' }, targets: [{ node: nodeAt('shoes', 'road') }] }],
])('a colleague cannot write %s', async (_what, body) => {
  const before = await server.read('ann', shop);
  expect((await bob.set([boots], {}, body)).status).toBe(422);
  expect(await server.read('ann', shop)).toEqual(before);
  // Nor by the calls of those whose data it is.
  const ordinary = await server.change('bob', shop, { targets: [{ entry: boots }], set: { status: 'live' } });
  expect(ordinary.body.data.code).toBe('visualization/not-found');
});

test('a write of a colleague that somebody else was faster with is refused, with their name', async () => {
  await server.change('ann', shop, { targets: [{ entry: boots }], base: 1, set: { status: 'live', url: '/boots' } });
  const { body } = await bob.set([boots], { status: 'idea', note: 'Mine' }, { base: 1 });
  expect(body.conflicts).toEqual([{ entry: boots, field: 'status' }]);
  expect(body.entries[0]).toMatchObject({ status: 'live', note: 'Mine' });
  expect(body.people).toContainEqual({ id: 'ann', name: 'ann' });
  // Who wrote what they cannot change is not theirs to know.
  expect(Object.keys(body.entries[0]!.marks).sort()).toEqual(['note', 'status']);
  expect(body.entries[0]).toMatchObject({ addedBy: '' });
});

test('who only reads the plan sees no people, and what was removed is gone from an open page', async () => {
  const reader = await colleagues.share('ann', shop, 'bob', { mayEditPlan: false });
  await bob.set([boots], { assignee: { account: 'ann' } }, { base: 1 });
  const page = await reader.read();
  expect(page).toMatchObject({ people: [], entries: [{ id: boots, assignee: 'ann', marks: {} }] });
  expect(page.entries[0]).not.toHaveProperty('assigneeId');
  await server.change('ann', shop, { targets: [{ entry: boots }], base: page.revision, set: { isPlanned: false } });
  const after = await reader.read(page.revision);
  expect(after.entries).toMatchObject([{ id: boots, isPlanned: false, path: [], note: '', assignee: '' }]);
  expect((await reader.read()).entries).toEqual([]);
});

test.each<[string, (entry: string) => Promise<unknown>, string]>([
  ['was revoked', () => bob.revoke(), 'link/ended'],
  [
    'has expired',
    async () => {
      await sql`update share_links set expires_at = ${new Date(Date.now() - 1)}`.execute(server.db);
    },
    'link/ended',
  ],
  [
    'does not allow it any more',
    async () => {
      await server.db.updateTable('share_links').set({ may_edit_plan: false }).execute();
    },
    'request/not-found',
  ],
  ['names somebody who was denied', () => standing('bob', 'denied'), 'link/other-account'],
  ['was made by somebody who was denied', () => standing('ann', 'denied'), 'link/resting'],
])('nothing is written by a link that %s', async (_why, end, code) => {
  await end(boots);
  const { body } = await bob.set([boots], { status: 'live' }, { base: 1 });
  expect(body.data.code).toBe(code);
  const { fields } = await server.db.selectFrom('plan_entries').select('fields').executeTakeFirstOrThrow();
  expect(fields.status).toBe('idea');
});

const standing = async (id: string, status: 'denied' | 'approved') => {
  await server.db.updateTable('accounts').set({ status }).where('id', '=', id).execute();
};

// Shows P25.7.
test.each<[string, string, string]>([
  ['the link is revoked', `update share_links set revoked_at = now()`, 'link/ended'],
  ['the link expires', `update share_links set expires_at = now() - interval '1 hour'`, 'link/ended'],
  ['the colleague is denied', `update accounts set status = 'denied' where id = 'bob'`, 'link/other-account'],
  ['the colleague signs out', `delete from sessions where account_id = 'bob'`, 'link/sign-in'],
  ['the map goes to somebody else', `update visualizations set user_id = 'admin'`, 'link/resting'],
])('SEC-45 nothing is written if %s while the write is on its way', async (_what, change, code) => {
  // The request has been let in when it waits for the owner's row.
  const [held, hold] = gate();
  const [released, release] = gate();
  const other = server.db.transaction().execute(async (tx) => {
    await sql`select from accounts where id = 'ann' for update`.execute(tx);
    hold();
    await released;
    await sql.raw(change).execute(tx);
  });
  await held;
  const writing = bob.set([boots], { status: 'live' }, { base: 1 });
  await untilOneWaits(server.db);
  release();
  await other;
  expect((await writing).body.data.code).toBe(code);
  const { fields } = await server.db.selectFrom('plan_entries').select('fields').executeTakeFirstOrThrow();
  expect(fields.status).toBe('idea');
});

/** A promise, and what fulfils it. */
function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [opened, open];
}

test('a colleague who was demoted from administrator keeps the right of the link, and no other', async () => {
  await server.db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', 'bob').execute();
  await server.db.updateTable('accounts').set({ role: 'user' }).where('id', '=', 'bob').execute();
  expect((await bob.set([boots], { status: 'planned' }, { base: 1 })).status).toBe(200);
  expect((await server.change('bob', shop, { targets: [{ entry: boots }], set: {} })).status).toBe(404);
});

test('a link edits the plan of its own map, and there only what it shows', async () => {
  const [road] = [await plan('flats', 'road > flats')];
  const hats = await server.upload(fileOf('hats > summer: straw 3 | winter: wool 2'));
  const other = await server.change('ann', hats, { targets: [{ node: nodeAt('hats', 'summer') }], set: {} });
  expect((await bob.set([other.body.entries[0]!.id], { status: 'live' })).body.data.code).toBe('plan/entry-not-found');
  // The next upload of the same data has no road.
  const next = await server.upload(fileOf('shoes > trail: boots 30, spikes 6'));
  const nextLink = await colleagues.share('ann', next, 'bob');
  expect((await nextLink.set([boots], { status: 'planned' }, { base: 1 })).status).toBe(200);
  expect((await nextLink.set([road], { status: 'live' })).body.data.code).toBe('plan/entry-not-found');
  // An answer to a write of somebody else tells nothing.
  const batch = 'b'.repeat(20);
  await server.change('ann', shop, { batch, targets: [{ entry: road }], base: 9, set: { status: 'written' } });
  expect((await nextLink.set([boots], { status: 'live' }, { batch })).body.entries).toEqual([]);
});

test('an entry that was removed is not changed', async () => {
  await server.change('ann', shop, { targets: [{ entry: boots }], base: 1, set: { isPlanned: false } });
  expect((await bob.set([boots], { status: 'live' }, { base: 9 })).body.data.code).toBe('plan/entry-not-found');
});

test('the same write sent twice changes nothing the second time', async () => {
  const batch = 'c'.repeat(20);
  await bob.set([boots], { status: 'planned' }, { batch, base: 1 });
  const once = await server.read('ann', shop);
  expect((await bob.set([boots], { status: 'planned' }, { batch, base: 1 })).status).toBe(200);
  expect(await server.read('ann', shop)).toEqual(once);
});

test('a colleague has the limits of the plan: texts, and writes in a minute', async () => {
  expect((await bob.set([boots], { note: 'x'.repeat(5_001) })).status).toBe(422);
  await bob.set([boots], { assignee: ' Lena\u202e\t Meyer ' }, { base: 1 });
  expect(await entryFor('ann')).toMatchObject({ assignee: 'Lena Meyer' });
  const key = await server.db.selectFrom('rate_limits').selectAll().execute();
  await server.db
    .updateTable('rate_limits')
    .set({ uses: 240 })
    .where(
      'key',
      'in',
      key.map((one) => one.key),
    )
    .execute();
  expect((await bob.set([boots], { status: 'live' })).body.data.code).toBe('plan/too-many-writes');
});

test('links say whether they may edit the plan, and without it nothing is allowed', async () => {
  const reader = await colleagues.share('ann', shop, 'bob', { mayEditPlan: false });
  await colleagues.share('ann', shop, 'bob', { withPlan: false });
  const { body } = await server.call<{ mayEditPlan: boolean }[]>('ann', 'GET', `/visualizations/${shop}/links`);
  expect(body.map(({ mayEditPlan }) => mayEditPlan).sort()).toEqual([false, false, true]);
  const lines = await server.db.selectFrom('audit_log').select('details').where('action', '=', 'share').execute();
  const editsOf = (link: string) =>
    lines.map(({ details }) => details as { link: string; edits?: string }).find((line) => line.link === link)!.edits;
  expect([editsOf(bob.id), editsOf(reader.id)]).toEqual(['plan', undefined]);
  const client = { kind: 'client', name: 'ACME', days: 30, withPlan: true, mayEditPlan: true, withDownloads: false };
  await server.db.updateTable('settings').set({ client_links: true }).execute();
  expect((await server.call('ann', 'POST', `/visualizations/${shop}/links`, client)).status).toBe(422);
});

// Shows P25.8.
test('the link of a colleague opens by its ID for them alone, and that of a client never', async () => {
  const session = await server.cookie('bob');
  expect(await colleagues.open({ link: bob.id }, session)).toMatchObject({ id: bob.id });
  expect((await colleagues.open({ link: bob.id })).code).toBe('link/sign-in');
  expect((await colleagues.open({ link: bob.id }, await server.cookie('admin'))).code).toBe('link/other-account');
  await server.db.updateTable('settings').set({ client_links: true }).execute();
  const client = { kind: 'client', name: 'ACME', days: 30, withPlan: true, withDownloads: false };
  const made = await server.call<{ id: string }>('ann', 'POST', `/visualizations/${shop}/links`, client);
  expect((await colleagues.open({ link: made.body.id }, session)).code).toBe('link/ended');
  expect((await colleagues.open({ link: 'nothing' }, session)).code).toBe('link/ended');
  await bob.revoke();
  expect((await colleagues.open({ link: bob.id }, session)).code).toBe('link/ended');
});

test('open pages of a colleague hear of changes of others', async () => {
  const page: PlanPage = await bob.read();
  await server.change('ann', shop, { targets: [{ entry: boots }], base: 9, set: { status: 'live' } });
  expect((await bob.read(page.revision)).entries).toMatchObject([{ id: boots, status: 'live' }]);
});
