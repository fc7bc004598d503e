// Shows T85.
import { limits } from '@kc/rules/limits';
import type { PlanHistory, PlanPerson } from '@kc/rules/plan-shapes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Colleague, colleaguesOf } from '../../test/support/colleagues.ts';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { createLog } from '../log.ts';
import type { Mail } from '../mail/mailer.ts';
import { sendAssignments } from './assignment-mails.ts';

let server: PlannedServer;
let colleagues: ReturnType<typeof colleaguesOf>;
let shop: string;
let boots: string;
/** Bob may edit Ann's plan; Cara reads it. */
let bob: Colleague;
let cara: Colleague;
let ahead = 0;

const now = () => Date.now() + ahead;

beforeAll(async () => {
  server = await startPlanned(now);
  colleagues = colleaguesOf(server);
});
beforeEach(async () => {
  ahead = 0;
  await server.people();
  // The other administrator has nothing to do with this map, and Eve has an account.
  await insertAccount(server.db, 'root', { role: 'admin' });
  for (const id of ['cara', 'eve']) await insertAccount(server.db, id);
  await server.db.updateTable('accounts').set({ display_name: 'Bob Miller' }).where('id', '=', 'bob').execute();
  await server.db.updateTable('accounts').set({ display_name: 'cara@home.org' }).where('id', '=', 'cara').execute();
  await server.db.deleteFrom('rate_limits').execute();
  shop = await server.upload(fileOf('shoes > trail: boots 30, spikes 5 | road: flats 2'));
  boots = await planned('trail > boots');
  bob = await colleagues.share('ann', shop, 'bob');
  cara = await colleagues.share('ann', shop, 'cara', { mayEditPlan: false });
});
afterAll(() => server.stop());

async function planned(path: string): Promise<string> {
  const { body } = await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', path) }], set: {} });
  return body.entries[0]!.id;
}
const people = async (who: string, of = shop) =>
  (await server.call<{ people: PlanPerson[] }>(who, 'GET', `/visualizations/${of}/plan/people`)).body.people;
const namesFor = async (who: string) => (await people(who)).map(({ name }) => name);
const assign = (who: string, account: string, entries = [boots]) =>
  server.change(who, shop, {
    targets: entries.map((entry) => ({ entry })),
    base: 99,
    set: { assignee: { account } },
  });

test('the owner and colleagues are offered those who share the map, by name and never by email', async () => {
  // Without a name, or with an email as the name, the part before the @.
  expect(await namesFor('ann')).toEqual(['ann', 'Bob Miller', 'cara']);
  const offered = await bob.call<{ people: PlanPerson[] }>('GET', 'plan/people');
  expect(offered.body.people.map(({ name }) => name)).toEqual(['ann', 'Bob Miller', 'cara']);
  expect(JSON.stringify(offered.body)).not.toContain('@');
  expect((await cara.call('GET', 'plan/people')).body.data.code).toBe('request/not-found');
});

test('an administrator is offered all administrators, and is offered to others once they write in the plan', async () => {
  expect(await namesFor('root')).toEqual(['admin', 'ann', 'Bob Miller', 'cara', 'root']);
  await server.change('admin', shop, { targets: [{ entry: boots }], base: 9, set: { note: 'Mine' } });
  expect(await namesFor('ann')).toEqual(['admin', 'ann', 'Bob Miller', 'cara']);
});

test('SEC-46 whether an email has an account does not show: a colleague is offered once they have opened their link', async () => {
  const body = { kind: 'colleague', email: 'eve@example.com', days: 30, withPlan: true, withDownloads: false };
  const made = await server.call<{ token: string }>('ann', 'POST', `/visualizations/${shop}/links`, body);
  expect(await namesFor('ann')).not.toContain('eve');
  expect((await assign('ann', 'eve')).body.data.code).toBe('plan/person-not-found');
  await colleagues.open({ token: made.body.token }, await server.cookie('eve'));
  expect(await namesFor('ann')).toContain('eve');
});

test.each<[string, () => Promise<unknown>]>([
  ['whose link was revoked', () => cara.revoke()],
  [
    'whose link has expired',
    () =>
      server.db
        .updateTable('share_links')
        .set({ expires_at: new Date(0) })
        .execute(),
  ],
  ['whose link shows no plan', () => server.db.updateTable('share_links').set({ with_plan: false }).execute()],
  [
    'who was denied',
    () => server.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', 'cara').execute(),
  ],
])('nobody is made an owner %s', async (_who, end) => {
  expect(await namesFor('ann')).toContain('cara');
  await end();
  expect(await namesFor('ann')).not.toContain('cara');
  expect((await assign('ann', 'cara')).body.data.code).toBe('plan/person-not-found');
});

