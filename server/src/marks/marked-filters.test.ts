import { readFilter } from '@kc/pack/filter/filter-text';
import { markFields } from '@kc/pack/slice/mark-fields';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { statusRank } from '@kc/rules/plan';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import type { RequestContext } from '../accounts/require.ts';
import type { PackQueries } from '../visualizations/query/pack-queries.ts';
import { findMarks } from './find-marks.ts';

let server: PlannedServer;
let shop: string;
/** What happens between handing marks over and the query of a slice, or the next part of an export. */
let before: (queries: PackQueries) => Promise<unknown> = async () => undefined;
/** Keyword → its cluster and volume. */
const keywords = { boots: ['trail', 30], spikes: ['trail', 5], flats: ['road', 2], racers: ['road', 40] } as const;
type Keyword = keyof typeof keywords;
const places = ['trail', 'road', 'trail > boots', 'trail > spikes', 'road > flats', 'road > racers'] as const;

beforeAll(async () => {
  server = await startPlanned(Date.now, {
    wrapQueries: (queries) => ({
      ...queries,
      async slice(asked) {
        await before(queries);
        return queries.slice(asked);
      },
      async nextPart(asked) {
        await before(queries);
        return queries.nextPart(asked);
      },
    }),
  });
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(fileOf('shoes > trail: boots 30, spikes 5 | road: flats 2, racers 40'));
});
afterAll(() => server.stop());

async function slice(who: string, query: Record<string, string>) {
  const answer = await server.raw(who, `/visualizations/${shop}/slice?${new URLSearchParams(query)}`);
  if (answer.status !== 200) return { status: answer.status, names: [], fields: [], etag: '' };
  const { names, nameStart, rows, fields } = decodeSlice(new Uint8Array(await answer.arrayBuffer()));
  const named = Array.from({ length: rows }, (_, row) =>
    new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1])),
  );
  return { status: 200, names: named, fields, etag: answer.headers.get('etag') };
}

/** The status of a keyword of a plan, told naively. */
const statusOf = (plan: ReadonlyMap<string, PlanStatus>, keyword: Keyword): PlanStatus | undefined =>
  plan.get(`${keywords[keyword][0]} > ${keyword}`) ?? plan.get(keywords[keyword][0]);

// Shows P24.10.
test('after every change of the plan, by whoever, filters and colours are those of the plan as it is', async () => {
  const plan = new Map<string, PlanStatus>();
  const written = new Map<string, string>();
  const coveredCounts = new Set<number>();
  // A fixed walk through additions, changes and removals by two people, in no particular order.
  const steps = Array.from({ length: 24 }, (_, step) => ({
    place: places[(step * 5 + (step >> 2)) % places.length]!,
    who: step % 3 === 0 ? 'admin' : 'ann',
    status: planStatuses[(step * 7 + 1) % 4]!,
    isRemoved: step % 5 === 4,
  }));
  for (const { place, who, status, isRemoved } of steps) {
    const { revision } = await server.read(who, shop);
    const set = isRemoved ? { isPlanned: false } : { status };
    const entry = written.get(place);
    if (isRemoved && !plan.has(place)) continue;
    const target = entry && plan.has(place) ? { entry } : { node: nodeAt('shoes', place) };
    const { status: code, body } = await server.change(who, shop, { targets: [target], base: revision, set });
    expect(code).toBe(200);
    written.set(place, body.entries[0]!.id);
    if (isRemoved) plan.delete(place);
    else plan.set(place, status);

    for (const mark of [...planStatuses, 'none'] as const) {
      const kept = (Object.keys(keywords) as Keyword[]).filter(
        (keyword) => (statusOf(plan, keyword) ?? 'none') === mark,
      );
      const clusters = new Set(kept.map((keyword) => keywords[keyword][0]));
      const { names } = await slice('ann', { filter: `plan-${mark}*seen-plan=whatever` });
      expect([mark, names.sort()]).toEqual([mark, ['shoes', ...clusters, ...kept].sort()]);
    }
    const shareOf = (cluster: string): number => {
      const inside = Object.entries(keywords).filter(([, [home]]) => home === cluster);
      const volume = (some: typeof inside) => some.reduce((sum, [, [, of]]) => sum + of, 0);
      const isDone = (keyword: Keyword) => ['written', 'live'].includes(statusOf(plan, keyword) ?? 'none');
      return volume(inside.filter(([keyword]) => isDone(keyword as Keyword))) / volume(inside);
    };
    const halfDone = ['trail', 'road'].filter((cluster) => shareOf(cluster) >= 0.5);
    const inHalf = (Object.keys(keywords) as Keyword[]).filter((keyword) => halfDone.includes(keywords[keyword][0]));
    const covered = await slice('ann', { filter: 'cluster-covered-50_*seen-plan=whatever' });
    expect(covered.names.sort()).toEqual(['shoes', ...halfDone, ...inHalf].sort());
    coveredCounts.add(halfDone.length);
    const { names, fields } = await slice('ann', { plan: 'whatever' });
    const field = fields.find(({ name }) => name === markFields.status)!;
    for (const keyword of Object.keys(keywords) as Keyword[]) {
      const at = names.indexOf(keyword);
      expect([keyword, field.value[at]]).toEqual([keyword, statusRank(statusOf(plan, keyword)) + 1]);
    }
    for (const cluster of ['trail', 'road']) {
      const weights = [0, 0, 0, 0, 0];
      for (const [keyword, [home, volume]] of Object.entries(keywords)) {
        if (home === cluster) weights[statusRank(statusOf(plan, keyword as Keyword))]! += volume;
      }
      expect(field.value[names.indexOf(cluster)]).toBe(weights.lastIndexOf(Math.max(...weights)) + 1);
    }
  }
  expect([...coveredCounts].sort()).toEqual([0, 1]);
});

