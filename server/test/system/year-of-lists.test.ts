import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultThresholds } from '@kc/pack/vocabulary/changes';
import type { Draft } from '@kc/rules/draft-shapes';
import type { PlanPage } from '@kc/rules/plan-shapes';
import type { ImportChanges } from '@kc/rules/webhook';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvOf, type ListRow, nextMonth } from '../../../bench/months.ts';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import { giveToken } from '../support/access-token-expectations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { isLong, proof, randomFrom, report } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';
import { giveWebhook } from '../support/webhook-expectations.ts';

// A year of exports that nobody looks at, of a real list that its tool has clustered. A test run imports one more month of the
// short list; `npm run prove -- year-of-lists` twelve of the long one.
const folder = fileURLToPath(new URL('../../../../shared/data/semrush-clustered/', import.meta.url));
const file = isLong
  ? 'add-to-website_clustered_full_us_2026-04-22.csv'
  : '500-error_webmaster_clustered_v2_us_2026-04-22.csv';
const isHere = existsSync(folder + file);
if (!isHere) console.log(`The year of lists is skipped: there is no ${folder}`);

const names = { keyword: 'Keyword', volume: 'Volume', groups: ['GROUP', 'CLUSTER'] };
/** Of the keywords that stay, at most this share may be in another cluster at the end. */
const mostMoved = 0.005;
const planned = 17;

let database: TestDatabase;
let directory: string;
let app: TestApp;
let token: string;
/** The mails in the order in which they were sent, and who waits for the next one. */
const mails: Mail[] = [];
const waiting: ((mail: Mail) => void)[] = [];

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-year-'));
  const send = async (mail: Mail) => {
    const next = waiting.shift();
    if (next) next(mail);
    else mails.push(mail);
  };
  app = await startTestApp(database, directory, { memoryBytes: 2 ** 31, mailer: { send } });
  await insertAccount(database.db, 'ann', { role: 'admin' });
  ({ token } = await giveToken({ database, clock: Date.now() }, 'ann', { scopes: ['read', 'import', 'plan'] }));
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

async function ask<Body>(method: string, path: string, body?: string | object): Promise<Body> {
  const isText = typeof body === 'string';
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && !isText && { 'content-type': 'application/json' }) },
    ...(body && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text) as Body;
}

