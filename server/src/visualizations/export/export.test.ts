import { mkdtemp, rm } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noFilter } from '@kc/pack/filter/filter';
import { writeFilter } from '@kc/pack/filter/filter-text';
import { limits } from '@kc/rules/limits';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, startTestApp, type TestApp } from '../../../test/support/app.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { insertAccount } from '../../../test/support/rows.ts';
import { tusClient } from '../../../test/support/tus.ts';
import { prepareJobs } from '../../jobs/jobs.ts';

let database: TestDatabase;
let directory: string;
let app: TestApp;
let ann: string;
let bob: string;
let admin: string;

beforeAll(async () => {
  database = await testDatabase(prepareJobs);
  directory = await mkdtemp(join(tmpdir(), 'kc-export-'));
  await insertAccount(database.db, 'admin', { role: 'admin' });
  for (const person of ['ann', 'bob']) await insertAccount(database.db, person);
  app = await startTestApp(database, directory);
  [ann, bob, admin] = (await Promise.all(['ann', 'bob', 'admin'].map((person) => cookieOf(database, person)))) as [
    string,
    string,
    string,
  ];
});
afterAll(async () => {
  await app.stop();
  expect(app.faults).toEqual([]);
  await database.close();
  await rm(directory, { recursive: true });
});

async function upload(file: unknown, filename = 'shop.json'): Promise<string> {
  const client = tusClient(app.url, admin);
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const status = await client.settled(await client.send(bytes, { filename, userId: 'ann' }));
  if (!status.visualizationId) throw new Error(`Not active: ${JSON.stringify(status)}`);
  return status.visualizationId;
}

const ask = (path: string, cookie = ann, options: RequestInit = {}): Promise<Response> =>
  fetch(`${app.url}/api/visualizations/${path}`, { ...options, headers: { cookie, ...options.headers } });
const list = (id: string, rows: readonly number[], cookie = ann): Promise<Response> =>
  ask(`${id}/export.csv`, cookie, {
    method: 'POST',
    body: new Uint8Array(Uint32Array.from(rows).buffer),
    headers: { 'content-type': 'application/octet-stream' },
  });
const codeOf = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { data: { code: string } }).data.code;

type Line = Readonly<Record<string, string>>;
const table = async (answer: Response): Promise<Line[]> =>
  parse(Buffer.from(await answer.arrayBuffer()), { bom: true, columns: true }) as Line[];

type Keyword = { keyword: string; volume?: number; kd?: number; traffic?: number; intent?: string; brand?: string };
type Node = { name: string; type?: string; note?: string[]; children?: Node[] };

/** A seeded random number generator. */
function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random hierarchy with several levels. Keywords occur in several branches, and some figures are unknown. */
function shopOf(chance: (below: number) => number): { keywords: Keyword[]; hierarchy: Node } {
  const keywords = Array.from(
    { length: 60 },
    (_, i): Keyword => ({
      keyword: `word ${i}`,
      ...(chance(4) > 0 && { volume: chance(5_000) }),
      ...(chance(3) > 0 && { kd: chance(1_000) / 10 }),
      ...(chance(3) > 0 && { traffic: chance(900) }),
      ...(chance(2) > 0 && { intent: ['I', 'N', 'C, T'][chance(3)]! }),
      ...(chance(2) > 0 && { brand: ['Acme', 'Öko'][chance(2)]! }),
    }),
  );
  const branch = (name: string, level: number): Node =>
    level >= 3
      ? { name: `word ${chance(70)}`, type: 'keyword' }
      : {
          name,
          ...(level === 1 && { type: 'pillar_topic', note: [name] }),
          children: Array.from({ length: 1 + chance(5) }, (_, i) => branch(`${name}.${i}`, level + 1 + chance(2))),
        };
  return { keywords, hierarchy: { name: 'shop', children: Array.from({ length: 6 }, (_, i) => branch(`p${i}`, 1)) } };
}

