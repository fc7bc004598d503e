import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codedRefusal } from '../src/lists/list-refusal.ts';
import { type ListFile, readLists } from '../src/lists/read-lists.ts';
import { rankedAddresses } from '../src/merge/upload-fields.ts';
import type { Corrections, Rows } from '../src/read/reading.ts';
import { ResultAnswers } from '../src/read/search-results.ts';

function file(name: string, content: string | object, corrections: Corrections = {}): ListFile {
  const bytes = new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  return {
    name,
    corrections,
    source: { size: bytes.length, read: async (at, length) => bytes.slice(at, at + length) },
  };
}

async function read(...files: ListFile[]) {
  const lists = await readLists(files);
  if ('refusal' in lists) throw new Error(JSON.stringify(lists.refusal));
  return lists;
}

/** By keyword: its results, best first. */
async function resultsOf(...files: ListFile[]): Promise<Record<string, string>> {
  const { keywords } = await read(...files);
  const lists = keywords.results ? rankedAddresses(keywords.results) : [];
  return Object.fromEntries(keywords.text.map((text, row) => [text, (lists[row] ?? []).join(' ')]));
}

const faultsOf = async (one: ListFile) =>
  (await read(one)).files[0]!.report.problems.map(({ reason, text }) => `${reason}: ${text}`);

// The forms of docs.dataforseo.com/v3/serp/google/organic/live/advanced and serpapi.com/organic-results.
const organic = (rank: number, url: string, absolute = rank) => ({
  type: 'organic',
  rank_group: rank,
  rank_absolute: absolute,
  position: 'left',
  domain: 'x',
  title: 'A "quoted" \\ title {[',
  url,
});
const task = (keyword: string, items: readonly object[] | null, more: object = {}) => ({
  id: '11151456-0696-0066-0000-002a5915da37',
  status_code: 20000,
  status_message: 'Ok.',
  time: '0.0952 sec.',
  path: ['v3', 'serp', 'google', 'organic', 'task_get', 'advanced'],
  data: { api: 'serp', function: 'task_get', se: 'google', keyword, device: 'desktop' },
  result: [
    {
      keyword,
      type: 'organic',
      se_domain: 'google.com',
      location_code: 2840,
      language_code: 'en',
      check_url: 'https://www.google.com/search?q=x',
      datetime: '2026-11-15 12:57:46 +00:00',
      item_types: ['organic'],
      items,
      ...more,
    },
  ],
});
const dataForSeo = (...tasks: object[]) => ({
  version: '0.1.20260517',
  status_code: 20000,
  status_message: 'Ok.',
  tasks_count: tasks.length,
  tasks_error: 0,
  tasks,
});
const serpApi = (q: string, links: readonly string[], more: object = {}) => ({
  search_metadata: { id: '1', status: 'Success', created_at: '2026-11-15 12:57:46 UTC' },
  search_parameters: { engine: 'google', q, gl: 'us', hl: 'en', device: 'desktop' },
  search_information: { query_displayed: q },
  organic_results: links.map((link, at) => ({
    position: at + 1,
    title: 'a',
    link,
    sitelinks: { inline: [{ link: 'https://no' }] },
  })),
  related_questions: [{ question: '?', link: 'https://no' }],
  ...more,
});

const both = { 'red hose': 'https://a.test/1 https://b.test/2', 'blue hose': 'https://c.test/3' };