/** Sends a list and waits until it is published. @returns the ID of its visualization */
async function imported(map: string, rows: readonly ListRow[]): Promise<string> {
  const said = 'publish=yes&zeroCpcUnknown=yes&market=us';
  const { progress } = await ask<{ progress: string }>('PUT', `/api/imports/${map}/list_us.csv?${said}`, csvOf(rows));
  for (;;) {
    const draft = await ask<Draft>('GET', progress);
    if (draft.state === 'published') return draft.visualizationId!;
    if (draft.handsOff?.waits) throw new Error(JSON.stringify([draft.state, draft.refusal, draft.handsOff.open]));
    await database.db.deleteFrom('rate_limits').execute();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What the next mail says, once it is sent: it is one about an import. */
const nextMail = (): Promise<Mail> => {
  const first = mails.shift();
  return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
};

/** What happened to keywords between two lists, and where they are on the map, by the thresholds of the panel “Changes”. */
function changesBetween(before: Placed, now: Placed): ImportChanges['keywords'] {
  const count = (test: (text: string) => boolean, of = now): number => [...of.volumes.keys()].filter(test).length;
  const stayed = (text: string): boolean => before.volumes.has(text);
  const change = (text: string): number => {
    const volume = before.volumes.get(text)!;
    const by = now.volumes.get(text)! - volume;
    const least = Math.max(defaultThresholds.volume, (defaultThresholds.volumePercent * volume) / 100);
    return Math.abs(by) >= least ? by : 0;
  };
  return {
    new: count((text) => !stayed(text)),
    gone: count((text) => !now.volumes.has(text), before),
    moved: count((text) => stayed(text) && before.places.get(text) !== now.places.get(text)),
    volumeUp: count((text) => stayed(text) && change(text) > 0),
    volumeDown: count((text) => stayed(text) && change(text) < 0),
  };
}

/** A month: volumes by the list, places by the map. */
type Placed = { readonly volumes: ReadonlyMap<string, number>; readonly places: ReadonlyMap<string, string> };

const placed = async (rows: readonly ListRow[], id: string): Promise<Placed> => ({
  volumes: new Map(rows.map((row) => [row.Keyword!.toLowerCase(), Number(row.Volume)])),
  places: await placesIn(id),
});

type Node = { readonly name: string; readonly children?: readonly Node[] };

/** The topics above each keyword. */
async function placesIn(id: string): Promise<ReadonlyMap<string, string>> {
  const { hierarchy } = await ask<{ hierarchy: Node }>('GET', `/api/visualizations/${id}/export.json`);
  const places = new Map<string, string>();
  const walk = ({ name, children }: Node, above: readonly string[]): void => {
    if (!children?.length) places.set(name.toLowerCase(), above.join(' › '));
    for (const child of children ?? []) walk(child, [...above, name]);
  };
  walk(hierarchy, []);
  return places;
}

/** What the mail and the webhook about an upload say of its keywords. */
async function expectTold(hook: string, id: string, keywords: ImportChanges['keywords']): Promise<void> {
  const { text } = await nextMail();
  const [added, gone, moved, up, down] = Object.values(keywords).map((count) => count.toLocaleString('en-US'));
  const line = `Keywords: ${added} new, ${gone} gone, ${moved} moved, ${up} with more volume, ${down} with less`;
  expect(text).toContain(line);
  const deliveries = database.db.selectFrom('webhook_deliveries').select('data').where('webhook_id', '=', hook);
  const all = (await deliveries.execute()) as { data: { visualization: { id: string }; changes?: ImportChanges } }[];
  expect(all.find(({ data }) => data.visualization.id === id)?.data.changes?.keywords).toEqual(keywords);
  report(line);
}

/** Plans the first clusters of a map. */
async function plan(id: string): Promise<void> {
  const targets: { node: string }[] = [];
  for (let row = 1; targets.length < planned; row++) {
    const node = await ask<{ type: string; address: string }>('GET', `/api/visualizations/${id}/nodes/${row}`);
    if (node.type === 'cluster') targets.push({ node: node.address });
  }
  const change = { batch: 'a'.repeat(32), base: 0, targets, set: { isPlanned: true } };
  await ask('POST', `/api/visualizations/${id}/plan/changes`, change);
}

// Shows P29.8.
test.skipIf(!isHere)(
  'a year without hands: keywords that stay keep their clusters, and the plan keeps its entries',
  async () => {
    const { runs: months, seed } = proof(1);
    const random = randomFrom(seed);
    let rows: readonly ListRow[] = parse(readFileSync(folder + file), {
      columns: true,
      relax_column_count: true,
      bom: true,
    }) as ListRow[];
    rows = rows.filter((row) => row.Keyword && row.Volume);
    const hook = await giveWebhook({ database, clock: Date.now() }, { events: ['import.published'] });
    const first = await imported('new', rows);
    expect((await nextMail()).subject).toBe('You have a new map');
    let before = await placed(rows, first);
    const { places } = before;
    await plan(first);
    let last = first;
    for (let month = 1; month <= months; month++) {
      const next = nextMonth(rows, names, random);
      rows = next.rows;
      last = await imported('active', rows);
      const after = await placed(rows, last);
      const now = after.places;
      const stayed = rows.map((row) => row.Keyword!.toLowerCase()).filter((text) => places.has(text));
      const moved = stayed.filter((text) => now.get(text) !== places.get(text));
      report(`Month ${month}: ${stayed.length} stayed, ${moved.length} are in another cluster`);
      expect(moved.length, moved.slice(0, 5).join('; ')).toBeLessThanOrEqual(mostMoved * stayed.length);
      for (const text of next.gone) expect(now.has(text.toLowerCase()), text).toBe(false);
      for (const text of next.added) expect(now.has(text.toLowerCase()), text).toBe(true);
      await expectTold(hook, last, changesBetween(before, after));
      before = after;
    }
    const { entries } = await ask<PlanPage>('GET', `/api/visualizations/${last}/plan`);
    expect(entries).toHaveLength(planned);
    const bound = entries.filter(({ node }) => node !== undefined);
    report(`${bound.length} of ${planned} entries are bound to a node`);
    // Those that are not are listed with the path that they had.
    for (const { path } of entries) expect(path.length).toBeGreaterThan(0);
    expect(bound.length).toBeGreaterThanOrEqual(planned - 1);
  },
  3_600_000,
);