/** The expected lines of the export, by path, computed from the file alone. */
function expectedLines({ keywords, hierarchy }: { keywords: Keyword[]; hierarchy: Node }): Map<string, Line> {
  const entries = new Map(keywords.map((entry) => [entry.keyword, entry]));
  const lines = new Map<string, Line>();
  const wordsOf = (node: Node): string[] => node.children?.flatMap(wordsOf) ?? [node.name];
  const walk = (node: Node, way: readonly string[]): void => {
    const words = [...new Set(wordsOf(node))];
    const known = (key: 'volume' | 'kd' | 'traffic' | 'intent' | 'brand') =>
      words.map((word) => entries.get(word)?.[key]).filter((value) => value !== undefined);
    const sum = (values: readonly unknown[]) => values.reduce<number>((total, value) => total + Number(value), 0);
    const text = (values: readonly unknown[], figure: (values: readonly unknown[]) => number, digits = 15) =>
      values.length === 0 ? '' : String(Number(figure(values).toPrecision(digits)));
    const intents = known('intent');
    const has = (letter: string) =>
      intents.length === 0 ? '' : String(intents.filter((value) => String(value).includes(letter)).length);
    lines.set([...way, node.name].join('/'), {
      Name: node.name,
      Type: node.type ?? '',
      Depth: String(way.length),
      Keywords: String(words.length),
      Volume: text(known('volume'), sum),
      'Volume known': String(known('volume').length),
      Difficulty: text(known('kd'), (values) => sum(values) / values.length, 6),
      'Difficulty known': String(known('kd').length),
      CPC: '',
      'CPC known': '0',
      Informational: has('I'),
      Navigational: has('N'),
      Commercial: has('C'),
      Transactional: has('T'),
      'Intent known': String(intents.length),
      traffic: text(known('traffic'), sum),
      'traffic known': String(known('traffic').length),
      'brand known': String(known('brand').length),
    });
    for (const child of node.children ?? []) walk(child, [...way, node.name]);
  };
  walk(hierarchy, []);
  return lines;
}

/** Sorts siblings by name, because a filter may change their order. */
const sorted = ({ children, ...node }: Node): Node =>
  children ? { ...node, children: children.map(sorted).sort((a, b) => (a.name < b.name ? -1 : 1)) } : node;
/** The columns to compare. A field without any remaining value is no column after the second upload. */
const figuresOf = ({ Name, Keywords, Volume, Difficulty, Depth }: Line) => [Name, Depth, Keywords, Volume, Difficulty];

const wayOf = (line: Line, root: string): string => {
  const titles = Object.keys(line);
  const levels = titles.slice(titles.indexOf('Kind') + 1, titles.indexOf('Keyword') + 1);
  return [root, ...levels.map((name) => line[name]!).filter((name) => name !== '')].join('/');
};

