import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Filter, noFilter } from '@kc/pack/filter/filter';
import { writeFilter } from '@kc/pack/filter/filter-text';
import { addressOf } from '@kc/pack/plan/node-paths';
import { readXlsx, type Sheet } from 'hucre';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import {
  expectedWorkbook,
  type Figures,
  join,
  type PlainEntry,
  type PlainNode,
} from '../../test/support/workbook-oracle.ts';

let server: PlannedServer;
const now = Date.UTC(2026, 10, 26, 9);
beforeAll(async () => {
  server = await startPlanned(() => now);
});
afterAll(() => server.stop());

async function workbook(id: string, query = ''): Promise<Map<string, Sheet>> {
  const cookie = await server.cookie('ann');
  const answer = await fetch(`${server.app.url}/api/visualizations/${id}/plan.xlsx${query}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toContain('.xlsx');
  const book = await readXlsx(new Uint8Array(await answer.arrayBuffer()), { readStyles: true });
  return new Map(book.sheets.map((sheet) => [sheet.name, sheet]));
}

type Row = Readonly<Record<string, unknown>>;
/** The rows by the titles of their columns; an empty cell is absent. */
const rowsIn = (sheet: Sheet | undefined): Row[] => {
  const [titles, ...rows] = sheet!.rows;
  return rows.map((row) =>
    Object.fromEntries(titles!.map((title, at) => [title, row[at]]).filter(([, cell]) => (cell ?? '') !== '')),
  );
};
const add = (id: string, root: string, path: readonly string[], set: object) =>
  server.change('ann', id, {
    targets: [
      {
        node: addressOf(
          root,
          path.map((name) => [name, 0] as const),
        ),
      },
    ],
    set,
  });

/** Compares every cell of a plan and of its keywords with what follows from the file. */
function expectCells(
  sheets: Map<string, Sheet>,
  root: PlainNode,
  figuresOf: (keyword: string) => Figures,
  entries: readonly PlainEntry[],
): void {
  const expected = expectedWorkbook(root, figuresOf, entries);
  const plan = rowsIn(sheets.get('Plan'));
  expect(plan.map(({ Path }) => Path).sort()).toEqual(expected.plan.map(({ path }) => join(path)).sort());
  const close = (found: unknown, wanted: number | undefined, what: string) => {
    if (wanted === undefined) expect(found, what).toBeUndefined();
    else
      expect(Math.abs((found as number) - wanted), `${what} ${found} ${wanted}`).toBeLessThan(
        1e-5 * Math.max(1, wanted),
      );
  };
  for (const entry of expected.plan) {
    const row = plan.find(({ Path }) => Path === join(entry.path))!;
    expect([row.Pillar, row.Cluster ?? '', row.Keywords, row.Status]).toEqual([
      entry.path[0],
      entry.cluster,
      entry.count,
      entry.status,
    ]);
    close(row.Volume, entry.volume, 'volume');
    close(row.Difficulty, entry.difficulty, 'difficulty');
    close(row['Difficulty known'], entry.difficultyKnown, 'known');
    close(row.CPC, entry.cpc, 'cpc');
    const score =
      entry.difficulty === undefined || entry.volume === undefined
        ? undefined
        : entry.volume * (1 - entry.difficulty / 100);
    close(row.Score, score, 'score');
    expect(entry.primaries).toContain(row['Primary keyword']);
    const wanted = entry.supporting.map(({ name }) => name).filter((name) => name !== row['Primary keyword']);
    const cell = String(row['Supporting keywords'] ?? '');
    const cut = /, … and ([\d,]+) more on sheet (.*)$/.exec(cell);
    const listed = wanted.length === 0 ? [] : (cut ? cell.slice(0, cut.index) : cell).split(', ');
    if (cut) {
      expect(cut[2]).toBe(entry.path[0]);
      expect(Number(cut[1]!.replaceAll(',', '')) + listed.length).toBe(wanted.length);
    } else expect([...listed].sort()).toEqual([...wanted].sort());
    const volumes = listed.map((name) => figuresOf(name).volume ?? -1);
    expect(volumes).toEqual([...volumes].sort((one, other) => other - one));
    const shares = [...entry.shares].sort((one, other) => other.share - one.share);
    for (const { name, share } of shares) {
      const percent = share < 0.01 ? 'under 1' : share > 0.99 && share < 1 ? 'over 99' : Math.round(100 * share);
      expect(String(row.Intent).toLowerCase()).toContain(`${name} ${percent} %`);
    }
    if (shares.length === 0) expect(row.Intent).toBeUndefined();
  }
  const pillars = [...new Set(entries.map(({ path }) => path[0]!))];
  const found = pillars.flatMap((pillar) => rowsIn(sheets.get(pillar)).map((row) => ({ pillar, ...row }) as Row));
  const byName = new Map(found.map((row) => [row.Keyword, row]));
  expect(byName.size).toBe(found.length);
  expect(found.length).toBe(expected.keywords.length);
  for (const { name, path, figures, entry } of expected.keywords) {
    const row = byName.get(name)!;
    expect([name, row.pillar, row.Status, row.Volume]).toEqual([name, path[0], entry.status, figures.volume]);
    close(row.Difficulty, figures.difficulty, 'difficulty');
    close(row.CPC, figures.cpc, 'cpc');
    expect(['primary', 'supporting']).toContain(row.Role);
  }
}

test('formats, dates, links, frozen heads, and texts that begin like formulas', async () => {
  await server.people();
  const file = {
    keywords: [{ keyword: '=1+1', volume: 90, difficulty: 20, URL: 'https://shop.example/a?b=1&c="2"', position: 3.4 }],
    hierarchy: {
      name: 'shoes',
      children: [
        {
          name: 'a/b: [c]*?',
          type: 'pillar',
          children: [{ name: 'trail', type: 'cluster', children: ['=1+1', '_x0041_ & <b>', 'flats'] }],
        },
        { name: 'About', type: 'pillar', children: [{ name: 'road', type: 'cluster', children: ['socks\u0001'] }] },
      ],
    },
  };
  const id = await server.upload(file);
  const note = '-2\n+3 "quoted" <tag> \u{1f45f}';
  await add(id, 'shoes', ['a/b: [c]*?', 'trail'], {
    due: '2027-02',
    url: 'https://shop.example/trail',
    note,
    assignee: '@lena',
  });
  await add(id, 'shoes', ['About', 'road'], { url: '/road' });
  const sheets = await workbook(id);
  expect([...sheets.keys()]).toEqual(['Plan', 'a b c', 'About (2)', 'About']);
  for (const sheet of sheets.values()) {
    expect(sheet.freezePane).toMatchObject({ rows: 1, columns: 1 });
    expect(sheet.autoFilter?.range).toMatch(/^A1:[A-Z]+\d+$/);
    for (const cell of sheet.cells?.values() ?? []) expect(cell.formula).toBeUndefined();
  }
  const plan = sheets.get('Plan')!;
  const titles = plan.rows[0]!;
  const cellOf = (title: string, row = 1) => plan.cells?.get(`${row},${titles.indexOf(title)}`);
  const [first] = rowsIn(plan);
  expect(first).toMatchObject({
    Note: note,
    Owner: '@lena',
    'Primary keyword': '=1+1',
    URL: 'https://shop.example/trail',
  });
  expect(first!.Due).toEqual(new Date(Date.UTC(2027, 1, 1)));
  expect(cellOf('Due')?.style?.numFmt).toBe('mmm yyyy');
  expect(cellOf('Volume')?.style?.numFmt).toBe('#,##0');
  expect(cellOf('Difficulty')?.style?.numFmt).toBe('0.0');
  expect(cellOf('Path', 0)?.style?.font?.bold).toBe(true);
  expect(cellOf('URL')?.hyperlink?.target).toBe('https://shop.example/trail');
  expect(cellOf('URL', 2)?.hyperlink).toBeUndefined();
  expect(cellOf('Open')?.hyperlink?.target).toBe(first!.Open);
  expect(first!.Open).toMatch(new RegExp(`/visualization\\?v=${id}&sel=[0-9a-f]{16}$`));
  expect(rowsIn(sheets.get('a b c')).map(({ Keyword, URL, Position }) => [Keyword, URL, Position])).toEqual([
    ['=1+1', 'https://shop.example/a?b=1&c="2"', 3.4],
    ['_x0041_ & <b>', undefined, undefined],
    ['flats', undefined, undefined],
  ]);
  const about = new Map(sheets.get('About')!.rows.map(([name, value]) => [name, value]));
  expect(about.get('Data')).toBe('shoes');
  expect(about.get('Empty cell')).toBe('Unknown. It is never 0.');
  expect(about.get('This file was made')).toEqual(new Date(Date.UTC(2026, 10, 26)));
  // The filter in the words of the page.
  const filterIn = async (parts: Partial<Filter>) => {
    const sheets = await workbook(id, `?${new URLSearchParams({ filter: writeFilter({ ...noFilter, ...parts }) })}`);
    return new Map(sheets.get('About')!.rows.map(([name, value]) => [name, value])).get('Filter');
  };
  const ofLena = await workbook(id, '?filter=owner-@lena');
  expect(rowsIn(ofLena.get('Plan')).map(({ Owner }) => Owner)).toEqual(['@lena']);
  expect(await filterIn({ planned: [{ of: 'owner', value: '@lena' }] })).toBe('Plan owner: @lena');
  expect(about.get('Filter')).toBe('None');
  const trail = String(first!.Open).slice(-16);
  const all: Partial<Filter> = {
    ranges: [{ of: 'volume', from: undefined, to: 900 }],
    within: [trail, 'ffffffffffffffff'],
    branches: [{ level: 'cluster', of: 'covered', from: undefined, to: 50 }],
  };
  expect(await filterIn(all)).toBe(
    'Volume at most 900 · Only in: trail or a branch that is not in this upload · Cluster covered at most 50 %',
  );
});

// Shows P24.8.
test('every cell of the plan of a random tree is what follows from its file', async () => {
  await server.people();
  let seed = 7;
  const chance = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const words = Array.from({ length: 160 }, (_, at) => `word ${at}`);
  const figures = new Map<string, Figures>(
    words.map((word) => [
      word,
      {
        ...(chance(4) > 0 && { volume: 10 * chance(500) }),
        ...(chance(3) > 0 && { difficulty: chance(101) }),
        ...(chance(2) > 0 && { cpc: chance(400) / 64 }),
        ...(chance(2) > 0 && { intent: ['informational', 'commercial', 'transactional'].slice(chance(3)) }),
      },
    ]),
  );
  const cluster = (name: string): PlainNode => ({
    name,
    type: 'cluster',
    children: [...new Set(Array.from({ length: 1 + chance(12) }, () => words[chance(words.length)]!))].map((word) => ({
      name: word,
    })),
  });
  const pillar = (name: string): PlainNode => ({
    name,
    type: 'pillar',
    children: Array.from({ length: 1 + chance(6) }, (_, at) => cluster(`${name} ${at}`)),
  });
  const hierarchy: PlainNode = { name: 'root', type: 'root', children: ['one', 'two', 'three'].map(pillar) };
  const keywords = [...figures].map(([keyword, of]) => ({ keyword, ...of }));
  const id = await server.upload({ keywords, hierarchy });
  const entries: PlainEntry[] = [];
  for (const top of hierarchy.children!) {
    if (chance(2) === 0) entries.push({ path: [top.name], status: 'Idea' });
    for (const child of top.children!) {
      if (chance(2) === 0) continue;
      const status = ['Idea', 'Planned', 'Written', 'Live'][chance(4)]!;
      entries.push({ path: [top.name, child.name], status });
    }
  }
  for (const { path, status } of entries) await add(id, 'root', path, { status: status.toLowerCase() });
  expectCells(await workbook(id), hierarchy, (name) => figures.get(name)!, entries);
});

const real = fileURLToPath(new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
test.skipIf(!existsSync(real))('every cell of a plan of a real file is what follows from that file', async () => {
  await server.people();
  const file = JSON.parse(await readFile(real, 'utf8')) as {
    readonly keywords: readonly {
      keyword: string;
      search_volume?: number;
      keyword_difficulty?: number;
      cpc?: number;
      intent?: string[];
    }[];
    readonly hierarchy: PlainNode;
  };
  const figures = new Map(
    file.keywords.map(({ keyword, search_volume, keyword_difficulty, cpc, intent }): [string, Figures] => [
      keyword,
      {
        ...(typeof search_volume === 'number' && { volume: search_volume }),
        ...(typeof keyword_difficulty === 'number' && { difficulty: keyword_difficulty }),
        ...(typeof cpc === 'number' && { cpc }),
        ...(intent && { intent }),
      },
    ]),
  );
  const id = await server.upload(file);
  const [first, second] = file.hierarchy.children!;
  const entries: PlainEntry[] = [
    { path: [first!.name], status: 'Planned' },
    ...first!.children!.slice(0, 6).map(({ name }) => ({ path: [first!.name, name], status: 'Live' })),
    ...second!.children!.slice(0, 3).map(({ name }) => ({ path: [second!.name, name], status: 'Idea' })),
  ];
  for (const { path, status } of entries) await add(id, file.hierarchy.name, path, { status: status.toLowerCase() });
  const known = (name: string): Figures => figures.get(name) ?? {};
  expectCells(await workbook(id), file.hierarchy, known, entries);
});

// Shows P15.29.
test('when an entry peaks and when to publish it, as far as anybody knows which months the trends are of', async () => {
  await server.people();
  const june = [1, 1, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1];
  const file = {
    keywords: [
      { keyword: 'sandals', volume: 20, trend: june },
      { keyword: 'boots', volume: 30, trend: Array<number>(12).fill(30) },
      { keyword: 'laces', volume: 5 },
    ],
    hierarchy: {
      name: 'heels',
      children: ['sandals', 'boots', 'laces'].map((name) => ({ name, type: 'cluster', children: [{ name }] })),
    },
  };
  const id = await server.upload(file);
  for (const name of ['sandals', 'boots', 'laces']) await add(id, 'heels', [name], {});
  const seasons = async () => {
    const sheets = await workbook(id);
    const plan = rowsIn(sheets.get('Plan')).map((row) => [row.Path, row['Peak month'], row['Publish by']]);
    const keywords = ['sandals', 'boots', 'laces'].map((pillar) => rowsIn(sheets.get(pillar))[0]!['Peak month']);
    return { plan: plan.toSorted(), keywords };
  };
  expect(await seasons()).toEqual({
    plan: [
      ['boots', 'No clear season', undefined],
      ['laces', undefined, undefined],
      ['sandals', 'Month 8 of 12', undefined],
    ],
    keywords: ['Month 8 of 12', 'No clear season', undefined],
  });
  const cookie = await server.cookie('ann');
  await fetch(`${server.app.url}/api/visualizations/${id}/newest-month`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ month: '2026-10' }),
  });
  const { plan, keywords } = await seasons();
  expect(keywords).toEqual(['June', 'No clear season', undefined]);
  // Two months before June 2027, seen in November 2026.
  expect(plan.at(-1)).toEqual(['sandals', 'June', new Date('2027-04-01T00:00:00Z')]);
  await server.call('ann', 'PUT', `/visualizations/${id}/plan/lead`, { lead: 5 });
  expect((await seasons()).plan.at(-1)).toEqual(['sandals', 'June', new Date('2027-01-01T00:00:00Z')]);
});