test.each(['eve', 'root', 'nobody', "x' or true"])(
  'SEC-46 %s cannot be made an owner by whom they are not offered to',
  async (account) => {
    const code = 'plan/person-not-found';
    expect((await assign('ann', account)).body.data.code).toBe(code);
    expect((await bob.set([boots], { assignee: { account } })).body.data.code).toBe(code);
  },
);

test('in their plan of the sample everybody is alone', async () => {
  const sample = await server.upload(fileOf('garden > tools: rake 3'));
  await server.db.updateTable('visualizations').set({ is_sample: true }).where('id', '=', sample).execute();
  expect((await people('bob', sample)).map(({ id }) => id)).toEqual(['bob']);
  await server.db.deleteFrom('visualizations').where('id', '=', sample).execute();
});

// Shows P24.14.
test('an owner has the name that the account has now, in lists, the history, filters and files', async () => {
  expect((await assign('ann', 'bob')).status).toBe(200);
  const shown = async () => {
    const { entries } = await server.read('ann', shop);
    const { assignee, assigneeId } = entries.find(({ id }) => id === boots)!;
    const csv = await (await server.raw('ann', `/visualizations/${shop}/plan.csv`)).text();
    const outline = await (await server.raw('ann', `/visualizations/${shop}/outline.md?of=plan`)).text();
    return { assignee, assigneeId, csv: csv.includes(assignee), outline: outline.includes(assignee) };
  };
  const kept = async (name: string) => {
    const filter = new URLSearchParams({ filter: `owner-${name}` });
    const { body } = await server.call<{ entries: { entry: string }[] }>(
      'ann',
      'GET',
      `/visualizations/${shop}/plan/figures?${filter}`,
    );
    return body.entries.map(({ entry }) => entry);
  };
  expect(await shown()).toEqual({ assignee: 'Bob Miller', assigneeId: 'bob', csv: true, outline: true });
  expect(await kept('Bob Miller')).toEqual([boots]);
  await server.db.updateTable('accounts').set({ display_name: 'Bob Smith' }).where('id', '=', 'bob').execute();
  expect(await shown()).toEqual({ assignee: 'Bob Smith', assigneeId: 'bob', csv: true, outline: true });
  expect([await kept('Bob Smith'), await kept('Bob Miller')]).toEqual([[boots], []]);
  const history = () => server.call<PlanHistory>('ann', 'GET', `/visualizations/${shop}/plan/history?entry=${boots}`);
  expect((await history()).body.lines[0]).toMatchObject({ before: '', after: { account: 'bob' } });
  expect((await history()).body.people).toContainEqual({ id: 'bob', name: 'Bob Smith' });
  await server.db.deleteFrom('accounts').where('id', '=', 'bob').execute();
  expect(await shown()).toEqual({ assignee: 'A deleted account', assigneeId: 'bob', csv: true, outline: true });
  expect(await kept('A deleted account')).toEqual([boots]);
  expect((await history()).body.people).not.toContainEqual(expect.objectContaining({ id: 'bob' }));
});

/** What would be sent to somebody now. */
async function mailTo(accountId: string, deliver: (mail: Mail) => Promise<void> = async () => undefined) {
  const sent: Mail[] = [];
  await sendAssignments(
    {
      db: server.db,
      mailer: {
        async send(mail) {
          await deliver(mail);
          sent.push(mail);
        },
      },
      sender: { baseUrl: new URL('https://keywords.example.com'), supportEmail: '' },
      builtInAdmins: new Set(),
      log: createLog('ERROR', { write: () => undefined }),
      now,
    },
    accountId,
  );
  return sent;
}

// Shows P24.15.
test('several assignments are one mail, with a link to each entry', async () => {
  const road = await planned('road');
  await assign('ann', 'bob');
  await assign('ann', 'bob', [road]);
  const [mail, ...more] = await mailTo('bob');
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: 'bob@example.com', subject: 'You are now the owner of 2 plan entries' });
  const link = (path: string) =>
    `https://keywords.example.com/shared?v=${bob.id}&panel=plan&sel=${nodeAt('shoes', path)}`;
  expect(mail!.text).toContain('ann made you the owner of these entries:');
  expect(mail!.text).toContain(`shoes › trail › boots\n${link('trail > boots')}\n`);
  expect(mail!.text).toContain(`shoes › road\n${link('road')}\n`);
  expect(await mailTo('bob')).toEqual([]);
});

test('of two servers that send at once, one sends the mail, and the other comes again for what was assigned meanwhile', async () => {
  await assign('ann', 'bob');
  const road = await planned('road');
  const first = await mailTo('bob', async () => {
    await assign('ann', 'bob', [road]);
    await expect(mailTo('bob')).rejects.toThrow('Another server');
  });
  expect(first.map(({ subject }) => subject)).toEqual(['You are now the owner of a plan entry']);
  const again = await mailTo('bob');
  expect(again.map(({ text }) => text.includes('road'))).toEqual([true]);
});