test('a histogram next to a condition on what is covered counts the branches that it keeps', async () => {
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'trail') }], set: { status: 'live' } });
  const filter = 'cluster-keywords-1_*cluster-covered-50_*seen-plan=whatever';
  const { status, body } = await server.call<{ known: number; least: number }>(
    'ann',
    'GET',
    `/visualizations/${shop}/histogram?${new URLSearchParams({ of: 'cluster-volume', filter })}`,
  );
  expect([status, body.known, body.least]).toEqual([200, 1, 35]);
});

// Shows P24.10.
test('a filter by fields of the plan is about the plan as it is, whoever changed what', async () => {
  const trail = nodeAt('shoes', 'trail');
  const names = async (filter: string) =>
    (await slice('ann', { filter: `${filter}*seen-planned=whatever` })).names.sort();
  const set = async (who: string, path: string, set: object) => {
    const { revision } = await server.read(who, shop);
    expect(
      (await server.change(who, shop, { targets: [{ node: nodeAt('shoes', path) }], base: revision, ...set })).status,
    ).toBe(200);
  };
  expect(await names('owner-Lena')).toEqual(['shoes']);
  await set('ann', 'trail', { set: { assignee: 'Lena', due: '2026-12' }, addTags: ['spring'] });
  await set('admin', 'road > flats', { set: { assignee: 'Ana', contentType: 'Guide' } });
  expect(await names('owner-Lena')).toEqual(['boots', 'shoes', 'spikes', 'trail']);
  expect(await names('owner-Lena*owner-Ana')).toEqual(['boots', 'flats', 'road', 'shoes', 'spikes', 'trail']);
  expect(await names('tag-spring*due-_2026-12')).toEqual(['boots', 'shoes', 'spikes', 'trail']);
  expect(await names('content-Guide*volume-5_')).toEqual(['shoes']);
  await set('admin', 'trail', { set: { assignee: 'Ana' } });
  expect(await names('owner-Lena')).toEqual(['shoes']);
  expect(await names('owner-Ana*tag-spring')).toEqual(['boots', 'shoes', 'spikes', 'trail']);
  const { entries } = await server.read('ann', shop);
  const entry = entries.find(({ node }) => node === trail)!.id;
  await server.change('ann', shop, { targets: [{ entry }], set: { isPlanned: false } });
  expect(await names('owner-Ana')).toEqual(['flats', 'road', 'shoes']);
});

test('marks that many others push out before their query are handed over again', async () => {
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'trail') }], set: { status: 'live' } });
  let crowds = 0;
  before = (queries) => {
    // The crowd does not come back when the query is repeated, unless it asks for other marks as well.
    const keys = crowds++ < 2 ? Array.from({ length: 100 }, (_, other) => `${crowds} ${other}`) : [];
    return Promise.all(keys.map((key) => queries.keepMarks({ key, marks: {} })));
  };
  try {
    const filtered = await slice('ann', { filter: 'plan-live*seen-plan=crowded', plan: '1' });
    expect([filtered.status, filtered.names.sort()]).toEqual([200, ['boots', 'shoes', 'spikes', 'trail']]);
    expect(crowds).toBeGreaterThan(2);
  } finally {
    before = async () => undefined;
  }
});

test('an export keeps its marks, although many others push them out before its first part', async () => {
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'road') }], set: { status: 'live' } });
  before = (queries) => {
    const keys = Array.from({ length: 100 }, (_, other) => `export ${other}`);
    return Promise.all(keys.map((key) => queries.keepMarks({ key, marks: {} })));
  };
  try {
    const query = new URLSearchParams({ level: 'clusters', node: '0', sort: '-plan', plan: '1' });
    const answer = await server.raw('ann', `/visualizations/${shop}/export.csv?${query}`);
    const lines = (await answer.text()).trim().split(/\r?\n/);
    expect([answer.status, lines.slice(1).map((text) => /trail|road/.exec(text)?.[0])]).toEqual([
      200,
      ['road', 'trail'],
    ]);
  } finally {
    before = async () => undefined;
  }
});

