import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sheetOf, tableWorkbook, workbookOf } from '@kc/cluster/test/support/workbooks';
import { createIngest } from '@kc/pack/ingest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leavesOf, runCluster as run, startCluster, mapAt as upload } from '../../test/support/cluster-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kc-cluster-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function listFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const modifiers = ['red', 'blue', 'cheap', 'best', 'small', 'large', 'used', 'new'];
/** Two subjects that share no word. */
const shop = ['garden hose', 'cat food'].flatMap((subject) => modifiers.map((word) => `${word} ${subject}`));
const shopList = `Keyword,Volume\n${shop.map((keyword, row) => `${keyword},${10 * (row + 1)}`).join('\n')}\n`;

// Shows P20.1.
test('a list without groups becomes clusters of what belongs together, with the figures of the file', async () => {
  const [file, out] = [await listFile('shop_broad-match_us_2026-04-30.csv', shopList), join(folder, 'map.json')];
  const { code, stdout } = await startCluster(file, out, '--lang', 'en');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 16, keywords: 16, merged: 0, method: 'text', language: 'en' });
  const { keywords, hierarchy } = await upload(out);
  expect(hierarchy.name).toBe('shop');
  expect(leavesOf(hierarchy).toSorted()).toEqual(shop.toSorted());
  expect(keywords.map(({ keyword, search_volume }) => [keyword, search_volume])).toEqual(
    shop.map((keyword, row) => [keyword, 10 * (row + 1)]),
  );
  for (const branch of hierarchy.children!) {
    const subjects = new Set(leavesOf(branch).map((keyword) => keyword.split(' ').at(-1)));
    expect([branch.name, subjects.size]).toEqual([branch.name, 1]);
  }
  expect(await readdir(folder)).toEqual(['map.json', 'shop_broad-match_us_2026-04-30.csv']);
});

// Shows P20.1.
test('the written file is an upload with the same keywords and volume', async () => {
  const [file, out] = [await listFile('shop.csv', shopList), join(folder, 'map.json')];
  await run(file, out, '--model', 'none', '--quiet');
  const ingest = createIngest({ hashKey: [1, 2], fileBytes: 0 });
  ingest.push(new Uint8Array(await readFile(out)));
  const result = ingest.finish();
  expect(result).toMatchObject({ ok: true, tree: { counts: { keywords: 16, notInHierarchy: 0 } } });
});

// Shows P20.7.
test('equal lists and options write equal bytes', async () => {
  const file = await listFile('shop.csv', shopList);
  const [one, other] = [join(folder, 'one.json'), join(folder, 'other.json')];
  await run(file, one, '--model', 'none', '--quiet', '--name', 'Shop');
  await run(file, other, '--model', 'none', '--quiet', '--name', 'Shop');
  expect(await readFile(other, 'utf8')).toBe(await readFile(one, 'utf8'));
});

test.each([
  ['2', 'pages'],
  ['3', 'nested'],
])('--levels %s makes %s, and the seed is the one that was given', async (levels, shape) => {
  const [file, out] = [await listFile('shop.csv', shopList), join(folder, 'map.json')];
  await run(file, out, '--model', 'none', '--quiet', '--levels', levels, '--seed', '7');
  const { clustering, hierarchy } = JSON.parse(await readFile(out, 'utf8'));
  expect(clustering.settings).toMatchObject({ shape, seed: 7 });
  expect(leavesOf(hierarchy).toSorted()).toEqual(shop.toSorted());
});