// Shows P20.15.
test('organic results of DataForSEO are read by their rank, and nothing else on the page', async () => {
  const answer = dataForSeo(
    task('red hose', [
      { type: 'people_also_ask', rank_group: 1, rank_absolute: 1, items: [{ type: 'x', url: 'https://no' }] },
      organic(2, 'https://b.test/2', 4),
      { type: 'paid', rank_group: 1, rank_absolute: 2, url: 'https://no' },
      organic(1, 'https://a.test/1', 3),
    ]),
    task('blue hose', [organic(1, 'https://c.test/3')]),
  );
  expect(await resultsOf(file('answer.json', answer))).toEqual(both);
  expect(await resultsOf(file('answer.json', JSON.stringify(answer, null, 2)))).toEqual(both);
  // Several answers, as a list or one a line; and the tasks or results alone, as programs store them.
  const each = answer.tasks.map((one) => dataForSeo(one));
  expect(await resultsOf(file('answers.json', each))).toEqual(both);
  expect(await resultsOf(file('answers.jsonl', each.map((one) => JSON.stringify(one)).join('\n')))).toEqual(both);
  expect(await resultsOf(file('tasks.json', answer.tasks))).toEqual(both);
  const { reading } = (await read(file('answer.json', answer))).files[0]!;
  expect([reading.vendor, reading.format, reading.columns.map(({ meaning }) => meaning)]).toEqual([
    'dataforseo',
    'json',
    ['keyword', 'resultRank', 'resultUrl', 'date'],
  ]);
});

// Shows P20.15.
test('organic results of SerpApi are read: one answer, a list of them, or one a line', async () => {
  const answers = [
    serpApi('red hose', ['https://a.test/1', 'https://b.test/2']),
    serpApi('blue hose', ['https://c.test/3']),
  ];
  expect(await resultsOf(file('one.json', answers[0]!))).toEqual({ 'red hose': both['red hose'] });
  expect(await resultsOf(file('list.json', answers))).toEqual(both);
  expect(await resultsOf(file('lines.ndjson', answers.map((one) => JSON.stringify(one)).join('\r\n')))).toEqual(both);
  expect((await read(file('list.json', answers))).files[0]!.reading.vendor).toBe('serpapi');
  // On the next page, positions begin with 1 again, or go on.
  const next = (positions: readonly number[]) => ({
    ...serpApi('red hose', []),
    search_parameters: { ...answers[0]!.search_parameters, start: 10 },
    organic_results: positions.map((position) => ({ position, link: `https://p.test/${position}` })),
  });
  for (const positions of [
    [1, 2],
    [11, 12],
  ]) {
    const pages = [next(positions), answers[0]!];
    expect(await resultsOf(file('pages.json', pages))).toEqual({
      'red hose': `${both['red hose']} ${positions.map((position) => `https://p.test/${position}`).join(' ')}`,
    });
  }
});

// Shows P20.15.
test('a table with several sites for each keyword has search results, and whoever knows better says so', async () => {
  const row = (keyword: string, sites: string) =>
    [...sites].map((site, at) => `${keyword},${at + 1},https://${site}.test/${at}`).join('\n');
  const table = `Keyword,Position,URL\n${row('red hose', 'abc')}\n${row('blue hose', 'bcd')}\n${row('cat food', 'x')}\n`;
  const found = (await read(file('serp.csv', table))).files[0]!.reading;
  expect(found.columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'resultRank', 'resultUrl']);
  expect(found.notes).toContainEqual({ code: 'results-guess', column: 'URL' });
  expect((await resultsOf(file('serp.csv', table)))['red hose']).toBe(
    'https://a.test/0 https://b.test/1 https://c.test/2',
  );
  // Own pages, also by hand.
  const own = (await read(file('serp.csv', table, { areResults: false }))).files[0]!.reading;
  expect(own.columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'position', 'url']);
  expect(own.notes).toContainEqual({ code: 'results-guess', column: 'URL' });
  const pages = `Keyword,Position,URL\nred hose,1,https://a.test/1\nred hose,4,https://a.test/2\nblue hose,2,https://a.test/3\n`;
  const ofOneSite = (await read(file('pages.csv', pages))).files[0]!.reading;
  expect(ofOneSite.columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'position', 'url']);
  expect(ofOneSite.notes.map(({ code }) => code)).not.toContain('results-guess');
  const said = (await read(file('pages.csv', pages, { areResults: true }))).files[0]!.reading;
  expect(said.columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'resultRank', 'resultUrl']);
});

