import { decodeRows } from '@kc/pack/levels/rows-wire';
import { markFields } from '@kc/pack/slice/mark-fields';
import { planStatuses } from '@kc/pack/vocabulary/choices';
import type { WarningMarks } from '@kc/rules/warning-shapes';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../../test/support/planned.ts';
import { sample } from '../../../test/support/proof.ts';

let server: PlannedServer;
let [before, after] = ['', ''];
const places = [
  'trail',
  'road',
  'hiking',
  'trail > boots',
  'trail > mud',
  'road > flats',
  'road > racers',
  'beach > boots',
];

beforeAll(async () => {
  server = await startPlanned();
  await server.people();
  before = await server.upload(
    fileOf('shoes > trail: boots 30, spikes 5 | road: flats 2, racers 40, slicks | hiking: pole 7'),
  );
  const now =
    'shoes > trail: boots 45, spikes 5, mud 3 | road: flats 2, racers 20 | hiking: pole 7 | beach: boots 45, sand 12, slicks 9';
  after = await server.upload(fileOf(now));
});
afterAll(() => server.stop());

async function page(asked: Record<string, string>, who = 'ann') {
  const query = new URLSearchParams({ count: '100', vs: before, plan: '1', ...asked });
  const answer = await server.raw(who, `/visualizations/${after}/rows?${query}`);
  expect(answer.status, String(query)).toBe(200);
  const { slice, total } = decodeRows(new Uint8Array(await answer.arrayBuffer()));
  const numbers = (name: string): number[] => Array.from(slice.fields.find((field) => field.name === name)!.value);
  const known = (name: string, isKnown: (value: number) => boolean) =>
    numbers(name).map((value) => (isKnown(value) ? value : Number.NaN));
  const volumeBefore = numbers(markFields.volumeBefore);
  return {
    nodes: Array.from(slice.node),
    total,
    columns: {
      // Unknown and "same place" come first among the values, unknown and "not planned" among the statuses.
      change: known(markFields.change, (value) => value > 1).map((value) => [0, 0, 1, 0, 2][value] ?? value),
      volume_before: volumeBefore,
      volume_change: numbers(markFields.volumeChange),
      volume_percent: volumeBefore.map((then, at) => (then === 0 ? Number.NaN : (slice.volume[at]! - then) / then)),
      plan: known(markFields.status, (value) => value > 1),
      covered: numbers(markFields.covered),
    },
  };
}

const sortedBy = ['change', 'volume_before', 'volume_change', 'volume_percent', 'plan', 'covered'] as const;

/** Whether values are in their order, unknown ones last and equal ones in the order of the pack. */
function expectOrder(values: readonly number[], nodes: readonly number[], sign: number, what: string): void {
  const order = nodes.map((node, at) => ({ node, value: values[at]! }));
  const sorted = order.toSorted((one, other) => {
    const unknown = Number(Number.isNaN(one.value)) - Number(Number.isNaN(other.value));
    return unknown || (Number.isNaN(one.value) ? 0 : sign * (one.value - other.value)) || one.node - other.node;
  });
  expect(order, what).toEqual(sorted);
}

// Shows P24.10.
test('a list is sorted by what its cells show of the plan, changes and warnings, after every change of these', async () => {
  const [statuses, orders] = [new Set<string>(), new Set<string>()];
  for (let step = 0; step < 10; step++) {
    const status = planStatuses[(3 * step + 1) % planStatuses.length]!;
    const { revision } = await server.read('ann', after);
    const target = { node: nodeAt('shoes', places[(5 * step) % places.length]!) };
    await server.change('ann', after, { targets: [target], base: revision, set: { status } });
    if (step === 5) {
      await server.call('ann', 'PUT', `/visualizations/${after}/dismissed`, {
        kind: 'single',
        node: nodeAt('shoes', 'hiking'),
      });
    }
    for (const [nth, level] of ['clusters', 'keywords'].entries()) {
      for (const [which, filter] of ['', 'volume-5_', 'cluster-keywords-2_', 'plan-none*warn-repeated'].entries()) {
        // Some of the columns after each change; all in `npm run prove -- sorted-marks`.
        const columnsNow = sample(sortedBy, 2, 100 * step + 10 * nth + which);
        const all = { level, ...(filter !== '' && { filter }) };
        const unsorted = await page(all);
        for (const by of columnsNow) {
          for (const sort of [by, `-${by}`]) {
            const what = `${step} ${level} ${filter} ${sort}`;
            const { nodes, columns, total } = await page({ ...all, sort });
            expect([total, nodes.toSorted((a, b) => a - b)], what).toEqual([unsorted.total, unsorted.nodes]);
            expectOrder(columns[by], nodes, sort === by ? 1 : -1, what);
            orders.add(nodes.join());
          }
        }
        const { body: marks } = await server.call<WarningMarks>(
          'ann',
          'GET',
          `/visualizations/${after}/warning-marks?${new URLSearchParams(filter === '' ? {} : { filter })}`,
        );
        const own = new Map(marks.rows.map((row, at) => [row, marks.own[at]!]));
        const { nodes } = await page({ ...all, sort: '-warnings' });
        expectOrder(
          nodes.map((node) => own.get(node) ?? 0),
          nodes,
          -1,
          `${step} ${level} ${filter} warnings`,
        );
      }
    }
    statuses.add((await page({ level: 'clusters', sort: '-covered' })).columns.covered.join());
  }
  expect([statuses.size > 3, orders.size > 10]).toEqual([true, true]);
});

test('the export of a list has its order', async () => {
  const exported = async (query: Record<string, string>) => {
    const asked = new URLSearchParams({ level: 'keywords', ...query });
    const answer = await server.raw('ann', `/visualizations/${after}/export.csv?${asked}`);
    const lines: Record<string, string>[] = parse((await answer.text()).replace('\ufeff', ''), { columns: true });
    return lines.map((line) => JSON.stringify(line));
  };
  const [plain, { nodes: unsorted }] = [await exported({}), await page({ level: 'keywords' })];
  expect(new Set(plain).size).toBe(unsorted.length);
  const lineOf = new Map(unsorted.map((node, at) => [node, plain[at]!]));
  for (const sort of ['-covered', 'plan*-volume_change', '-warnings', 'change']) {
    const { nodes } = await page({ level: 'keywords', sort });
    expect(await exported({ sort, vs: before })).toEqual(nodes.map((node) => lineOf.get(node)));
  }
});

test('an export that is sorted by nothing of another upload does not need it', async () => {
  const query = new URLSearchParams({ level: 'keywords', sort: '-volume', vs: 'gone', plan: '1' });
  expect((await server.raw('ann', `/visualizations/${after}/export.csv?${query}`)).status).toBe(200);
});

test('without another upload, its figures are unknown and the list keeps the order of the pack', async () => {
  const query = new URLSearchParams({ level: 'keywords', sort: '-volume_change', count: '100' });
  const answer = await server.raw('ann', `/visualizations/${after}/rows?${query}`);
  const { slice } = decodeRows(new Uint8Array(await answer.arrayBuffer()));
  expect(Array.from(slice.node)).toEqual(Array.from(slice.node).sort((one, other) => one - other));
});

test('whoever may not see a visualization learns nothing from an order', async () => {
  for (const sort of ['-covered', 'warnings', '-volume_change']) {
    const query = new URLSearchParams({ level: 'clusters', sort, vs: before });
    expect((await server.raw('bob', `/visualizations/${after}/rows?${query}`)).status).toBe(404);
    expect((await server.raw('admin', `/visualizations/${after}/rows?${query}`)).status).toBe(200);
  }
});