// Shows P20.5.
test('a list with groups keeps them, and its repeated keywords are merged', async () => {
  const rows = [
    'Keyword;Group;Cluster;Volume',
    'hose;Garden;Water;100',
    'spade;Garden;Soil;50',
    'Hose;Garden;Water;90',
    'bowl;Pets;Cats;7',
  ];
  const out = join(folder, 'map.json');
  const { code, stdout } = await run(await listFile('shop.csv', rows.join('\r\n')), out, '--quiet', '--model', 'none');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 4,
    keywords: 3,
    merged: 1,
    method: 'columns',
    pillars: 2,
    clusters: 3,
  });
  const { keywords, hierarchy } = await upload(out);
  expect(keywords).toEqual([
    { keyword: 'hose', search_volume: 90 },
    { keyword: 'spade', search_volume: 50 },
    { keyword: 'bowl', search_volume: 7 },
  ]);
  expect(hierarchy.children).toEqual([
    {
      name: 'Garden',
      type: 'pillar_topic',
      children: [
        { name: 'Water', type: 'cluster', children: [{ name: 'hose', type: 'keyword' }] },
        { name: 'Soil', type: 'cluster', children: [{ name: 'spade', type: 'keyword' }] },
      ],
    },
    {
      name: 'Pets',
      type: 'pillar_topic',
      children: [{ name: 'Cats', type: 'cluster', children: [{ name: 'bowl', type: 'keyword' }] }],
    },
  ]);
});

test('columns can be chosen as levels of the grouping', async () => {
  const rows = ['Keyword,Owner,Market', 'hose,Ann,north', 'spade,Ben,north', 'rake,Ann,south', 'fork,Ben,south'];
  const out = join(folder, 'map.json');
  await run(await listFile('shop.csv', rows.join('\n')), out, '--quiet', '--group', 'Market,Owner', '--model', 'none');
  const { hierarchy } = await upload(out);
  expect(hierarchy.children!.map(({ name, children }) => [name, children!.map((child) => child.name)])).toEqual([
    ['north', ['Ann', 'Ben']],
    ['south', ['Ann', 'Ben']],
  ]);
});

test('a column that does not exist cannot be a level', async () => {
  const file = await listFile('shop.csv', 'Keyword,Owner\nhose,Ann\nspade,Ben\n');
  const { code, stderr } = await run(file, join(folder, 'map.json'), '--quiet', '--group', 'Market', '--model', 'none');
  expect([code, stderr]).toEqual([
    2,
    'shop.csv: This list has no search volumes.\nThere is no column "Market" that can be a group\n',
  ]);
});

test('without its groups, a list is clustered and keeps them as a field', async () => {
  const rows = ['Keyword,Group', 'hose,Garden', 'spade,Garden', 'bowl,Pets', 'leash,Pets'];
  const out = join(folder, 'map.json');
  const { stdout } = await run(await listFile('shop.csv', rows.join('\n')), out, '--group', 'none', '--model', 'none');
  expect(JSON.parse(stdout)).toMatchObject({ method: 'text' });
  expect((await upload(out)).keywords[2]).toMatchObject({ keyword: 'bowl', Group: 'Pets' });
});

test('of one level with few groups, these are pillar topics in which clusters are found', async () => {
  const modifiersOf = (subject: string) => modifiers.map((word) => `${word} ${subject}`);
  const garden = [...modifiersOf('garden hose'), ...modifiersOf('lawn mower')].map((keyword) => `${keyword},Garden`);
  const pets = modifiersOf('cat food').map((keyword) => `${keyword},Pets`);
  const out = join(folder, 'map.json');
  await run(
    await listFile('shop.csv', ['Keyword,Group', ...garden, ...pets].join('\n')),
    out,
    '--quiet',
    '--lang',
    'en',
  );
  const { hierarchy } = await upload(out);
  expect(hierarchy.children!.map(({ name, type }) => [name, type])).toEqual([
    ['Garden', 'pillar_topic'],
    ['Pets', 'pillar_topic'],
  ]);
  expect(hierarchy.children![0]!.children!.map(({ type, children }) => [type, children!.length])).toEqual([
    ['cluster', 8],
    ['cluster', 8],
  ]);
});

test('a spreadsheet is read like text', async () => {
  const path = join(folder, 'shop.xlsx');
  await writeFile(
    path,
    tableWorkbook([
      ['Keyword', 'Volume'],
      ['hose', '100'],
      ['spade', '50'],
    ]),
  );
  const { code } = await run(path, join(folder, 'map.json'), '--quiet', '--model', 'none');
  expect(code).toBe(0);
  expect((await upload(join(folder, 'map.json'))).keywords).toEqual([
    { keyword: 'hose', search_volume: 100 },
    { keyword: 'spade', search_volume: 50 },
  ]);
});

