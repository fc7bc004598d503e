// Shows T73.
import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { PlanPage } from '@kc/rules/plan-shapes';
import type { NodeDetail } from '@kc/rules/shapes';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { untilOneWaits } from '../../test/support/database.ts';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { isLong } from '../../test/support/proof.ts';
import { inTransaction, type Tx } from '../database/open.ts';

let server: PlannedServer;
let shop: string;
/** How far the clock of the server is ahead, in milliseconds. */
let ahead = 0;
const text = 'shoes > trail: boots 30, spikes 5 | road: flats 2';

beforeAll(async () => {
  server = await startPlanned(() => Date.now() + ahead);
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(fileOf(text));
  await server.db.updateTable('settings').set({ client_links: true }).execute();
  await server.db.deleteFrom('rate_limits').execute();
});
afterAll(() => server.stop());

const clientLink = { kind: 'client', name: 'ACME', days: 30, withPlan: false, withDownloads: false } as const;
type Made = { id: string; token: string; data?: { code: string } };
const make = (body: object = clientLink, who = 'ann') =>
  server.call<Made>(who, 'POST', `/visualizations/${shop}/links`, body);

/** A browser that has opened a link. */
async function open(token: string, cookie = '') {
  const answer = await fetch(`${server.app.url}/api/shared/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
    body: JSON.stringify({ token }),
  });
  const set = answer.headers.get('set-cookie') ?? '';
  const { id, data } = (await answer.json()) as Made;
  const headers = { cookie: [set.split(';')[0], cookie].filter(Boolean).join('; ') };
  return {
    status: answer.status,
    code: data?.code,
    set,
    get: (path: string) => fetch(`${server.app.url}/api/shared/${id}/${path}`, { headers }),
    ordinary: (path: string) => fetch(`${server.app.url}/api/${path}`, { headers }),
  };
}
const codeOf = async (answer: Response) => ((await answer.json()) as Made).data?.code;

test('a link opens one visualization without an account, and its cookie is good for nothing else', async () => {
  const { status, body } = await make();
  expect(status).toBe(200);
  expect(body.token).toMatch(/^[\w-]{43}$/);
  const visitor = await open(body.token);
  expect(visitor.set).toMatch(/^kc_link_[\w-]{22}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
  const page = await (await visitor.get('page')).json();
  expect(page).toMatchObject({ kind: 'client', sharedWith: 'ACME', rootName: 'shoes', nodes: 6, withPlan: false });
  expect(JSON.stringify(page)).not.toMatch(/@|shop\.json/);
  expect((await visitor.get('slice')).status).toBe(200);
  for (const path of [`visualizations/${shop}`, `visualizations/${body.id}/slice`, 'visualizations', 'events']) {
    expect((await visitor.ordinary(path)).status, path).toBe(401);
  }
});

// Shows P25.1.
test('only the hash of a token is stored', async () => {
  const { body } = await make();
  const { rows } = await server.db.executeQuery<{ row: string }>(
    (await import('kysely')).sql<{ row: string }>`select row_to_json(l)::text as row from share_links l`.compile(
      server.db,
    ),
  );
  expect(JSON.stringify(rows)).not.toContain(body.token);
  const listed = await server.call<Made[]>('ann', 'GET', `/visualizations/${shop}/links`);
  expect(JSON.stringify(listed.body)).not.toContain(body.token);
});

// Shows P25.4.
test('open pages are told within a second that their link is revoked, and no call succeeds after that', async () => {
  const { body } = await make();
  const visitor = await open(body.token);
  const stream = (await visitor.get('events')).body!.getReader();
  const decoder = new TextDecoder();
  let heard = '';
  const ended = (async () => {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return performance.now();
      heard += decoder.decode(value);
    }
  })();
  const at = performance.now();
  expect((await server.call('ann', 'DELETE', `/links/${body.id}`)).status).toBe(200);
  const took = (await ended) - at;
  if (isLong) expect(took).toBeLessThan(1000);
  expect(heard).toContain('event: ended');
  // Not by the look at each heartbeat.
  expect(heard).not.toContain(': alive');
  expect(await codeOf(await visitor.get('slice'))).toBe('link/ended');
  expect((await open(body.token)).code).toBe('link/ended');
  // A second click on Revoke is answered as the first.
  expect((await server.call('ann', 'DELETE', `/links/${body.id}`)).status).toBe(200);
});

test('a link has a hundred open pages at most, and another one opens once one of them is closed', async () => {
  const { body } = await make();
  const visitor = await open(body.token);
  const streams = await Promise.all(Array.from({ length: 100 }, () => visitor.get('events')));
  expect(streams.map(({ status }) => status)).toEqual(Array(100).fill(200));
  expect(await codeOf(await visitor.get('events'))).toBe('link/too-many');
  await streams[0]!.body!.cancel();
  await expect.poll(async () => (await visitor.get('events')).status).toBe(200);
  expect((await server.call('ann', 'DELETE', `/links/${body.id}`)).status).toBe(200);
  await Promise.all(streams.slice(1).map((stream) => stream.text()));
});

// Shows P25.4.
test('while client links are switched off, they rest, on open pages too', async () => {
  const { body } = await make();
  const visitor = await open(body.token);
  await server.db.updateTable('settings').set({ client_links: false }).execute();
  expect(await codeOf(await visitor.get('slice'))).toBe('link/resting');
  expect((await make()).body.data?.code).toBe('link/client-off');
  const listed = await server.call<{ isResting: boolean }[]>('ann', 'GET', `/visualizations/${shop}/links`);
  expect(listed.body.map(({ isResting }) => isResting)).toEqual([true]);
  await server.db.updateTable('settings').set({ client_links: true }).execute();
  expect((await visitor.get('slice')).status).toBe(200);
});

test('a link ends with its visualization', async () => {
  const { body } = await make();
  const visitor = await open(body.token);
  await server.db.deleteFrom('visualizations').where('id', '=', shop).execute();
  expect(await codeOf(await visitor.get('slice'))).toBe('link/ended');
});

// Shows P25.3.
test('a client sees four fields of the plan, and nothing of the record of a keyword', async () => {
  const boots = nodeAt('shoes', 'trail');
  const set = {
    status: 'planned',
    assignee: 'Lena',
    url: '/boots',
    contentType: 'Guide',
    note: 'secret',
    due: '2027-02',
  };
  await server.change('ann', shop, { targets: [{ node: boots }], set, addTags: ['spring'] });
  const client = await open((await make({ ...clientLink, withPlan: true })).body.token);
  const page = (await (await client.get('plan')).json()) as PlanPage;
  expect(page.people).toEqual([]);
  expect(page.entries[0]).toMatchObject({
    ...{ status: 'planned', url: '/boots', contentType: 'Guide', due: '2027-02', path: ['trail'] },
    ...{ assignee: '', note: '', tags: [], marks: {}, addedBy: '', primaryKeyword: '' },
  });
  expect(JSON.stringify(page)).not.toMatch(/Lena|secret|spring|"ann"/);
  const detail = (await (await client.get('nodes/2')).json()) as NodeDetail;
  expect(detail.original).toEqual({});
  expect((await client.get('plan/history?entry=x')).status).toBe(404);
});

test('entries of another upload, and what was removed, are not shown', async () => {
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'trail') }], set: { note: 'secret' } });
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'road') }] });
  const { entries } = await server.read('ann', shop);
  await server.change('ann', shop, {
    targets: [{ entry: entries.find(({ path }) => path[0] === 'trail')!.id }],
    base: 2,
    set: { isPlanned: false },
  });
  shop = await server.upload(fileOf('shoes > trail: boots 30'));
  const visitor = await open((await make({ ...clientLink, withPlan: true })).body.token);
  const page = (await (await visitor.get('plan')).json()) as PlanPage;
  expect(page.entries).toEqual([]);
});

// Shows P25.2.
test('comparisons and places of other uploads do not exist for a link', async () => {
  const other = await server.upload(fileOf('shoes > winter: skates 7'));
  const visitor = await open((await make()).body.token);
  expect((await visitor.get(`slice?vs=${other}`)).status).toBe(404);
  const winter = nodeAt('shoes', 'winter');
  expect(await (await visitor.get(`locate?address=${winter}`)).json()).toEqual({ path: [] });
  const owner = await server.call<{ gone: string }>('ann', 'GET', `/visualizations/${shop}/locate?address=${winter}`);
  expect(owner.body.gone).toBe('winter');
});

// Shows P25.5.
test('whether an email has an account does not show, and the link works once there is one', async () => {
  const named = { kind: 'colleague', days: 365, withPlan: true, withDownloads: false } as const;
  const known = await make({ ...named, email: 'bob@example.com' });
  const unknown = await make({ ...named, email: 'Nobody@example.com' });
  expect([known.status, unknown.status]).toEqual([200, 200]);
  expect(Object.keys(known.body)).toEqual(Object.keys(unknown.body));
  expect((await open(unknown.body.token)).code).toBe('link/sign-in');
});

test('days beyond the limit, an email that is none, and a client without a name are refused', async () => {
  expect((await make({ ...clientLink, days: 91 })).status).toBe(422);
  expect((await make({ ...clientLink, name: '\u202e ' })).body.data?.code).toBe('link/unnamed');
  const named = { kind: 'colleague', days: 30, withPlan: true, withDownloads: false } as const;
  expect((await make({ ...named, email: 'ann' })).body.data?.code).toBe('link/email');
  expect((await make({ ...named, email: 'ann@example.com', days: 366 })).status).toBe(422);
  expect((await make(clientLink, 'bob')).body.data?.code).toBe('visualization/not-found');
});

test('no link is made for somebody who may not any more once it is stored', async () => {
  const ended = async (change: (tx: Tx) => Promise<unknown>) => {
    // A session that begins would wait for the account, too.
    const headers = { cookie: await server.cookie('ann'), 'content-type': 'application/json' };
    let making: Promise<Response> | undefined;
    await inTransaction(server.db, async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', 'ann').forUpdate().execute();
      const url = `${server.app.url}/api/visualizations/${shop}/links`;
      making = fetch(url, { method: 'POST', headers, body: JSON.stringify(clientLink) });
      await untilOneWaits(server.db);
      await change(tx);
    });
    return codeOf(await making!);
  };
  expect(await ended((tx) => tx.updateTable('settings').set({ client_links: false }).execute())).toBe(
    'link/client-off',
  );
  await server.db.updateTable('settings').set({ client_links: true }).execute();
  expect(await ended((tx) => tx.deleteFrom('sessions').where('account_id', '=', 'ann').execute())).toBe(
    'session/required',
  );
  expect(await server.db.selectFrom('share_links').select('id').execute()).toEqual([]);
});

// Shows P25.6.
test('a visualization has at most 20 links at a time, also if they are made at once', async () => {
  const answers = await Promise.all(Array.from({ length: limits.maxShareLinks + 5 }, () => make()));
  const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.data?.code));
  expect(codes.filter((code) => code === 'ok')).toHaveLength(limits.maxShareLinks);
  expect(codes.filter((code) => code === 'link/full')).toHaveLength(5);
});

// Shows P25.6.
test('more than 300 calls in a minute are refused until it is over', async () => {
  const { body } = await make();
  const visitor = await open(body.token);
  const statuses: number[] = [];
  for (let call = 0; call < limits.linkCallsPerMinute + 2; call++) statuses.push((await visitor.get('page')).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(limits.linkCallsPerMinute);
  expect(statuses.at(-1)).toBe(429);
  ahead += 60_000;
  expect((await visitor.get('page')).status).toBe(200);
});

// Shows P25.6.
test('making, opening and revoking are in the audit log, without the token and without an email', async () => {
  const { body } = await make();
  await open(body.token);
  await server.call('ann', 'DELETE', `/links/${body.id}`);
  const lines = await server.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(3).execute();
  expect(lines.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    ['ann', 'end-share', 'ann'],
    ['anyone', 'open-share', 'ann'],
    ['ann', 'share', 'ann'],
  ]);
  expect(JSON.stringify(lines)).not.toContain(body.token);
});

test('administrators list the links of everybody', async () => {
  await make();
  const { body } = await server.call<{ sharedWith: string; owner: string }[]>('admin', 'GET', '/links');
  expect(body.filter(({ sharedWith }) => sharedWith === 'ACME')).not.toEqual([]);
  expect((await server.call('bob', 'GET', '/links')).status).toBe(403);
});

test('a hundred people behind one address open their link, whatever else is tried from there', async () => {
  const { body } = await make();
  const other = (await make()).body;
  const wrong: (string | undefined)[] = [];
  for (let attempt = 0; attempt < 102; attempt++) wrong.push((await open('A'.repeat(43))).code);
  expect([wrong[99], wrong[100], wrong[101]]).toEqual(['link/ended', 'link/too-many', 'link/too-many']);
  const statuses: number[] = [];
  for (let visitor = 0; visitor < 120; visitor++) statuses.push((await open(body.token)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  // A link that is opened without end is refused alone.
  await server.db.updateTable('rate_limits').set({ uses: 1_000 }).where('key', 'like', 'open-share:%').execute();
  expect((await open(body.token)).code).toBe('link/too-many');
  expect((await open(other.token)).status).toBe(200);
});

test('a guessed token opens nothing', async () => {
  expect((await open('A'.repeat(43))).code).toBe('link/ended');
  expect((await open(randomUUID())).status).toBe(422);
});
