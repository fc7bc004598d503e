// Shows SEC-33.
import { contract } from '@kc/rules/api';
import { rawRoutes } from '@kc/rules/raw-routes';
import type { Field } from '@kc/rules/shapes';
import { readXlsx } from 'hucre';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { isLong, sample } from '../../test/support/proof.ts';
import { giveLink } from '../../test/support/share-links.ts';

let server: PlannedServer;
/** A file with columns that a link may show or not, and files with fewer of them that are the same otherwise. */
let whole: string;
let withSegment: string;
let bare: string;

const personal = ['Owner', 'Contact email', 'Tags', 'Notiz', 'Freitext', 'phone', 'Lange Notiz', 'landing page'];
const people = ['Kim Sorensen', 'Lena Abel'];

function file(columns: readonly string[]): object {
  const keyword = (name: string, at: number) => {
    const said: Record<string, unknown> = {
      Owner: people[at % 2],
      'Contact email': `${['kim', 'lena'][at % 2]}@example.com`,
      Tags: [['secret-tag'], ['secret-tag', 'other-tag']][at % 2],
      Notiz: `geheim ${at % 2}`,
      // Its name says nothing; its values do.
      Freitext: `ask ann${at % 2}@example.org`,
      phone: 15_550_000 + at,
      'Lange Notiz': 'geheim '.repeat(100 + at),
      'landing page': `https://secret.example/${at}`,
      Segment: ['retail', 'trade'][at % 2],
      effort: at + 1,
    };
    return {
      name,
      type: 'keyword',
      volume: 10 * (at + 1),
      cpc: at + 1,
      ...Object.fromEntries(columns.map((column) => [column, said[column]])),
    };
  };
  const cluster = (name: string, words: readonly string[], from: number) => ({
    name,
    type: 'cluster',
    children: words.map((word, at) => keyword(word, from + at)),
  });
  const clusters = [cluster('trail', ['boots', 'spikes', 'poles'], 0), cluster('road', ['flats', 'laces', 'boots'], 3)];
  const repeated = [1, 2].map((at) => ({
    ...keyword('boots', at),
    keyword: 'boots',
    name: undefined,
    type: undefined,
  }));
  return { keywords: repeated, hierarchy: { name: 'shoes', type: 'root', children: clusters } };
}

beforeAll(async () => {
  server = await startPlanned();
  await server.people();
  whole = await server.upload(file([...personal, 'Segment', 'effort']));
  withSegment = await server.upload(file(['Segment', 'effort']));
  bare = await server.upload(file([]));
});
afterAll(() => server.stop());

type Visitor = (path: string, body?: object | Uint8Array<ArrayBuffer>) => Promise<{ status: number; bytes: Buffer }>;