test('"-" writes the map to standard output and its cost to standard error', async () => {
  const list = await listFile('shop.txt', 'hose\nspade\n');
  const { stdout, stderr } = await startCluster(list, '-', '--quiet', '--model', 'none');
  expect(JSON.parse(stdout).keywords).toEqual([{ keyword: 'hose' }, { keyword: 'spade' }]);
  expect(JSON.parse(stderr.trim().split('\n').at(-1)!)).toMatchObject({ rows: 2, keywords: 2 });
});

test('a dry run prints how each column is read, and writes nothing', async () => {
  const { code, stdout } = await run(await listFile('shop.csv', shopList), '--dry-run');
  expect(code).toBe(0);
  const [reading] = JSON.parse(stdout);
  expect(reading).toMatchObject({ file: 'shop.csv', encoding: 'utf-8', delimiter: ',', header: { line: 1 } });
  expect(reading.columns.map(({ name, meaning }: Record<string, string>) => [name, meaning])).toEqual([
    ['Keyword', 'keyword'],
    ['Volume', 'volume'],
  ]);
  expect(await readdir(folder)).toEqual(['shop.csv']);
});

// Shows P20.4.
test.each([
  ['{"keywords":[]}', 'This file holds JSON. Rename it to .json to upload it.'],
  ['', 'This file has no rows.'],
  ['Keyword,Volume\n', 'This file has no rows.'],
  ['1,2\n3,4\n', 'No column with keywords was found. Choose the column that holds them.'],
])('%j is refused with its reason, and nothing is written', async (text, reason) => {
  const { code, stderr } = await run(await listFile('list.csv', text), join(folder, 'map.json'), '--quiet');
  expect([code, stderr]).toEqual([1, `list.csv: ${reason}\n`]);
  expect(await readdir(folder)).toEqual(['list.csv']);
});

test.each([
  [[], 'There must be at least one list, and a file to write'],
  [['a.csv', 'map.json', '--preset', 'tiny'], '--preset is one of page, balanced, broad'],
  [['a.csv', 'map.json', '--granularity', '10'], '--granularity is a whole number from 1 to 9'],
  [['a.csv', 'map.json', '--levels', '4'], '--levels is a whole number from 2 to 3'],
  [['a.csv', 'map.json', '--seed', '0'], '--seed is a whole number from 1 to 2147483647'],
  [['a.csv', 'map.json', '--min-shared', '4'], '--min-shared and --results need --type'],
  [['a.csv', 'map.json', '--map', 'Searches=volumes'], 'A meaning of --map is one of keyword, volume, '],
  [
    ['a.json', 'b.json', '--split', 'Other', '--min-volume', '9'],
    '--min-volume has no effect with --split: leave it out',
  ],
  [['a.csv', 'b.json', '--update', 'a.json', '--preset', 'page'], '--preset has no effect with --update: leave it out'],
  [['a.csv', 'b.json', '--update', 'a.json', '--split', 'Other'], '--split has no effect with --update: leave it out'],
  [['a.csv', 'map.json', '--lang', 'klingon'], '--lang is the two letters of a language, such as en'],
  [['a.csv', 'map.json', '--lang', 'xq'], '--lang is the two letters of a language, such as en'],
  [['a.csv', 'map.json', '--market', 'klingon'], '--market is two lower-case letters, such as us'],
  [['a.csv', 'map.json', '--min-volume', ''], '--min-volume needs a value, and has an empty one'],
  [['a.csv', 'map.json', '--update='], '--update needs a value, and has an empty one'],
  [['a.json', 'b.json', 'map.json', '--split', 'Other'], '--split takes one map and the file to write'],
])('wrong options %j end with the reason and the usage', async (args, reason) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('\n\nUsage: npm run cluster -- FILE… OUT.json');
});

