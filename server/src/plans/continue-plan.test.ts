import { limits } from '@kc/rules/limits';
import type { PlanOffer } from '@kc/rules/plan-shapes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { fileOf, nodeAt, type PlannedServer, type Refused, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
beforeAll(async () => {
  server = await startPlanned();
});
beforeEach(() => server.people());
afterAll(() => server.stop());

const branches = 'live: talk 9, ring 8 | bots: bot 6, ai bot 5 | fax: fax 4 | mail: mail 3';
const offerTo = async (who: string, of: string) =>
  (await server.call<{ offer?: PlanOffer }>(who, 'GET', `/visualizations/${of}/plan/continuation`)).body.offer;
const choose = (who: string, of: string, plan: string | null) =>
  server.call<Partial<Refused> & { isContinued?: boolean }>(who, 'POST', `/visualizations/${of}/plan/continuation`, {
    plan,
  });

/** What the plan of an upload lists: path, status, whether it is planned, and whether its node is here. */
const listed = async (of: string) =>
  (await server.read('ann', of)).entries
    .map(
      ({ path, status, isPlanned, node }) =>
        `${path.join(' > ')} ${status}${isPlanned ? '' : ' removed'}${node ? '' : ' missing'}`,
    )
    .sort();

const plan = async (of: string, root: string, paths: readonly string[], status: string) => {
  const { status: code } = await server.change('ann', of, {
    targets: paths.map((path) => ({ node: nodeAt(root, path) })),
    set: { status },
  });
  expect(code).toBe(200);
};

// Shows P24.12.
test('an upload under another root continues the plan that most of it matches, and the earlier upload keeps it', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots', 'fax', 'mail > mail'], 'written');
  const second = await server.upload(fileOf('chat 2027 > live: talk 9 | bots: bot 6 | mail: mail 3'));
  expect(await listed(second)).toEqual([]);
  const offer = await offerTo('ann', second);
  expect(offer).toEqual({ plan: expect.any(String), root: 'chat', entries: 4, matched: 3, own: 0 });
  // Nothing is written until somebody chooses.
  expect(await listed(second)).toEqual([]);
  expect((await choose('admin', second, offer!.plan)).status).toBe(200);
  const here = ['bots written', 'fax written missing', 'live written', 'mail > mail written'];
  expect(await listed(second)).toEqual(here);
  expect(await offerTo('ann', second)).toBeUndefined();
  // It is one plan: what is written here is seen there, and in the next upload under the new root.
  await plan(second, 'chat 2027', ['mail'], 'live');
  expect(await listed(first)).toEqual([
    'bots written',
    'fax written',
    'live written',
    'mail > mail written',
    'mail live',
  ]);
  const third = await server.upload(fileOf('Chat  2027 > mail: mail 3 | fax: fax 4'));
  expect(await listed(third)).toEqual([
    'bots written missing',
    'fax written',
    'live written missing',
    'mail > mail written',
    'mail live',
  ]);
});

test('SEC-57 an access token of one visualization is told nothing about others, and joins no plan of theirs', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots'], 'written');
  const second = await server.upload(fileOf('chat 2027 > live: talk 9 | bots: bot 6 | mail: mail 3'));
  await server.upload(fileOf('chat 2027 > live: talk 9 | secret: hidden 1'));
  const offer = (await offerTo('ann', second))!;
  const { token } = await giveToken({ database: server.database, clock: Date.now() }, 'ann', {
    scopes: ['read', 'plan'],
    visualizationId: second,
  });
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
    return (await fetch(`${server.app.url}/api/visualizations/${second}/${path}`, asked)).json();
  };
  expect(await ask('plan/continuation')).toEqual({});
  expect(await ask('plan/continuation', { plan: offer.plan })).toMatchObject({ data: { code: 'plan/not-continued' } });
  expect(await offerTo('ann', second)).toEqual(offer);
  const place = `locate?address=${nodeAt('chat 2027', 'secret')}`;
  expect(await ask(place)).toEqual({ path: [] });
  const { body } = await server.call('ann', 'GET', `/visualizations/${second}/${place}`);
  expect(body).toMatchObject({ gone: 'secret' });
});

// Shows P24.12.
test('what was planned and judged under the new root joins, and nothing of it is lost', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots'], 'written');
  const second = await server.upload(fileOf('help > live: talk 9 | bots: bot 6 | new: newer 2'));
  await plan(second, 'help', ['live', 'new'], 'planned');
  await server.call('ann', 'PUT', `/visualizations/${second}/dismissed`, {
    kind: 'single',
    node: nodeAt('help', 'new'),
  });
  const seen = await server.read('ann', second);
  const offer = await offerTo('ann', second);
  expect(offer).toMatchObject({ entries: 2, matched: 2, own: 2 });
  expect((await choose('ann', second, offer!.plan)).status).toBe(200);
  expect(await listed(second)).toEqual(['bots written', 'live planned removed missing', 'live written', 'new planned']);
  const dismissed = await server.call<{ path: string[] }[]>('ann', 'GET', `/visualizations/${second}/dismissed`);
  expect(dismissed.body.map(({ path }) => path)).toEqual([['new']]);
  // A page that was open reads everything again, and the history came along.
  const now = await server.read('ann', second);
  expect(now.revision).toBeGreaterThan(seen.revision);
  expect(now.matching).not.toBe(seen.matching);
  const entry = now.entries.find(({ path, isPlanned }) => path[0] === 'live' && !isPlanned)!;
  const history = await server.call<{ lines: object[] }>(
    'ann',
    'GET',
    `/visualizations/${second}/plan/history?entry=${entry.id}`,
  );
  expect(history.body.lines.length).toBeGreaterThan(0);
});