test('what was assigned again while a mail was sent is told again, whichever time it has', async () => {
  await assign('ann', 'bob');
  const behind = sql`update plan_assignments set at = at - interval '1 second'`;
  expect(await mailTo('bob', async () => void (await behind.execute(server.db)))).toHaveLength(1);
  expect(await mailTo('bob')).toHaveLength(1);
});

// Shows P24.15.
test('each assignment has a job that waits for others, and none for oneself or for what is taken back', async () => {
  const count = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from jobs.job_common where name = 'assignment-mails'`.execute(
        server.db,
      )
    ).rows[0]!.n;
  const before = await count();
  const batch = 'd'.repeat(20);
  await server.change('ann', shop, {
    batch,
    targets: [{ entry: boots }],
    base: 99,
    set: { assignee: { account: 'cara' } },
  });
  expect(await count()).toBe(before + 1);
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from max(start_after) - now())::int as wait from jobs.job_common where name = 'assignment-mails'`.execute(
    server.db,
  );
  expect(rows[0]!.wait * 1000).toBeGreaterThan(limits.assignmentMailDelayMs - 60_000);
  await assign('ann', 'ann');
  await server.undo('ann', shop, batch);
  await assign('ann', 'ann');
  expect(await count()).toBe(before + 1);
  expect(await mailTo('ann')).toEqual([]);
  expect(await mailTo('cara')).toEqual([]);
});

test('the owner of the data and administrators get a link to the map itself, and one entry is named in the text', async () => {
  await bob.set([boots], { assignee: { account: 'ann' } }, { base: 99 });
  const [mail] = await mailTo('ann');
  expect(mail!.subject).toBe('You are now the owner of a plan entry');
  expect(mail!.text).toContain('Bob Miller made you the owner of “shoes › trail › boots”.');
  const address = `https://keywords.example.com/visualization?v=${shop}&panel=plan&sel=${nodeAt('shoes', 'trail > boots')}`;
  expect(mail!.text).toContain(`\n${address}\n`);
});

test('an account that has taken over the one that was made the owner is told, by the job that was queued for that one', async () => {
  await assign('ann', 'bob');
  const { db } = server;
  await db.updateTable('accounts').set({ migrated_to: 'rob' }).where('id', '=', 'bob').execute();
  await insertAccount(db, 'rob');
  await db.updateTable('accounts').set({ email: 'bob@example.com' }).where('id', '=', 'rob').execute();
  await db.updateTable('share_links').set({ opened_by: 'rob' }).where('opened_by', '=', 'bob').execute();
  await db.updateTable('plan_assignments').set({ account_id: 'rob' }).where('account_id', '=', 'bob').execute();
  expect((await mailTo('bob')).map(({ to }) => to)).toEqual(['bob@example.com']);
  expect(await mailTo('rob')).toEqual([]);
});

test.each<[string, () => Promise<unknown>]>([
  ['the entry has another owner', () => assign('ann', 'cara')],
  [
    'the entry was removed',
    () => server.change('ann', shop, { targets: [{ entry: boots }], base: 99, set: { isPlanned: false } }),
  ],
  ['their link was revoked', () => bob.revoke()],
  [
    'they were denied',
    () => server.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', 'bob').execute(),
  ],
  [
    'they have switched these emails off',
    () => server.call('bob', 'PUT', '/mail-settings', { imports: true, assignments: false }),
  ],
  ['they were deleted', () => server.db.deleteFrom('accounts').where('id', '=', 'bob').execute()],
  ['the map was deleted', () => server.db.deleteFrom('visualizations').where('id', '=', shop).execute()],
  [
    'a day has passed',
    async () => {
      ahead = limits.assignmentMailKeptMs + 1;
    },
  ],
])('nobody is told if meanwhile %s', async (_what, change) => {
  await assign('ann', 'bob');
  await change();
  expect(await mailTo('bob')).toEqual([]);
  expect(await server.db.selectFrom('plan_assignments').selectAll().where('account_id', '=', 'bob').execute()).toEqual(
    [],
  );
});

test('while the mail server is away, the assignments wait', async () => {
  await assign('ann', 'bob');
  const away = () => Promise.reject(new Error('ECONNREFUSED'));
  await expect(mailTo('bob', away)).rejects.toThrow('ECONNREFUSED');
  expect(await mailTo('bob')).toHaveLength(1);
});

test('what is assigned while a mail is on its way is in the next one', async () => {
  const road = await planned('road');
  await assign('ann', 'bob');
  const [first] = await mailTo('bob', async () => void (await assign('ann', 'bob', [road])));
  expect(first!.text).not.toContain('road');
  const [second] = await mailTo('bob');
  expect(second!.text).toContain('shoes › road');
});