test('a file that cannot be written is named before the lists are read', async () => {
  const [missing, map] = [join(folder, 'nowhere', 'map.json'), join(folder, 'map.json')];
  // No list is there, which would be said first if one were read.
  const into = (...args: string[]) => run(join(folder, 'none.csv'), ...args, '--quiet', '--model', 'none');
  const { code, stderr } = await into(missing);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^\S+map\.json cannot be written: ENOENT: .*\n$/)]);
  expect(await into(folder)).toMatchObject({ code: 3, stderr: `${folder} cannot be written: it is a folder\n` });
  expect((await into(map, '--report', missing)).stderr).toContain(`${missing} cannot be written: `);
  await writeFile(join(folder, 'file'), '');
  expect((await into(join(folder, 'file', 'map.json'))).stderr).toContain(' cannot be written: ENOTDIR');
  expect((await into(map)).stderr).toContain('none.csv');
  expect(await readdir(folder)).toEqual(['file']);
});

test('a list is not replaced by the map where the file to write was forgotten', async () => {
  const [april, may] = [await listFile('april.csv', 'Keyword\nhose'), await listFile('may.CSV', 'Keyword\nrake')];
  const { code, stderr } = await run(april, may, '--quiet', '--model', 'none');
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    `The file to write comes last, and is no list: ${may} would be replaced by the map`,
  ]);
  expect(await readFile(may, 'utf8')).toBe('Keyword\nrake');
});

test('what cannot be used ends with the reason, and nothing is written', async () => {
  const list = await listFile('shop.csv', 'Keyword,Volume\nhose,1\nrake,2');
  const shared = await run(list, join(folder, 'map.json'), '--quiet', '--model', 'none', '--type', 'hard');
  expect([shared.code, shared.stderr]).toEqual([
    1,
    '--type needs result URLs, and these lists have none. Leave it out, or name their column with --map.\n',
  ]);
  const noMap = await run(list, join(folder, 'map.json'), '--quiet', '--split', 'Other');
  expect([noMap.code, noMap.stderr]).toEqual([
    1,
    'This file is not valid JSON, so it cannot be adjusted or updated.\n',
  ]);
  expect(await readdir(folder)).toEqual(['shop.csv']);
});

test('what was left out or is unusual is said, with file and line', async () => {
  const rows = [
    'Keyword,Volume,Difficulty',
    'hose,100,20',
    'spade,50,30,40,50',
    'rake,20,10',
    'You can export only first 2 rows available for your subscription.',
  ];
  const file = await listFile('shop.csv', rows.join('\n'));
  const { code, stderr } = await run(file, join(folder, 'map.json'), '--quiet', '--model', 'none');
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toEqual([
    'shop.csv: line 3: the row has more cells than the header: spade,50,30,40,50',
    'shop.csv: 1 of 3 rows could not be read.',
    'shop.csv: The tool that wrote this export cut it at 2 rows.',
  ]);
});

test('a list in a language without a model says that it is grouped by wording', async () => {
  const file = await listFile('garten.txt', 'gartenschlauch\nspaten\n');
  const { stderr } = await run(file, join(folder, 'map.json'), '--quiet', '--lang', 'de');
  expect(stderr).toContain(
    'Most of these keywords are German. There is no language model for German here, so they are grouped by wording.',
  );
});

test('counts are not taken for keywords, which is said', async () => {
  const rows = ['CLUSTER,KEYWORDS,TOP_KEYWORD', 'Water,12,garden hose', 'Soil,7,garden spade', 'Cats,3,cat food'];
  const file = await listFile('summary.csv', rows.join('\n'));
  const { stderr } = await run(file, join(folder, 'map.json'), '--quiet', '--model', 'none');
  expect(stderr).toContain('summary.csv: This looks like a summary of clusters: KEYWORDS holds counts, not keywords.');
});

test('--help prints the usage', async () => {
  const { code, stdout } = await run('--help');
  expect([code, stdout.split('\n')[0]]).toEqual([0, 'Usage: npm run cluster -- FILE… OUT.json [options]']);
});