test('a plan that would have too many entries is not continued, and both stay as they were', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots'], 'written');
  const second = await server.upload(fileOf('help > live: talk 9 | bots: bot 6 | new: newer 2'));
  await plan(second, 'help', ['new'], 'planned');
  const { plan: offered } = (await offerTo('ann', second))!;
  const [entry] = (await server.read('ann', first)).entries;
  await server.copyEntry(entry!.id, limits.maxPlanEntries - 2);
  const answer = await choose('ann', second, offered);
  expect(answer.body.data).toEqual({ code: 'plan/full', params: { max: '20,000' } });
  expect(await listed(second)).toEqual(['new planned']);
});

test('whoever keeps an own plan is not asked again, and neither plan sees the other', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots'], 'written');
  const second = await server.upload(fileOf('apart > live: talk 9 | bots: bot 6'));
  const { plan: offered } = (await offerTo('ann', second))!;
  expect((await choose('ann', second, null)).status).toBe(200);
  expect(await offerTo('ann', second)).toBeUndefined();
  await plan(second, 'apart', ['live'], 'idea');
  expect(await listed(second)).toEqual(['live idea']);
  expect(await listed(first)).toEqual(['bots written', 'live written']);
  // The first choice holds.
  expect((await choose('ann', second, offered)).body).toEqual({ isContinued: false });
  expect(await listed(second)).toEqual(['live idea']);
});

// Shows P15.29.
test('how long before a peak to publish is kept for the data, whoever sets it', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  expect((await server.read('ann', first)).lead).toBe(2);
  expect((await server.call('admin', 'PUT', `/visualizations/${first}/plan/lead`, { lead: 6 })).status).toBe(200);
  const second = await server.upload(fileOf('Chat > live: talk 9 | bots: bot 6'));
  expect((await server.read('ann', second)).lead).toBe(6);
  for (const lead of [-1, 7, 1.5, 'two']) {
    expect((await server.call('ann', 'PUT', `/visualizations/${first}/plan/lead`, { lead })).status).toBe(422);
  }
  expect((await server.call('bob', 'PUT', `/visualizations/${first}/plan/lead`, { lead: 1 })).status).toBe(404);
  expect((await server.read('ann', first)).lead).toBe(6);
  // Under another root it is another plan, until that one is continued.
  const third = await server.upload(fileOf('talks > live: talk 9 | bots: bot 6'));
  await plan(first, 'chat', ['live'], 'idea');
  expect((await server.read('ann', third)).lead).toBe(2);
  await choose('ann', third, (await offerTo('ann', third))!.plan);
  expect((await server.read('ann', third)).lead).toBe(6);
});

test('a plan is offered only if at least half of it is here, and only to its owner and administrators', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots', 'fax'], 'idea');
  const little = await server.upload(fileOf('little > live: talk 9 | other: word 1'));
  expect(await offerTo('ann', little)).toBeUndefined();
  const second = await server.upload(fileOf('most > live: talk 9 | bots: bot 6'));
  const { plan: offered } = (await offerTo('ann', second))!;
  expect((await server.call('bob', 'GET', `/visualizations/${second}/plan/continuation`)).status).toBe(404);
  expect((await choose('bob', second, offered)).status).toBe(404);
  const ofBob = await server.upload(fileOf('most > live: talk 9 | bots: bot 6 | x: y 1'), 'bob');
  expect(await offerTo('bob', ofBob)).toBeUndefined();
  expect((await choose('bob', ofBob, offered)).body.data?.code).toBe('plan/not-continued');
  expect((await choose('ann', second, 'none')).body.data?.code).toBe('plan/not-continued');
});

test('roots that continue each other in turn share one plan', async () => {
  const uploads = [];
  for (const root of ['one', 'two', 'three']) uploads.push(await server.upload(fileOf(`${root} > ${branches}`)));
  const [one, two, three] = uploads as [string, string, string];
  await plan(one, 'one', ['live'], 'live');
  await plan(two, 'two', ['bots'], 'idea');
  const second = (await offerTo('ann', three))!;
  await choose('ann', three, second.plan);
  const first = (await offerTo('ann', two))!;
  await choose('ann', two, first.plan);
  const all = ['bots idea', 'live live'];
  // Whichever plan the third was given, it is the one that all share in the end.
  for (const of of [one, two, three]) expect(await listed(of)).toEqual(all);
});

// Shows P24.12.
test('a write that was on its way while the plan was continued belongs to the shared plan', async () => {
  const first = await server.upload(fileOf(`chat > ${branches}`));
  await plan(first, 'chat', ['live', 'bots'], 'written');
  const second = await server.upload(fileOf('race > live: talk 9 | bots: bot 6 | mail: mail 3'));
  const offer = (await offerTo('ann', second))!;
  const writes = ['mail', 'mail > mail', 'live > talk'].map((path) => plan(second, 'race', [path], 'planned'));
  await Promise.all([...writes, choose('admin', second, offer.plan)]);
  expect(await listed(second)).toEqual([
    'bots written',
    'live > talk planned',
    'live written',
    'mail > mail planned',
    'mail planned',
  ]);
});
