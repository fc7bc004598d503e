import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOf, prepare, type Route, routes, type Stage, send } from '../support/routes.ts';
import { giveLink } from '../support/share-links.ts';
import { openTheatre, type Theatre } from '../support/stage.ts';

let theatre: Theatre;
beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

/** The description of the API is read by programs, and holds nothing of a user. */
const isDownload = ({ path }: Route): boolean => /\/original$|\.[a-z]{2,5}$/.test(path) && path !== '/api/openapi.json';
const downloads = routes.filter(isDownload).map((route) => ({ route, name: nameOf(route) }));

/** The stage of a call that succeeds: for a visitor, with a link that includes everything. */
async function setUp(route: Route): Promise<Stage> {
  const stage = await theatre.setUp(route, route.who === 'admin' ? 'admin' : 'user A', 'own');
  if (route.who !== 'link') return stage;
  const { server, asker } = stage;
  const owned = await server.database.db
    .selectFrom('visualizations')
    .select('id')
    .where('user_id', '=', asker.account.id)
    .executeTakeFirstOrThrow();
  const makerId = asker.account.id;
  const link = await giveLink(server, { visualizationId: owned.id, makerId, withPlan: true, withDownloads: true });
  return { ...stage, asker: { ...asker, cookie: link.cookie }, thing: link.id };
}

test('tables, workbooks, outlines, briefs, originals and the audit log are downloads', () => {
  const kinds = new Set(downloads.map(({ route }) => route.path.split('/').at(-1)));
  expect([...kinds].toSorted()).toEqual([
    'activity.csv',
    'activity.jsonl',
    'briefs.html',
    'briefs.json',
    'briefs.md',
    'export.csv',
    'export.json',
    'export.xlsx',
    'not-in-hierarchy.csv',
    'not-in-hierarchy.json',
    'original',
    'outline.md',
    'plan.csv',
    'plan.xlsx',
  ]);
});

test.each(downloads)('T52 $name is a sandboxed attachment that nobody stores', async ({ route }) => {
  const stage = await setUp(route);
  const { statusCode, headers } = await send(stage.server, await prepare(route, stage));
  expect(statusCode).toBe(200);
  expect(headers['content-disposition']).toMatch(/^attachment; /);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*; sandbox$/);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
});