test('a file that does not exist is a fault of the machine, and nothing is written', async () => {
  const { code, stderr } = await startCluster(join(folder, 'missing.csv'), join(folder, 'map.json'), '--quiet');
  expect(code).toBe(3);
  expect(stderr).toContain('no such file');
  expect(await readdir(folder)).toEqual([]);
});

test("next month's list keeps what the map has, and clusters only what is new", async () => {
  const [april, map] = [await listFile('shop.csv', shopList), join(folder, 'april.json')];
  expect((await run(april, map, '--lang', 'en')).code).toBe(0);
  const news = ['the garden hoses, red', ...modifiers.map((word) => `${word} chess board`)];
  const rest = shop.filter((keyword) => keyword !== 'red cat food');
  const list = `Keyword,Volume\n${[...rest, ...news].map((keyword) => `"${keyword}",7`).join('\n')}\n`;
  const [may, updated] = [await listFile('may.csv', list), join(folder, 'may.json')];
  const { code, stdout } = await run(may, updated, '--update', map, '--lang', 'en');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ keywords: rest.length + news.length, new: news.length, gone: 1 });
  const [before, after] = [await upload(map), await upload(updated)];
  const placeOf = (file: typeof before, keyword: string) =>
    file.hierarchy.children!.find((branch) => leavesOf(branch).includes(keyword))!.name;
  for (const keyword of rest) expect(placeOf(after, keyword)).toBe(placeOf(before, keyword));
  expect(placeOf(after, news[0]!)).toBe(placeOf(before, 'red garden hose'));
  const statusOf = new Map(after.keywords.map(({ keyword, list_status }) => [keyword, list_status]));
  expect([statusOf.get('red garden hose'), statusOf.get(news[0]!)]).toEqual(['kept', 'new']);
  expect(after.keywords.every(({ search_volume }) => search_volume === 7)).toBe(true);
});

test('a list that has little in common with the map is questioned', async () => {
  const [april, map] = [await listFile('shop.csv', shopList), join(folder, 'april.json')];
  await run(april, map, '--lang', 'en');
  const other = await listFile('other.csv', 'Keyword\nred garden hose\nchess board\n');
  const { stderr } = await run(other, join(folder, 'o.json'), '--update', map, '--lang', 'en');
  expect(stderr).toContain('Less than half of the keywords of shop are in this list. Is it the right one?');
});

test('one branch of a map is divided, and everything else stays', async () => {
  const hierarchy = {
    name: 'shop',
    children: [
      { name: 'Other', type: 'pillar_topic', children: shop.map((name) => ({ name, type: 'keyword' })) },
      { name: 'Chess', type: 'pillar_topic', children: [{ name: 'chess board', type: 'keyword' }] },
    ],
  };
  const keywords = [...shop, 'chess board'].map((keyword, row) => ({ keyword, search_volume: row, note: [keyword] }));
  const file = await listFile('map.json', JSON.stringify({ keywords, hierarchy }));
  const out = join(folder, 'out.json');
  expect((await run(file, out, '--split', 'Other', '--lang', 'en')).code).toBe(0);
  const divided = await upload(out);
  const [other, chess] = ['Other', 'Chess'].map(
    (name) => divided.hierarchy.children!.find((branch) => branch.name === name)!,
  );
  expect(leavesOf(other!).toSorted()).toEqual(shop.toSorted());
  expect(other!.children!.length).toBeGreaterThan(1);
  expect(leavesOf(chess!)).toEqual(['chess board']);
  expect(divided.keywords.map(({ similarity: _, ...entry }) => entry)).toEqual(keywords);
  const missing = await run(file, out, '--split', 'Other > None');
  expect([missing.code, missing.stderr.trim()]).toEqual([1, 'The map has no branch Other > None.']);
});

test('a header of --map that no list has is refused with those that they have, and nothing is written', async () => {
  const file = await listFile('shop.csv', shopList);
  const { code, stderr } = await run(file, join(folder, 'map.json'), '--quiet', '--map', 'Volumes=volume');
  expect([code, stderr]).toEqual([
    2,
    '--map names the column "Volumes", which no list has. The columns are: Keyword, Volume.\n',
  ]);
  expect(await readdir(folder)).toEqual(['shop.csv']);
});