async function visit(of: string, more: Partial<Parameters<typeof giveLink>[1]> = {}): Promise<Visitor> {
  const given = { visualizationId: of, makerId: 'ann', withPlan: true, withDownloads: true, ...more };
  const { id, cookie } = await giveLink({ database: server.database, clock: Date.now() }, given);
  let asked = 0;
  return async (path, body) => {
    if (asked++ % 100 === 0) await server.db.deleteFrom('rate_limits').execute();
    const isBinary = body instanceof Uint8Array;
    const type = isBinary ? 'application/octet-stream' : 'application/json';
    const answer = await fetch(`${server.app.url}/api/shared/${id}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { cookie, 'accept-encoding': 'identity', ...(body && { 'content-type': type }) },
      ...(body && { body: isBinary ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
}

const q = encodeURIComponent;
const rows = new Uint8Array(Uint32Array.of(0, 1, 2, 3).buffer);

type Attempt = readonly [path: string, body?: object | typeof rows];

/** What everybody asks. */
const defaultCalls: readonly Attempt[] = [
  ['fields'],
  ['nodes/0'],
  ['nodes/3'],
  ['nodes/3/keywords'],
  ['nodes/0/members'],
  ['not-in-hierarchy'],
  [`locate?address=${nodeAt('shoes', 'trail')}`],
  ['search?q=boots'],
  ['plan'],
  ['plan/totals'],
  ['warnings'],
  ['warnings/single'],
  ['nodes/1/warnings'],
  ['warning-marks'],
  ['slice'],
  ['rows?level=keywords'],
  ['selection-totals', rows],
  ['export.csv'],
  ['export.csv', rows],
  ['plan.csv?of=clusters'],
  ['outline.md?of=clusters'],
  ['briefs.md?of=clusters'],
  ['briefs.html?of=clusters'],
  ['briefs.json?of=clusters'],
  ['export.csv?kind=keywords'],
];

/** What somebody can try with the name of a column. `value`: one that the column has. */
const attempts = (name: string, value: string): readonly Attempt[] => {
  const filters = [
    `is-${name.replaceAll('.', '..').replaceAll('-', '.-')}-${value}`,
    `in-${name}-1_`,
    `knows-${name}`,
    `cluster-field:${name}-1_`,
  ].map((filter) => `filter=${q(filter)}`);
  const score = `sum.[${name}]`;
  const scored = `score=sum.[${name}]`;
  const plot = { level: 'keywords', x: `field:${name}`, y: 'volume', size: 'keywords' };
  const tables = [
    'slice?',
    'rows?level=keywords&',
    'export.csv?',
    'export.csv?level=keywords&',
    'plan.csv?of=clusters&',
  ];
  return [
    [`search?q=${q(value)}`],
    [`histogram?of=${q(`field:${name}`)}`],
    [`histogram?of=${q(name)}`],
    [`histogram?of=${q(`cluster-field:${name}`)}`],
    ['score-check', { score, level: 'keywords' }],
    ['score-check', { score: `branch.${name}`, level: 'clusters' }],
    [`points?${new URLSearchParams(plot)}`],
    ['density', { ...plot, edges: { x: [0, 1e9], y: [0, 1000] } }],
    [`slice?field=${q(name)}`],
    [`slice?field=${q(scored)}`],
    [`slice?node=1&by=${q(`field:${name}`)}`],
    [`slice?node=1&by=${q(`field:${scored}`)}`],
    [`rows?level=keywords&field=${q(name)}`],
    [`rows?level=keywords&sort=${q(`field:${name}`)}`],
    [`rows?level=clusters&sort=${q(`-field:${scored}`)}`],
    [`export.csv?level=keywords&sort=${q(`field:${name}`)}`],
    [`plan.csv?of=clusters&score=${q(score)}`],
    ...filters.flatMap((filter): Attempt[] => [
      ...tables.map((table): Attempt => [`${table}${filter}`]),
      [`selection-totals?${filter}`, rows],
      [`nodes/0?${filter}`],
      [`nodes/0/keywords?${filter}`],
      [`nodes/0/members?${filter}`],
      [`search?q=o&${filter}`],
      [`histogram?of=volume&${filter}`],
      [`locate?address=${nodeAt('shoes', 'trail')}&${filter}`],
      [`points?${new URLSearchParams({ ...plot, x: 'cpc' })}&${filter}`],
    ]),
  ];
};

const hiddenNames: readonly (readonly [string, string])[] = [
  ['Owner', 'Kim Sorensen'],
  ['Tags', 'secret-tag'],
  ['Freitext', 'ask ann0@example.org'],
  ['phone', '15550001'],
  ['Lange Notiz', 'geheim'],
];
const secrets = /Sorensen|Lena Abel|example\.(?:com|org)|secret-tag|other-tag|geheim|1555|Notiz|Freitext|phone/i;

test('every call that a link may make is tried', () => {
  const contracted = Object.values(contract.shared).map((call) => call['~orpc'].route.path ?? '');
  const raw = rawRoutes.filter(({ who }) => who === 'link').map(({ path }) => path.replace('/api', ''));
  const calls = [...contracted, ...raw].map((path) => path.replace('/shared/{id}/', ''));
  const tried = [...defaultCalls, ...attempts('x', 'x')].map(([path]) =>
    path.split('?')[0]!.replace(/nodes\/\d/, 'nodes/{node}'),
  );
  const others = [
    'not-in-hierarchy/{row}',
    'plan.xlsx',
    'export.xlsx',
    'events',
    'warnings/{kind}',
    'plan/people',
    'plan/changes',
  ];
  expect(new Set(calls.filter((call) => !tried.includes(call) && !others.includes(call)))).toEqual(new Set());
});

// All questions about each column in `npm run prove -- columns`; in a test run all about one, and of the others a sample.
test.each(hiddenNames.map(([name, value], index) => [name, value, index] as const))(
  'for the client of a link that does not show “%s”, it is as if the file did not have it, whatever is asked',
  async (name, value, index) => {
    const all = attempts(name, value);
    await compare(await visit(whole), await visit(withSegment), sample(all, index === 0 ? all.length : 12, index));
  },
);

test.each(['chosen', 'made before columns could be chosen'])(
  'the usual answers of a link that was %s have nothing of hidden columns',
  async (how) => {
    const columns = JSON.stringify(['Segment', 'effort', 'landing page']);
    await compare(await visit(whole, how === 'chosen' ? { columns } : {}), await visit(withSegment), defaultCalls);
  },
);

/** Expects that a visitor gets the answers of one of a file without the hidden columns. */
async function compare(visitor: Visitor, none: Visitor, asked: readonly Attempt[]): Promise<void> {
  for (const [path, body] of asked) {
    const [answer, expected] = [await visitor(path, body), await none(path, body)];
    expect(answer.status, path).toBe(expected.status);
    if (answer.bytes.equals(expected.bytes)) continue;
    expect(answer.bytes.toString(), path).not.toMatch(secrets);
    expect(path).toMatch(mayDiffer);
  }
}

/** These list the column of landing pages, which is shown. */
const mayDiffer = /^(?:fields|export\.csv|nodes\/|plan\.csv|outline|briefs)/;

test.each(hiddenNames.filter(([name]) => name === 'Owner' || (isLong && name === 'phone')))(
  'with a link that shows “%s”, the same questions read it',
  async (name, value) => {
    const [visitor, none] = [await visit(whole, { columns: JSON.stringify([name]) }), await visit(bare)];
    let differing = 0;
    for (const [path, body] of attempts(name, value)) {
      const [answer, expected] = [await visitor(path, body), await none(path, body)];
      if (answer.status !== expected.status || !answer.bytes.equals(expected.bytes)) differing++;
    }
    expect(differing).toBeGreaterThan(25);
  },
);

// Shows P25.3.
test('a link that shows no columns is as if the file had none', async () => {
  const [visitor, none] = [await visit(whole, { columns: '[]' }), await visit(bare)];
  for (const [path, body] of [...defaultCalls, ...attempts('effort', '1')]) {
    const [answer, expected] = [await visitor(path, body), await none(path, body)];
    expect([path, answer.status]).toEqual([path, expected.status]);
    expect([path, answer.bytes.toString()]).toEqual([path, expected.bytes.toString()]);
  }
});

test('what a link shows can be listed, coloured, sorted and filtered by, and downloaded', async () => {
  const visitor = await visit(whole, { columns: JSON.stringify(['Owner', 'effort']) });
  const fields = JSON.parse((await visitor('fields')).bytes.toString()) as Field[];
  expect(fields.map(({ name }) => name).toSorted()).toEqual(['Owner', 'effort']);
  expect((await visitor(`slice?field=Owner`)).status).toBe(200);
  expect((await visitor(`rows?level=keywords&sort=${q('field:effort')}`)).status).toBe(200);
  expect((await visitor('export.csv')).bytes.toString()).toContain('Kim Sorensen');
  const usual = await visit(whole);
  const shown = (JSON.parse((await usual('fields')).bytes.toString()) as Field[]).map(({ name }) => name);
  expect(shown.toSorted()).toEqual(['Segment', 'effort', 'landing page']);
});

test('the workbook of a client has nothing of hidden columns, and a colleague sees all of them', async () => {
  const workbook = async (columns?: string) => {
    const visitor = await visit(whole, columns === undefined ? {} : { columns });
    const { sheets } = await readXlsx(new Uint8Array((await visitor('plan.xlsx?of=clusters')).bytes));
    return JSON.stringify(sheets.map(({ rows }) => rows));
  };
  expect(await workbook()).not.toMatch(secrets);
  expect(await workbook('[]')).not.toMatch(/secret\.example/);
  const [visitor, none] = [await visit(whole), await visit(withSegment)];
  for (const [name] of hiddenNames) {
    for (const asked of [`column=${q(`field:${name}`)}`, `sort=${q(`field:${name}`)}`, '']) {
      const path = `export.xlsx?level=keywords&${asked}`;
      for (const body of [undefined, rows]) {
        const [answer, expected] = [await visitor(path, body), await none(path, body)];
        expect([path, answer.status]).toEqual([path, expected.status]);
        if (answer.status !== 200) continue;
        const { sheets } = await readXlsx(new Uint8Array(answer.bytes));
        expect(JSON.stringify(sheets.map(({ rows }) => rows))).not.toMatch(/Sorensen|secret-tag|geheim|1555/);
      }
    }
  }
  const kind = 'colleague' as const;
  const sent = { id: whole, kind, email: 'bob@example.com', days: 30, withPlan: false, withDownloads: false };
  expect((await server.call('ann', 'POST', `/visualizations/${whole}/links`, { ...sent, columns: [] })).status).toBe(
    422,
  );
});

test('the choice of columns is stored with the link, and nothing else is', async () => {
  const asked = { kind: 'client', name: 'ACME', days: 30, withPlan: false, withDownloads: false };
  await server.db.deleteFrom('share_links').execute();
  const post = (body: object) => server.call<{ id: string }>('ann', 'POST', `/visualizations/${whole}/links`, body);
  const stored = async (id: string) =>
    (await server.db.selectFrom('share_links').select('columns').where('id', '=', id).executeTakeFirstOrThrow())
      .columns;
  expect(await stored((await post({ ...asked, columns: ['Owner', 'a\0'] })).body.id)).toEqual(['Owner', 'a\ufffd']);
  expect(await stored((await post(asked)).body.id)).toBeNull();
  expect((await post({ ...asked, columns: Array(1_001).fill('x') })).status).toBe(422);
});