describe('a table', () => {
  // Shows P16.8.
  test.each([1, 2, 3])('has every node with figures recomputed from the file (%i)', async (seed) => {
    const file = shopOf(chanceOf(seed));
    const id = await upload(file);
    const lines = await table(await ask(`${id}/export.csv`));
    const expected = expectedLines(file);
    const count = (node: Node): number => 1 + (node.children ?? []).reduce((sum, child) => sum + count(child), 0);
    expect(lines).toHaveLength(count(file.hierarchy));
    for (const line of lines) expect(line).toMatchObject(expected.get(wayOf(line, 'shop'))!);

    const whole = lines.map((line) => line.Name);
    const at = lines.findIndex((line) => line.Depth === '2' && line.Keywords !== '1');
    const { hits } = (await (await ask(`${id}/search?q=${lines[at]!.Name}`)).json()) as {
      hits: { node: number; name: string }[];
    };
    const node = hits.find((hit) => hit.name === lines[at]!.Name)!.node;
    const branch = await table(await ask(`${id}/export.csv?node=${node}`));
    expect(branch.map((line) => line.Name)).toEqual(whole.slice(at, at + branch.length));
    expect(branch[0]).toEqual(lines[at]);
    expect(lines[at + branch.length]?.Cluster ?? '').not.toBe(lines[at]!.Name);

    const rows = await table(await list(id, [node, 0, node]));
    expect(rows).toEqual([lines[at], lines[0], lines[at]]);
  });

  test.each([4, 5])('has under a filter only kept nodes, with figures of those alone (%i)', async (seed) => {
    const file = shopOf(chanceOf(seed));
    const id = await upload(file);
    const filter = writeFilter({ ...noFilter, contains: ['word 1'], known: ['volume'] });
    const volumes = new Map(file.keywords.map(({ keyword, volume }) => [keyword, volume]));
    const left = (node: Node): Node | undefined => {
      if (!node.children)
        return node.name.includes('word 1') && volumes.get(node.name) !== undefined ? node : undefined;
      const children = node.children.map(left).filter((child) => child !== undefined);
      return children.length > 0 ? { ...node, children } : undefined;
    };
    const kept = left(file.hierarchy)!;
    const expected = expectedLines({ keywords: file.keywords, hierarchy: kept });
    const query = `filter=${encodeURIComponent(filter)}`;
    const answer = await ask(`${id}/export.csv?${query}`);
    expect(answer.headers.get('content-disposition')).toMatch(
      /everything%20%28filtered%29%20%E2%80%93%20\d{4}-\d\d-\d\d\.csv$/,
    );
    const lines = await table(answer);
    for (const line of lines) expect(line).toMatchObject(expected.get(wayOf(line, 'shop'))!);
    const count = (node: Node): number => 1 + (node.children ?? []).reduce((sum, child) => sum + count(child), 0);
    expect(lines).toHaveLength(count(kept));
    expect(lines.length).toBeLessThan(count(file.hierarchy));

    const again = (await (await ask(`${id}/export.json?${query}`)).json()) as typeof file;
    expect(sorted(again.hierarchy)).toEqual(sorted(kept));
    const once = await table(await ask(`${await upload(again)}/export.csv`));
    expect(new Set(once.map((line) => JSON.stringify(figuresOf(line))))).toEqual(
      new Set(lines.map((line) => JSON.stringify(figuresOf(line)))),
    );
  });

  test('neutralises what a spreadsheet would treat as a formula, and leaves numbers unchanged', async () => {
    const names = [
      '=1+1',
      '+1',
      '-1',
      '@sum',
      '\tx',
      '\rx',
      '＝x',
      '＋x',
      '－x',
      '＠x',
      '"=x',
      ' =x',
      '|x',
      ';=1+1',
      ',=1+1',
      'x;=1+1',
      'a=b, \'c\' "d"\r\ne',
      'ü😀',
    ];
    const file = {
      keywords: names.map((keyword) => ({ keyword, 'Position change': -3, owner: '=cmd' })),
      hierarchy: { name: '=root', type: '@type', children: names.map((name) => ({ name })) },
    };
    const answer = await ask(`${await upload(file)}/export.csv`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = parse(bytes, { bom: true, columns: true }) as Line[];
    for (const line of lines) {
      for (const cell of Object.values(line)) expect(cell).not.toMatch(/^[=+@\t\r＝＋－＠]|^-(?!\d)/);
    }
    expect(lines[0]).toMatchObject({ Name: "'=root", Type: "'@type", Keyword: '' });
    expect(new Set(lines.slice(1).map((line) => line.Keyword))).toEqual(new Set(names.map(harmlessCell)));
    // Splits at every separator that some program uses, regardless of quotes. The number -3 is no formula.
    const parts = new TextDecoder().decode(bytes).split(/[,;\t\r\n]/);
    expect(parts.filter((part) => /^[\s"]*[=+\-@|＝＋－＠]/.test(part) && part !== '-3')).toEqual([]);
    expect(lines[1]).toMatchObject({ owner: "'=cmd", 'Position change': '-3', Volume: '', 'Volume known': '0' });
  });

  test('has distinct column names, whatever the fields of the file are called', async () => {
    const file = {
      keywords: [{ keyword: 'a', depth: 5, Kind: 'x', 'depth known': 7, Klickrate: '3.4%' }],
      hierarchy: { name: 'r', children: ['a'] },
    };
    const text = await (await ask(`${await upload(file)}/export.csv`)).text();
    const header = text.slice(0, text.indexOf('\r\n')).split(',');
    expect(new Set(header.map((name) => name.toLowerCase())).size).toBe(header.length);
    expect(header).toEqual(
      expect.arrayContaining(['Kind', 'Depth', 'depth (2)', 'depth known (2)', 'Kind (2)', 'CTR']),
    );
  });

  test('has all set members of a keyword, and the most common ones of a branch', async () => {
    const file = {
      keywords: [
        { keyword: 'a', 'SERP Features': 'Video, Ads top, People also ask' },
        { keyword: 'b', 'SERP Features': ['Ads top'] },
        { keyword: 'c', 'SERP Features': '' },
      ],
      hierarchy: { name: 'r', children: ['a', 'b', 'c'] },
    };
    const lines = await table(await ask(`${await upload(file)}/export.csv`));
    expect(lines.map((line) => [line.Name, line['SERP Features'], line['SERP Features known']])).toEqual([
      ['r', 'Ads top', '2'],
      ['a', 'Video, Ads top, People also ask', '1'],
      ['b', 'Ads top', '1'],
      ['c', '', '0'],
    ]);
  });

  test('gives positions as numbers if there are more levels than columns', async () => {
    let hierarchy: Node = { name: 'n40' };
    for (let level = 39; level >= 0; level--) hierarchy = { name: `n${level}`, children: [hierarchy] };
    const lines = await table(await ask(`${await upload({ keywords: [], hierarchy })}/export.csv`));
    expect(lines.map((line) => line.Name)).toEqual(Array.from({ length: 41 }, (_, level) => `n${level}`));
    expect(lines.at(-1)).toMatchObject({
      'Pillar topic': 'n1',
      'Cluster level 16': 'n16',
      Keyword: 'n40',
      Id: '40',
      'Parent id': '39',
      Depth: '40',
    });
    expect(lines[0]).toMatchObject({ Id: '0', 'Parent id': '', 'Pillar topic': '' });
    expect(lines[1]!.Cluster).toBe('');
  });

  // Shows P16.12.
  test('of keywords or of groups alone has the same rows for them as the whole table', async () => {
    const id = await upload(shopOf(chanceOf(3)));
    const whole = await table(await ask(`${id}/export.csv`));
    for (const [kind, kinds] of [
      ['keywords', ['Keyword']],
      ['clusters', ['Pillar topic', 'Cluster']],
    ] as const) {
      const answer = await ask(`${id}/export.csv?kind=${kind}`);
      expect(answer.headers.get('content-disposition')).toContain(`${kind}%20%E2%80%93`);
      expect(await table(answer)).toEqual(whole.filter((line) => (kinds as readonly string[]).includes(line.Kind!)));
      const under = await table(await ask(`${id}/export.csv?kind=${kind}&filter=volume-1000_`));
      const wholeUnder = await table(await ask(`${id}/export.csv?filter=volume-1000_`));
      expect(under).toEqual(wholeUnder.filter((line) => (kinds as readonly string[]).includes(line.Kind!)));
      expect(under.length).toBeGreaterThan(0);
      expect(under.length).toBeLessThan(whole.length);
    }
    expect(await codeOf(await ask(`${id}/export.csv?kind=x`))).toBe('visualization/query-invalid');
  });

  test('is a download that no browser displays, named after file and branch', async () => {
    const id = await upload(
      { keywords: [], hierarchy: { name: 'r', children: [{ name: 'trail/shoes', children: ['a'] }] } },
      'từ "1".json',
    );
    const { headers } = await ask(`${id}/export.csv?node=1`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[ -~]+\.csv"; filename\*=UTF-8''t%E1%BB%AB%201%20%E2%80%93%20trail%20shoes%20%E2%80%93%20everything%20%E2%80%93%20\d{4}-\d\d-\d\d\.csv$/,
    );
  });
});

test('whoever has begun six hundred exports within an hour has to wait', async () => {
  const id = await upload({ keywords: [], hierarchy: { name: 'r', children: ['a'] } });
  const begun = database.db.updateTable('rate_limits').where('key', 'like', 'export:%');
  expect((await ask(`${id}/export.csv`)).status).toBe(200);
  await begun.set({ uses: 599 }).execute();
  expect((await ask(`${id}/export.csv`)).status).toBe(200);
  expect(await codeOf(await ask(`${id}/export.csv`))).toBe('sign-in/too-many');
  await begun.set({ uses: 0 }).execute();
});

describe('a branch as JSON', () => {
  // Shows P16.9.
  test('equals the uploaded file, and can be uploaded again', async () => {
    const file = shopOf(chanceOf(7));
    const id = await upload(file);
    const whole = (await (await ask(`${id}/export.json`)).json()) as typeof file;
    expect(whole.hierarchy).toEqual(file.hierarchy);
    const lines = await table(await ask(`${id}/export.csv`));
    expect(await table(await ask(`${await upload(whole)}/export.csv`))).toEqual(lines);

    const branch = (await (await ask(`${id}/export.json?node=2`)).json()) as typeof file;
    expect(branch.hierarchy).toEqual(file.hierarchy.children!.find(({ name }) => name === branch.hierarchy.name));
    const words = (node: Node): string[] => node.children?.flatMap(words) ?? [node.name];
    const used = new Set(words(branch.hierarchy));
    expect(branch.keywords).toEqual(file.keywords.filter(({ keyword }) => used.has(keyword)));
  });

  test('keeps a leaf that is a plain text as it is', async () => {
    const id = await upload({ keywords: ['a'], hierarchy: { name: 'r', children: ['a'] } });
    expect(await (await ask(`${id}/export.json?node=1`)).json()).toEqual({ hierarchy: 'a', keywords: ['a'] });
  });
});

describe('a user', () => {
  test('cannot export the data of others, and gets an error for a missing node', async () => {
    const id = await upload({ keywords: [], hierarchy: { name: 'r', children: ['a', 'b'] } });
    for (const path of ['export.csv', 'export.json']) {
      expect((await ask(`${id}/${path}`, bob)).status).toBe(404);
      expect((await ask(`${id}/${path}`, '')).status).toBe(401);
      expect((await ask(`${id}/${path}`, admin)).status).toBe(200);
      expect(await codeOf(await ask(`${id}/${path}?node=3`))).toBe('visualization/node-not-found');
      for (const node of ['x', '-1', '1e1', '1&node=2']) {
        expect(await codeOf(await ask(`${id}/${path}?node=${node}`))).toBe('visualization/query-invalid');
      }
      expect((await ask(`${id}/${path}`, ann, { method: 'HEAD' })).status).toBe(404);
    }
    expect((await list(id, [0], bob)).status).toBe(404);
    expect(await codeOf(await list(id, [0, 3]))).toBe('visualization/node-not-found');
    expect(
      (
        await list(
          id,
          Array.from({ length: limits.maxExportedRows + 1 }, () => 0),
        )
      ).status,
    ).toBe(413);
  });

  test('who disconnects ends the export, and frees its slot', async () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `${'more than a connection holds '.repeat(16)}${i}`);
    const id = await upload({ keywords: [], hierarchy: { name: 'r', children: words } });
    const slow = await Promise.all(
      Array.from({ length: limits.maxExportsAtOnce }, () => heldDownload(`${id}/export.csv`)),
    );
    expect(await codeOf(await ask(`${id}/export.csv`))).toBe('visualization/export-busy');
    expect((await ask(`${id}/slice`)).status).toBe(200);
    expect(await table(await ask(`${id}/export.csv`, admin))).toHaveLength(words.length + 1);
    for (const { leave } of slow) leave();
    // As many as the limit allows, so none of the abandoned downloads still counts.
    const again: typeof slow = [];
    for (const _place of slow) {
      const take = async () => {
        const download = await heldDownload(`${id}/export.csv`);
        if (download.status === 200) again.push(download);
        else download.leave();
        return download.status;
      };
      await expect.poll(take).toBe(200);
    }
    for (const { leave } of again) leave();
  });
});

/** Starts a download and reads only the response headers. */
function heldDownload(path: string): Promise<{ readonly status: number; leave(): void }> {
  return new Promise((resolve, reject) => {
    const request = httpGet(`${app.url}/api/visualizations/${path}`, { headers: { cookie: ann } }, (answer) => {
      answer.pause();
      resolve({ status: answer.statusCode ?? 0, leave: () => answer.destroy() });
    });
    request.once('error', reject);
  });
}