test('a sheet of lists that are no workbooks is said to be none, also before anything is written', async () => {
  const list = await listFile('list.csv', 'Keyword\nhose\n');
  const said = '--sheet names the sheet "May", and no list is a workbook: leave it out.\n';
  const made = await run(list, join(folder, 'map.json'), '--model', 'none', '--quiet', '--sheet', 'May');
  expect(made).toMatchObject({ code: 2, stderr: said });
  expect(await run(list, '--dry-run', '--sheet', 'May')).toMatchObject({ code: 2, stdout: '', stderr: said });
  expect(await readdir(folder)).toEqual(['list.csv']);
  // Beside a workbook it says what is read of that.
  const path = join(folder, 'book.xlsx');
  await writeFile(path, tableWorkbook([['Keyword'], ['spade']]));
  const [sheet] = (JSON.parse((await run(path, '--dry-run')).stdout) as { sheets: string[] }[])[0]!.sheets;
  const both = await run(list, path, join(folder, 'map.json'), '--model', 'none', '--quiet', '--sheet', sheet!);
  expect([both.code, JSON.parse(both.stdout)]).toMatchObject([0, { keywords: 2 }]);
});

test('sheets with one header are read together, or one is chosen by its name', async () => {
  const path = join(folder, 'book.xlsx');
  const shared: string[] = [];
  const sheets = {
    April: sheetOf([['Keyword'], ['hose']], shared),
    May: sheetOf([['Keyword'], ['spade'], ['rake']], shared),
  };
  await writeFile(path, workbookOf({ sheets, shared: shared.map((text) => `<si><t>${text}</t></si>`).join('') }));
  const rowsOf = async (...more: string[]) => {
    const { stdout, stderr, code } = await run(path, join(folder, 'map.json'), '--quiet', '--model', 'none', ...more);
    return code === 0 ? (JSON.parse(stdout) as { rows: number }).rows : stderr;
  };
  expect(await rowsOf()).toBe(3);
  expect(await rowsOf('--sheet', 'May')).toBe(2);
  expect(await rowsOf('--sheet', 'June')).toBe('book.xlsx: This file has no sheet June. Its sheets are: April, May.\n');
});

test('a report says how the lists were read, and which rows were not', async () => {
  const file = await listFile('shop.csv', `${shopList}one,two,three,four\nred garden hose,7\n`);
  const report = join(folder, 'report.json');
  const { code } = await run(file, join(folder, 'map.json'), '--quiet', '--model', 'none', '--report', report);
  expect(code).toBe(0);
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({
    rows: 17,
    keywords: 16,
    merged: 1,
    files: [
      {
        name: 'shop.csv',
        reading: { encoding: 'utf-8', delimiter: ',', columns: [{ name: 'Keyword' }, { name: 'Volume' }] },
        report: { unreadable: 1, problems: [{ line: 18, reason: 'too-many-cells' }] },
      },
    ],
    warnings: [
      { file: 'shop.csv', code: 'list/unreadable' },
      { file: 'shop.csv', code: 'list/several-volumes', params: { column: 'Volume' } },
    ],
  });
});

test('a command that is interrupted while it writes leaves nothing, and exits with 130', async () => {
  const target = join(folder, 'map.json');
  await writeFile(target, 'the map of before');
  const script = `const { replaceFile } = await import(${JSON.stringify(new URL('files.ts', import.meta.url).href)});
    await replaceFile(${JSON.stringify(target)}, async (handle) => {
      await handle.writeFile('half');
      process.kill(process.pid, 'SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const ended: unknown = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]).catch(
    (error: unknown) => error,
  );
  expect(ended).toMatchObject({ code: 130 });
  expect(await readdir(folder)).toEqual(['map.json']);
  expect(await readFile(target, 'utf8')).toBe('the map of before');
});