test.each(['Type', 'item_type', 'Result type'])(
  'ads and other blocks of a table are no search results: %s',
  async (kind) => {
    const table = `Keyword,Position,URL,${kind}
red hose,1,https://ad.test/1,Ads top
red hose,1,https://a.test/1,Organic
red hose,2,https://b.test/1,"Organic, Sitelinks"
red hose,1,https://x.test/1,People also ask
red hose,3,https://c.test/1,organic
`;
    expect(await resultsOf(file('serp.csv', table))).toEqual({
      'red hose': 'https://a.test/1 https://b.test/1 https://c.test/1',
    });
  },
);

test('several addresses in one cell are not taken for one', async () => {
  const cell = '"https://a.test/1,https://b.test/1"';
  const { files } = await read(
    file('list.csv', `Keyword,Volume,Competitors\nred hose,1,${cell}\nblue hose,2,${cell}\n`),
  );
  expect(files[0]!.reading.columns.map(({ meaning }) => meaning)).toEqual(['keyword', 'volume', 'keep']);
});

// Shows P20.16.
test('an answer that says nothing is named with its reason, and the others are read', async () => {
  const good = task('good', [organic(1, 'https://a.test/1')]);
  const answer = dataForSeo(
    good,
    { ...good, status_code: 40501, status_message: 'Invalid Field.', data: { keyword: 'bad' }, result: null },
    { ...good, status_code: 20100, status_message: 'Task Created.', data: { keyword: 'later' }, result: null },
    task('', [organic(1, 'https://a.test/1')]),
    task('nothing found', null),
    task('hose', [organic(1, 'https://a.test/1')], { location_code: 2826 }),
    task('ranked', null, { items: undefined }),
    task('html', [{ page: 1, html: '<html>' }]),
  );
  expect(await faultsOf(file('a.json', answer))).toEqual([
    'not-answered: bad: 40501 Invalid Field.',
    'not-answered: later: 20100 Task Created.',
    'no-keyword: ',
    'other-place: hose: 2826, en, desktop',
    expect.stringMatching(/^no-answer: \{"keyword":"ranked"/),
    expect.stringMatching(/^no-answer: \{"keyword":"html"/),
  ]);
  expect(await resultsOf(file('a.json', answer))).toEqual({ good: 'https://a.test/1', 'nothing found': '' });
  const none = serpApi('none', [], { error: "Google hasn't returned any results for this query." });
  const out = { ...serpApi('out', []), error: 'Your account has run out of searches.' };
  expect(await faultsOf(file('b.json', [serpApi('good', ['https://a.test/1']), none, out]))).toEqual([
    'not-answered: out: Your account has run out of searches.',
  ]);
});

// Shows P20.16.
test('a file without answers is refused with what to do, and one that was cut is read to there', async () => {
  const refusalOf = async (one: ListFile) => {
    const lists = await readLists([one]);
    return 'refusal' in lists ? codedRefusal(lists.refusal) : undefined;
  };
  expect(
    await refusalOf(file('a.json', { version: '1', status_code: 40100, status_message: 'No rights.', tasks: null })),
  ).toEqual({
    code: 'list/no-answers',
    params: { rows: '1', lines: 'line 1: 40100 No rights.' },
  });
  expect(await refusalOf(file('map.json', { keywords: [], hierarchy: { name: 'a', tasks: [] } }))).toEqual({
    code: 'list/json',
  });
  const text = JSON.stringify(
    dataForSeo(task('one', [organic(1, 'https://a.test/1')]), task('two', [organic(1, 'https://b.test/2')])),
  );
  const cut = text.slice(0, text.indexOf('https://b.test/2'));
  expect(await resultsOf(file('cut.json', cut))).toEqual({ one: 'https://a.test/1' });
  expect((await faultsOf(file('cut.json', cut)))[0]).toMatch(/^answer-cut: \{"id"/);
  const broken = text.replace('"time"', 'time');
  expect(await resultsOf(file('broken.json', broken))).toEqual({ two: 'https://b.test/2' });
});

test('any split of the text gives the same rows', () => {
  const text = JSON.stringify([
    dataForSeo(task('a \\" {', [organic(1, 'https://a.test/1')]), task('b', [organic(1, 'https://b.test/2')])),
    serpApi('c', ['https://c.test/3']),
  ]);
  const rowsOf = (pieces: readonly string[]) => {
    const rows: string[] = [];
    const answers = new ResultAnswers(({ cells }: Rows) => rows.push(...cells.map((row) => row.join('|'))));
    for (const piece of pieces) answers.write(piece);
    answers.end();
    return rows;
  };
  const whole = rowsOf([text]);
  expect(whole).toHaveLength(2);
  for (let at = 1; at < text.length; at++)
    expect(rowsOf([text.slice(0, at), text.slice(at)]), String(at)).toEqual(whole);
  expect(rowsOf([...text])).toEqual(whole);
});

test('an answer of more than 16 MiB is left out, in bounded memory', () => {
  const answers = new ResultAnswers(() => undefined);
  answers.write('[{"organic_results":[],"search_parameters":{"q":"long"},"html":"');
  for (let piece = 0; piece < 40; piece++) answers.write('x'.repeat(1 << 20));
  answers.write(`"},${JSON.stringify(serpApi('short', ['https://a.test/1']))}]`);
  expect(answers.end()).toMatchObject({ rows: 1, unreadable: 1, problems: [{ reason: 'answer-too-long' }] });
});

test('brackets without end and too many of them are read in linear time', () => {
  for (const text of [
    '['.repeat(1 << 20),
    '{"tasks":'.repeat(1 << 17),
    ']}'.repeat(1 << 19),
    '[{"a":'.repeat(1 << 17),
  ]) {
    const answers = new ResultAnswers(() => undefined);
    answers.write(text);
    expect(answers.end().rows).toBe(0);
  }
});

test('of results of several days, the newest count', async () => {
  const on = (day: string, url: string) => task('red hose', [organic(1, url)], { datetime: `${day} 10:00:00 +00:00` });
  const answer = dataForSeo(on('2026-11-02', 'https://new.test'), on('2026-10-01', 'https://old.test'));
  expect(await resultsOf(file('a.json', answer))).toEqual({ 'red hose': 'https://new.test' });
});

const rankings = new URL('../../../shared/data/serp-rankings/rankings.json', import.meta.url);

test.skipIf(!existsSync(rankings))(
  'real rankings are the same keywords in each form (skipped without ../shared)',
  async () => {
    const rows: { keyword: string; prominence: number; competitor: string }[] = JSON.parse(
      readFileSync(rankings, 'utf8'),
    );
    const lists = [...Map.groupBy(rows, ({ keyword }) => keyword)];
    const urlOf = (competitor: string) => `https://${competitor}/`;
    const table = rows.map(({ keyword, prominence, competitor }) => `${keyword},${prominence},${urlOf(competitor)}`);
    const forms = [
      file('a.csv', ['Keyword,Position,URL', ...table].join('\n')),
      file(
        'b.json',
        lists.map(([q, list]) =>
          serpApi(
            q,
            list.map(({ competitor }) => urlOf(competitor)),
          ),
        ),
      ),
      file(
        'c.json',
        dataForSeo(
          ...lists.map(([q, list]) =>
            task(
              q,
              list.map((row) => organic(row.prominence, urlOf(row.competitor))),
            ),
          ),
        ),
      ),
    ];
    const [first, ...others] = await Promise.all(forms.map((form) => resultsOf(form)));
    expect(Object.keys(first!)).toHaveLength(37);
    expect(Object.values(first!).join(' ').split(' ')).toHaveLength(734);
    for (const other of others) expect(other).toEqual(first);
  },
);

test('the day of an export is that in the name, if there is such a day', async () => {
  const serp = { search_parameters: { q: 'desk' }, organic_results: [{ position: 1, link: 'https://a.example/' }] };
  const dayOf = async (name: string) => (await read(file(name, serp))).files[0]!.reading.exported;
  expect(await dayOf('serp-2026-04-30.json')).toBe('2026-04-30');
  expect(await dayOf('serp-2026-19-39.json')).toBeUndefined();
});
