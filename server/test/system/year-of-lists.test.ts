import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Draft } from '@kc/rules/draft-shapes';
import type { PlanPage } from '@kc/rules/plan-shapes';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvOf, type ListRow, nextMonth } from '../../../bench/months.ts';
import { prepareJobs } from '../../src/jobs/jobs.ts';
import { giveToken } from '../support/access-token-expectations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { isLong, proof, randomFrom, report } from '../support/proof.ts';
import { insertAccount } from '../support/rows.ts';

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

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-year-'));
  app = await startTestApp(database, directory, { memoryBytes: 2 ** 31 });
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
    const first = await imported('new', rows);
    const places = await placesIn(first);
    await plan(first);
    let last = first;
    for (let month = 1; month <= months; month++) {
      const next = nextMonth(rows, names, random);
      rows = next.rows;
      last = await imported('active', rows);
      const now = await placesIn(last);
      const stayed = rows.map((row) => row.Keyword!.toLowerCase()).filter((text) => places.has(text));
      const moved = stayed.filter((text) => now.get(text) !== places.get(text));
      report(`Month ${month}: ${stayed.length} stayed, ${moved.length} are in another cluster`);
      expect(moved.length, moved.slice(0, 5).join('; ')).toBeLessThanOrEqual(mostMoved * stayed.length);
      for (const text of next.gone) expect(now.has(text.toLowerCase()), text).toBe(false);
      for (const text of next.added) expect(now.has(text.toLowerCase()), text).toBe(true);
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
