import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { giveLink } from '../../test/support/share-links.ts';

// What visitors of a link are handed over: no more than the page of the link shows them.

let server: PlannedServer;
let shop: string;
const now = Date.UTC(2026, 10, 26, 9);
const file = fileOf('shoes > trail: boots 30, spikes 5 | road: flats 2');
const secrets = { assignee: 'Secret Lena', note: 'secret note', primaryKeyword: 'spikes' };

beforeAll(async () => {
  server = await startPlanned(() => now);
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(file);
  const targets = [{ node: nodeAt('shoes', 'trail') }];
  const set = { ...secrets, status: 'written', url: '/trail', due: '2027-02' };
  await server.change('ann', shop, { targets, set, addTags: ['secret tag'] });
});
afterAll(() => server.stop());

type Given = Partial<Parameters<typeof giveLink>[1]>;

async function ask(path: string, given: Given = {}): Promise<Response> {
  const link = await giveLink(
    { database: server.database, clock: now },
    { visualizationId: shop, makerId: 'ann', withPlan: true, withDownloads: true, sharedWith: 'ACME', ...given },
  );
  return fetch(`${server.app.url}/api/shared/${link.id}/${path}`, { headers: { cookie: link.cookie } });
}

// Shows P25.3.
test('a client gets what is planned without what the team wrote for itself', async () => {
  const csv = await (await ask('plan.csv')).text();
  const [line] = parse(csv, { bom: true, columns: true }) as Record<string, string>[];
  expect(line).toEqual({
    Cluster: 'trail',
    'Primary keyword': 'boots',
    'Supporting keywords': 'spikes',
    Volume: '35',
    Difficulty: '',
    Intent: '',
    'Content type': '',
    URL: '/trail',
    Status: 'Written',
    Due: '2027-02',
    Path: 'trail',
  });
  const outline = await (await ask('outline.md')).text();
  expect(outline).toContain('Status: Written');
  const { sheets } = await readXlsx(new Uint8Array(await (await ask('plan.xlsx')).arrayBuffer()));
  const [plan] = sheets;
  expect(plan!.rows[0]).not.toEqual(expect.arrayContaining(['Owner']));
  const about = sheets.at(-1)!.rows.map(([name, value]) => [name, value]);
  expect(about).toContainEqual(['Shared with', 'ACME']);
  const briefs = await Promise.all(
    ['briefs.md', 'briefs.html', 'briefs.json'].map(async (file) => (await ask(file)).text()),
  );
  for (const brief of briefs) expect(brief).toContain('Written');
  const everything = `${csv}${outline}${briefs.join('')}${JSON.stringify(sheets.map(({ rows }) => rows))}`;
  // Neither fields of the team, nor the name of its file, nor addresses that need an account.
  for (const hidden of ['ecret', 'shop.json', '/visualization', 'Owner', 'Tags', 'Note']) {
    expect(everything).not.toContain(hidden);
  }
});

test('a colleague gets the fields of the team, too', async () => {
  const kind = 'colleague';
  const { email } = await server.db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', 'bob')
    .executeTakeFirstOrThrow();
  const link = await giveLink(
    { database: server.database, clock: now },
    { visualizationId: shop, makerId: 'ann', kind, withPlan: true, withDownloads: true, sharedWith: email },
  );
  const cookie = `${await server.cookie('bob')}; ${link.cookie}`;
  const answer = await fetch(`${server.app.url}/api/shared/${link.id}/plan.csv`, { headers: { cookie } });
  const [line] = parse(await answer.text(), { bom: true, columns: true }) as Record<string, string>[];
  expect(line).toMatchObject({
    Owner: secrets.assignee,
    Note: secrets.note,
    Tags: 'secret tag',
    'Primary keyword': 'spikes',
  });
});

test('a link without the plan has the clusters alone, and one without downloads nothing', async () => {
  expect((await ask('plan.csv', { withPlan: false })).status).toBe(404);
  const clusters = await (await ask('plan.csv?of=clusters', { withPlan: false })).text();
  const lines = parse(clusters, { bom: true, columns: true }) as Record<string, string>[];
  expect(lines.map(({ Cluster, Volume }) => [Cluster, Volume])).toEqual([
    ['trail', '35'],
    ['road', '2'],
  ]);
  // Nothing is called uncovered or without a status because the link does not say it.
  const { sheets } = await readXlsx(
    new Uint8Array(await (await ask('plan.xlsx?of=clusters', { withPlan: false })).arrayBuffer()),
  );
  const titles = [Object.keys(lines[0]!), ...sheets.map(({ rows }) => rows[0]!)].flat();
  for (const planned of ['Status', 'Covered', 'Content type', 'Due', 'Owner']) expect(titles).not.toContain(planned);
  for (const path of ['plan.csv', 'plan.xlsx', 'outline.md', 'plan.csv?of=clusters']) {
    expect((await ask(path, { withDownloads: false })).status).toBe(404);
  }
});

test('an entry that the shared upload does not have is nobody’s but the team’s', async () => {
  const other = await server.upload(fileOf('shoes > trail: boots 30 | secret branch: flats 2'));
  await server.change('ann', other, { targets: [{ node: nodeAt('shoes', 'secret branch') }], set: {} });
  const { sheets } = await readXlsx(new Uint8Array(await (await ask('plan.xlsx')).arrayBuffer()));
  expect(sheets.map(({ name }) => name)).toEqual(['Plan', 'trail', 'About']);
  expect(await (await ask('plan.csv')).text()).not.toContain('secret branch');
});