test('an unchanged plan is not sent again, and a changed one is', async () => {
  const first = await slice('ann', { plan: '1' });
  expect((await slice('ann', { plan: '2' })).etag).toBe(first.etag);
  await server.change('admin', shop, { targets: [{ node: nodeAt('shoes', 'trail') }] });
  expect((await slice('ann', { plan: '1' })).etag).not.toBe(first.etag);
});

test('nobody else can ask what is planned', async () => {
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'trail') }] });
  for (const query of [
    { filter: 'plan-idea' },
    { filter: 'pillar-covered-_50' },
    { filter: 'owner-' },
    { filter: 'warn-single' },
    { plan: '1' },
  ]) {
    expect((await slice('bob', query as Record<string, string>)).status).toBe(404);
    expect((await slice('admin', query as Record<string, string>)).status).toBe(200);
  }
});

test.each([
  ['client', false],
  ['client', true],
  ['colleague', false],
  ['colleague', true],
] as const)('a link for a %s, with the plan: %s, says no more than it includes', async (kind, withPlan) => {
  await server.change('ann', shop, { targets: [{ node: nodeAt('shoes', 'trail') }] });
  const linkId = 'link';
  const value = { linkId, visualizationId: shop, kind, withPlan, withDownloads: false };
  const context = { visitor: { ok: true, value } } as unknown as RequestContext;
  const kept: string[] = [];
  const marks = findMarks({
    db: server.db,
    packQueries: {
      hasMarks: () => false,
      keepMarks: ({ marks: found }) => {
        kept.push(...Object.keys(found));
        return undefined;
      },
    },
  });
  const code = (work: Promise<string>) =>
    work.then(
      () => 'ok',
      (error: { data: { code: string } }) => error.data.code,
    );
  const filter = (text: string) => readFilter(text)!;
  const id = { id: linkId };
  expect(await code(marks.ofPlan(context, id))).toBe(withPlan ? 'ok' : 'request/not-found');
  expect(await code(marks.ofFilter(context, id, filter('plan-idea')))).toBe(withPlan ? 'ok' : 'request/not-found');
  expect(await code(marks.ofFilter(context, id, filter('pillar-covered-1_')))).toBe(
    withPlan ? 'ok' : 'request/not-found',
  );
  expect(await code(marks.ofFilter(context, id, filter('content-Guide')))).toBe(withPlan ? 'ok' : 'request/not-found');
  const teams = withPlan && kind === 'colleague' ? 'ok' : 'request/not-found';
  for (const text of ['owner-Lena', 'tag-*content-Guide'])
    expect(await code(marks.ofFilter(context, id, filter(text)))).toBe(teams);
  const warned = await code(marks.ofFilter(context, id, filter('warn-single')));
  expect(warned).toBe(kind === 'colleague' ? 'ok' : 'request/not-found');
  expect(await code(marks.ofFilter(context, id, filter('change-new*seen-vs=x')))).not.toBe('ok');
  expect(new Set(kept)).toEqual(
    new Set([...(withPlan ? ['plan', 'planned'] : []), ...(kind === 'colleague' ? ['warnings'] : [])]),
  );
});

test('a filter by warnings follows what is dismissed and the thresholds', async () => {
  const names = async () => (await slice('ann', { filter: 'warn-oversized' })).names.sort();
  expect(await names()).toEqual(['shoes']);
  const { body } = await server.call<{ thresholds: Record<string, number> }>(
    'ann',
    'GET',
    `/visualizations/${shop}/warnings`,
  );
  const thresholds = { ...body.thresholds, oversized: 1 };
  const put = await server.call('ann', 'PUT', `/visualizations/${shop}/warning-thresholds`, { thresholds });
  expect(put.status).toBe(200);
  expect(await names()).toEqual(['boots', 'flats', 'racers', 'road', 'shoes', 'spikes', 'trail']);
  const dismissed = await server.call('ann', 'PUT', `/visualizations/${shop}/dismissed`, {
    kind: 'oversized',
    node: nodeAt('shoes', 'road'),
  });
  expect(dismissed.status).toBe(200);
  expect(await names()).toEqual(['boots', 'shoes', 'spikes', 'trail']);
  // Warnings are about what the other parts keep: of one keyword, no cluster is oversized.
  expect((await slice('ann', { filter: 'has-boots*warn-oversized' })).names).toEqual(['shoes']);
});
