import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '@kc/pack/plan/node-paths';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import type { WarningPage, WarningSummary } from '@kc/rules/warning-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { tusClient } from '../../test/support/tus.ts';
import { prepareJobs } from '../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let cookie: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  await insertAccount(database.db, 'admin', { role: 'admin' });
  await insertAccount(database.db, 'owner');
  directory = await mkdtemp(join(tmpdir(), 'kc-results-'));
  app = await startTestApp(database, directory, {});
  cookie = await cookieOf(database, 'admin');
});
afterAll(async () => {
  await app.stop();
  await database.close();
  await rm(directory, { recursive: true });
});

async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${app.url}/api${path}`, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Body;
}

async function settled(id: string): Promise<Draft> {
  for (;;) {
    const draft = await call<Draft>('GET', `/drafts/${id}`);
    if (['ready', 'failed', 'published'].includes(draft.state)) return draft;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function imported(name: string, text: string, settings: object = {}, updateOf?: string): Promise<Draft> {
  const bytes = new TextEncoder().encode(text);
  const draft = await call<Draft>('POST', '/drafts', {
    userId: 'owner',
    name: 'shop',
    description: '',
    files: [{ name, size: bytes.length, corrections: {} }],
    settings: { preset: 'balanced', grouping: 'columns', language: 'en', model: 'none', ...settings },
    ...(updateOf !== undefined && { updateOf }),
  });
  const sent = await tusClient(app.url, cookie).patch(`/api/uploads/${draft.files[0]!.id}`, 0, bytes);
  expect(sent.status).toBe(204);
  return settled(draft.id);
}

async function published({ id, revision }: Draft): Promise<string> {
  await call('PUT', `/drafts/${id}/lease`, { takeOver: false });
  await call('POST', `/drafts/${id}/publish`, { after: revision!.operation, name: 'shop', description: '' });
  let draft = await settled(id);
  while (draft.state !== 'published') draft = await settled(id);
  return draft.visualizationId!;
}

const list = `Keyword,Group,Cluster,Volume
red hose,Garden,Hoses,1
blue hose,Garden,Hoses,2
hose reel,Garden,Hoses,4
reel for hoses,Garden,Hoses,8
pipe,Garden,Pipes,16
cat food,Pets,Food,32
`;
const pages = { hoses: ['a', 'b', 'c'], reels: ['x', 'y', 'z'], food: ['f', 'g', 'h'] };
const answer = (q: string, sites: readonly string[]) => ({
  search_parameters: { q, gl: 'us' },
  organic_results: sites.map((site, at) => ({ position: at + 1, link: `https://${site}.test/` })),
});
const answers = [
  answer('red hose', pages.hoses),
  answer('Blue Hose', pages.hoses),
  answer('hose reel', pages.reels),
  answer('reel for hoses', pages.reels),
  answer('pipe', pages.hoses),
  answer('chess board', pages.food),
];
const lines = answers.map((one) => JSON.stringify(one)).join('\n');

const warningsOf = async (id: string, kind: string) =>
  (await call<WarningPage>('GET', `/visualizations/${id}/warnings/${kind}`)).lines;
const node = (...names: string[]) =>
  addressOf(
    'shop',
    names.map((name) => [name, 0] as const),
  );

let base: string;
let added: Draft;

beforeAll(async () => {
  base = await published(await imported('list.csv', list));
  added = await imported('answers.jsonl', lines, { adds: 'results' }, base);
});

// Shows P23.14.
test('search results are added to a map, which says what was matched and where they disagree', async () => {
  expect(added).toMatchObject({
    state: 'ready',
    base: { id: base },
    revision: { counts: { keywords: 6, clusters: 3 } },
  });
  expect(added.warnings.map(sayRefusal)).toContain(
    '5 keywords got search results. 1 keyword of the list is not in the map and was left out; 1 keyword of the map has no search results.',
  );
  const { viewId } = added.revision!;
  const [apart] = await warningsOf(viewId, 'results-apart');
  // The reels share no page with the hoses: the group that stands first is the largest.
  expect(apart).toMatchObject({
    address: node('Garden', 'Hoses'),
    keywords: 2,
    figures: { groups: 2, largest: 2, withResults: 4 },
  });
  expect(apart!.groups!.map(({ keywords, urls }) => [keywords.toSorted(), urls])).toEqual(
    expect.arrayContaining([
      [
        ['blue hose', 'red hose'],
        ['a.test', 'b.test', 'c.test'],
      ],
      [
        ['hose reel', 'reel for hoses'],
        ['x.test', 'y.test', 'z.test'],
      ],
    ]),
  );
  const [alike] = await warningsOf(viewId, 'results-alike');
  expect(alike!.places!.map(({ path }) => path.join('/'))).toEqual(['Garden/Hoses', 'Garden/Pipes']);
  // Who did not begin the draft reads nothing of it, its owner included.
  const path = `${app.url}/api/visualizations/${viewId}/warnings`;
  expect((await fetch(path, { headers: { cookie: await cookieOf(database, 'owner') } })).status).toBe(404);
  // The map itself has none, and stays as it is.
  const { kinds } = await call<WarningSummary>('GET', `/visualizations/${base}/warnings`);
  expect(kinds.find(({ kind }) => kind === 'results-apart')).toMatchObject({ missing: 'no-results' });
});

// Shows P23.15.
test('in the draft, one change splits and one merges; the map that is published has the results and no warning', async () => {
  await call('PUT', `/drafts/${added.id}/lease`, { takeOver: false });
  const operate = (after: number, operation: object) =>
    call<EditedDraft>('POST', `/drafts/${added.id}/operations`, { after, operation });
  const split = await operate(0, { kind: 'split', node: node('Garden', 'Hoses'), sharedUrls: 3 });
  expect(sayRefusal(split.effect)).toBe('Split Hoses into 2 clusters.');
  const [pair] = await warningsOf(split.draft.revision!.viewId, 'results-alike');
  const merged = await operate(1, { kind: 'merge', nodes: pair!.places!.map(({ address }) => address) });
  expect(merged.effect.code).toBe('draft/merged');
  const after = await published(merged.draft);
  const { kinds } = await call<WarningSummary>('GET', `/visualizations/${after}/warnings`);
  for (const kind of ['results-apart', 'results-alike'])
    expect(kinds.find((one) => one.kind === kind)).toEqual({ kind, count: 0, dismissed: 0 });
  const garden = await call<Draft>('POST', `/visualizations/${after}/draft`, { branch: node('Garden') });
  // A later clustering of the branch goes by the results: two pages, and the keywords of each.
  expect(await settled(garden.id)).toMatchObject({ state: 'ready', revision: { counts: { keywords: 6 } } });
  const anew = await imported('answers.jsonl', lines, { adds: 'results-anew' }, after);
  expect(anew).toMatchObject({ state: 'ready', method: 'results', revision: { counts: { keywords: 6, strays: 1 } } });
  expect(await warningsOf(anew.revision!.viewId, 'results-apart')).toEqual([]);
});

test('results that belong to no keyword of the map, and lists without results, are refused', async () => {
  const refusalOf = async (name: string, text: string) =>
    (await imported(name, text, { adds: 'results' }, base)).refusal?.code;
  expect(await refusalOf('other.json', JSON.stringify(answer('chess board', pages.food)))).toBe(
    'list/no-results-of-map',
  );
  expect(await refusalOf('list.csv', list)).toBe('list/no-results');
});
