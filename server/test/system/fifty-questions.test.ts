import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveToken } from '../support/access-token-expectations.ts';
import { nodeAt, type PlannedServer, startPlanned } from '../support/planned.ts';
import { isLong, proof, randomFrom, report } from '../support/proof.ts';

// Fifty questions that somebody who decides what to write asks an agent about a real map of 27,640 keywords, each with at most
// three calls. What is expected was computed here from the file itself. `npm run prove -- questions` asks them about a million
// generated keywords, twice, and reports the processor time of each.
const file = fileURLToPath(new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const isHere = isLong || existsSync(file);
const { runs, seed } = proof(0);
if (!isHere) console.log(`The fifty questions are skipped: there is no ${file}`);

type Keyword = {
  readonly name: string;
  readonly cluster: string;
  readonly pillar: string;
  readonly volume: number | undefined;
  readonly difficulty: number | undefined;
  readonly intent: readonly string[];
};
type Node = { readonly name: string; readonly type?: string; readonly children?: readonly Node[] };
// biome-ignore lint/suspicious/noExplicitAny: an answer is what an agent reads, not a type of ours.
type Answer = any;

let server: PlannedServer;
let client: Client;
let keywords: readonly Keyword[];
let root: string;
/** The calls of one question, and the size of its largest answer in bytes. */
let calls = 0;
let largest = 0;
/** The processor time of all threads while it was asked, with that of the client. */
let cpuMs = 0;
type Cost = { readonly question: string; readonly ms: number };
const [firstCosts, laterCosts]: [Cost[], Cost[]] = [[], []];

type Upload = {
  readonly keywords: readonly {
    readonly keyword: string;
    readonly search_volume?: number | null;
    readonly keyword_difficulty?: number | null;
    readonly intent?: readonly string[] | null;
  }[];
  readonly hierarchy: Node;
};

const vocabulary = [
  ...['wordpress', 'shopify', 'free', 'button', 'google', 'widget', 'html', 'calendar', 'how', 'to', 'add', 'best'],
  ...['page', 'form', 'chat', 'video', 'menu', 'image', 'store', 'plugin', 'theme', 'search', 'map', 'code', 'link'],
];
const some = ['informational', 'navigational', 'commercial', 'transactional'];

/** An upload of so many keywords in clusters of 1 to 700, with as many unknown figures as real ones have. */
function generated(count: number): Upload {
  const random = randomFrom(seed);
  const below = (end: number) => Math.floor(random() * end);
  const word = () => vocabulary[below(vocabulary.length)]!;
  const list = Array.from({ length: count }, (_, at) => ({
    keyword: `${Array.from({ length: 1 + below(6) }, word).join(' ')} ${String(at).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`,
    search_volume: random() < 0.1 ? null : Math.floor(10 ** (1 + 4 * random())),
    keyword_difficulty: random() < 0.2 ? null : below(101),
    cpc: below(500) / 100,
    intent: [some[below(4)]!],
    serp_features: ['Video', 'Sitelinks'].slice(below(3)),
    trend: Array.from({ length: 12 }, () => below(100) / 100),
  }));
  const clusters: Node[] = [];
  for (let at = 0; at < count; ) {
    const children = list.slice(at, at + 1 + below(700)).map(({ keyword }) => ({ name: keyword, type: 'keyword' }));
    clusters.push({ name: `${word()} ${word()} ${clusters.length}`, type: 'cluster', children });
    at += children.length;
  }
  const perPillar = Math.ceil(clusters.length / 20);
  const children = Array.from({ length: Math.ceil(clusters.length / perPillar) }, (_, at) => ({
    name: `${word()} topic ${at}`,
    type: 'pillar',
    children: clusters.slice(at * perPillar, (at + 1) * perPillar),
  }));
  return { keywords: list, hierarchy: { name: 'generated', type: 'root', children } };
}

function read({ keywords: list, hierarchy }: Upload): { root: string; keywords: Keyword[] } {
  const facts = new Map(list.map((one) => [one.keyword, one]));
  const leaves = hierarchy.children!.flatMap((pillar) =>
    pillar.children!.flatMap((cluster) =>
      cluster.children!.map(({ name }): Keyword => {
        const { search_volume, keyword_difficulty, intent } = facts.get(name)!;
        const [volume, difficulty] = [search_volume ?? undefined, keyword_difficulty ?? undefined];
        return { name, cluster: cluster.name, pillar: pillar.name, volume, difficulty, intent: intent ?? [] };
      }),
    ),
  );
  return { root: hierarchy.name, keywords: leaves };
}

beforeAll(async () => {
  if (!isHere) return;
  const upload: Upload = isLong ? generated(runs) : JSON.parse(readFileSync(file, 'utf8'));
  ({ root, keywords } = read(upload));
  server = await startPlanned();
  await server.people();
  const map = await server.upload(upload);
  await server.db.updateTable('visualizations').set({ is_active: true }).where('id', '=', map).execute();
  const given = { database: server.database, clock: Date.now() };
  const { token } = await giveToken(given, 'ann', { scopes: ['read', 'plan'] });
  client = new Client({ name: 'questions', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.app.url), { requestInit }));
}, 600_000);
afterAll(async () => {
  for (const [round, costs] of Object.entries({ first: firstCosts, again: laterCosts })) {
    const sorted = costs.toSorted((one, other) => one.ms - other.ms);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.ms.toFixed(0);
    report(`asked ${round}: processor time 50 % ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms`);
    for (const { question, ms } of sorted.slice(-8).toReversed()) report(`  ${ms.toFixed(0)} ms: ${question}`);
  }
  await client?.close();
  await server?.stop();
});

async function ask(name: string, given: object = {}): Promise<Answer> {
  const before = process.cpuUsage();
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: { ...given } });
  const { user, system } = process.cpuUsage(before);
  cpuMs += (user + system) / 1_000;
  const said = (content as { text: string }[])[0]!.text;
  if (isError) throw new Error(said);
  calls++;
  largest = Math.max(largest, new TextEncoder().encode(said).length);
  return structuredContent;
}

const sum = (list: readonly Keyword[]) => list.reduce((total, { volume = 0 }) => total + volume, 0);
const most = (list: readonly Keyword[]) => list.map(({ volume }) => volume).filter((one) => one !== undefined);
const largestFirst = (list: readonly Keyword[]) => most(list).toSorted((one, other) => other - one);
const below = (limit: number) => (one: Keyword) => one.difficulty !== undefined && one.difficulty <= limit;
const from = (limit: number) => (one: Keyword) => one.volume !== undefined && one.volume >= limit;
const has = (word: string) => (one: Keyword) => one.name.includes(word);
const groups = new Map<string, Map<string, Keyword[]>>();
function by(of: 'cluster' | 'pillar'): Map<string, Keyword[]> {
  const found =
    groups.get(of) ?? Map.groupBy(keywords, (one) => (of === 'pillar' ? one.pillar : `${one.pillar} > ${one.cluster}`));
  groups.set(of, found);
  return found;
}

const keptLists = new Map<(one: Keyword) => boolean, Keyword[]>();
function keptBy(holds: (one: Keyword) => boolean): Keyword[] {
  const kept = keptLists.get(holds) ?? keywords.filter(holds);
  keptLists.set(holds, kept);
  return kept;
}

type Question = readonly [question: string, answer: () => Promise<void>];

/** Keywords in order of volume under conditions: how many there are, and their volumes. */
const ranked = (question: string, filter: object, holds: (one: Keyword) => boolean): Question => [
  question,
  async () => {
    const { rows, total } = await ask('ranking', { level: 'keywords', filter, limit: 10 });
    const kept = keptBy(holds);
    expect(total).toBe(kept.length);
    expect(rows.map((row: Answer) => row.volume)).toEqual(largestFirst(kept).slice(0, rows.length));
    for (const row of rows) {
      const found = kept.find(({ name }) => name === row.name)!;
      expect([row.volume, row.difficulty, row.cluster]).toEqual([
        found.volume,
        found.difficulty ?? null,
        found.cluster,
      ]);
    }
  },
];

/** What a filter keeps. */
const counted = (question: string, filter: object, holds: (one: Keyword) => boolean): Question => [
  question,
  async () => {
    const kept = keptBy(holds);
    const answer = await ask('check_filter', { filter });
    expect([answer.keywords, answer.ofKeywords]).toEqual([kept.length, keywords.length]);
    expect(answer.volume).toEqual({ value: kept.length > 0 ? sum(kept) : null, known: most(kept).length });
  },
];

/** The whole of a branch. */
const described = (question: string, at: (names: string[]) => string | undefined): Question => [
  question,
  async () => {
    const name = at([...by('pillar')].toSorted((one, other) => sum(other[1]) - sum(one[1])).map(([of]) => of));
    const inside = keywords.filter(({ pillar }) => name === undefined || pillar === name);
    const answer = await ask('overview', name === undefined ? {} : { node: nodeAt(root, name) });
    expect(answer.figures).toMatchObject({
      keywords: inside.length,
      volume: { value: sum(inside), known: most(inside).length },
    });
    const children = Map.groupBy(inside, (one) => (name === undefined ? one.pillar : one.cluster));
    const sizes = [...children.values()].map((list) => list.length).toSorted((one, other) => other - one);
    expect(answer.children.map((child: Answer) => child.keywords)).toEqual(sizes.slice(0, answer.children.length));
  },
];

/** Branches of a level in an order. */
const ordered = (question: string, level: 'clusters' | 'pillars', key: 'volume' | 'keywords'): Question => [
  question,
  async () => {
    const answer = await ask('ranking', { level, sort: [{ by: key, descending: true }], limit: 10 });
    const lists = [...by(level === 'pillars' ? 'pillar' : 'cluster').values()];
    const figures = lists.map((list) => (key === 'volume' ? sum(list) : list.length));
    expect(answer.total).toBe(lists.length);
    expect(answer.rows.map((row: Answer) => row[key])).toEqual(
      figures.toSorted((one, other) => other - one).slice(0, answer.rows.length),
    );
  },
];

const searched = (text: string): Question => [
  `What is there about “${text}”?`,
  async () => {
    const { total, hits } = await ask('search', { text, match: 'phrase', limit: 10 });
    const found = keywords.filter(has(text));
    const topics = [...by('cluster').keys(), ...by('pillar').keys()].filter((path) =>
      path.split(' > ').at(-1)!.toLowerCase().includes(text),
    );
    expect(total).toBe(found.length + topics.length);
    expect(hits.length).toBeGreaterThan(0);
  },
];

/** Rows of a branch, whose ID comes from the answer to a first question. */
const inLargest = (question: string, level: 'keywords' | 'clusters', nth: number): Question => [
  question,
  async () => {
    const pillars = await ask('ranking', { level: 'pillars', limit: 10 });
    const { name, node } = pillars.rows[nth];
    const inside = keywords.filter(({ pillar }) => pillar === name);
    const { total, rows } = await ask('ranking', { level, within: node, limit: 10 });
    const lists =
      level === 'keywords' ? inside.map((one) => [one]) : [...Map.groupBy(inside, (one) => one.cluster).values()];
    expect(total).toBe(lists.length);
    const volumes = lists.filter((list) => most(list).length > 0).map(sum);
    expect(rows.map((row: Answer) => row.volume)).toEqual(
      volumes.toSorted((one, other) => other - one).slice(0, rows.length),
    );
  },
];

const planned: Question = [
  'Plan the five clusters with most volume; what is planned now, and what is still open?',
  async () => {
    const { rows } = await ask('ranking', { level: 'clusters', limit: 5 });
    const nodes = rows.map((row: Answer) => row.node);
    const changed = await ask('change_plan', { nodes, status: 'planned' });
    expect(changed.entries.map((entry: Answer) => entry.name).toSorted()).toEqual(
      rows.map((row: Answer) => row.name).toSorted(),
    );
    const plan = await ask('plan');
    expect([plan.total, plan.counts.planned]).toEqual([5, 5]);
    const volumes = rows.map((row: Answer) => row.volume).toSorted();
    expect(plan.entries.map((entry: Answer) => entry.volume).toSorted()).toEqual(volumes);
  },
];

/** Of a planned cluster: the brief has its figures and its keywords in order. */
const briefed = (nth: number): Question => [
  `What does the page need for the cluster in place ${nth + 1} by volume?`,
  async () => {
    const { rows } = await ask('ranking', { level: 'clusters', limit: 10 });
    const brief = await ask('brief', { node: rows[nth].node, keywords: 10 });
    const inside = by('cluster').get(`${rows[nth].pillar} > ${rows[nth].name}`)!;
    expect([brief.figures.keywords, brief.figures.volume]).toEqual([inside.length, sum(inside)]);
    const volumes = [brief.primary, ...brief.supporting].map((one: Answer) => one.volume);
    expect(volumes).toEqual(largestFirst(inside).slice(0, volumes.length));
    expect(volumes.length + (brief.leftOut?.supporting ?? 0) + (brief.moreSupporting ?? 0)).toBe(inside.length);
    const known = inside.filter(({ difficulty }) => difficulty !== undefined);
    const mean = known.reduce((total, one) => total + one.difficulty!, 0) / known.length;
    expect(brief.figures.difficulty).toBeCloseTo(mean, 3);
    expect([brief.target.status, nth < 5]).toEqual([nth < 5 ? 'Planned' : undefined, nth < 5]);
  },
];

const open: Question = [
  'Which keywords below difficulty 30 are not planned?',
  async () => {
    const filter = { difficulty: { to: 30 }, planned: ['none'] };
    const { rows, total } = await ask('ranking', { level: 'keywords', filter, limit: 10 });
    const clusters = [...by('cluster').values()].toSorted((one, other) => sum(other) - sum(one)).slice(0, 5);
    const covered = new Set(clusters.flat());
    const kept = keywords.filter((one) => below(30)(one) && !covered.has(one));
    expect(total).toBe(kept.length);
    expect(rows.map((row: Answer) => row.volume)).toEqual(largestFirst(kept).slice(0, rows.length));
  },
];

const others: readonly Question[] = [
  [
    'Which maps do I have?',
    async () => {
      const { maps } = await ask('maps');
      expect(maps).toEqual([expect.objectContaining({ name: root, keywords: keywords.length, isActive: true })]);
    },
  ],
  [
    'Which columns has the file?',
    async () => {
      const { columns } = await ask('columns');
      expect(columns.map((one: Answer) => one.name)).toContain('serp_features');
    },
  ],
  [
    'When is the whole topic searched most?',
    async () => {
      const answer = await ask('seasonality');
      expect([answer.months.length, answer.ofKeywords]).toEqual([12, keywords.length]);
    },
  ],
  [
    'What is wrong with this map?',
    async () => {
      const { kinds } = await ask('warnings');
      const single = [...by('cluster').values()].filter((list) => list.length === 1).length;
      expect(kinds.find((one: Answer) => one.kind === 'single').count).toBe(single);
    },
  ],
  [
    'Which clusters are too large?',
    async () => {
      const { total, warnings } = await ask('warnings', { kind: 'oversized', limit: 50 });
      const large = [...by('cluster').values()].filter((list) => list.length > 500);
      expect(total).toBe(large.length);
      const sizes = large.map((list) => list.length);
      const shown: number[] = warnings.map((one: Answer) => one.keywords);
      expect(shown.filter((size) => !sizes.includes(size))).toEqual([]);
      if (shown.length === total) expect(shown.toSorted()).toEqual(sizes.toSorted());
    },
  ],
  [
    'What is similar to the largest cluster?',
    async () => {
      const { rows } = await ask('ranking', { level: 'clusters', limit: 1 });
      const { similar, name } = await ask('similar', { node: rows[0].node });
      // The file was not clustered here.
      expect([similar, name]).toEqual([null, rows[0].name]);
    },
  ],
  [
    'Where do I get all of this as a table?',
    async () => {
      const { file: address } = await ask('export_link', { what: 'clusters', format: 'xlsx' });
      expect(new URL(address).pathname).toMatch(/\/export\.xlsx$/);
    },
  ],
];

/** Words of generated names have blanks between them, which is faster to find out. */
const wordsIn = (name: string): number =>
  isLong ? name.split(' ').length : [...segmenter.segment(name)].filter(({ isWordLike }) => isWordLike).length;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const words = ['wordpress', 'shopify', 'free', 'button', 'google'];
const questions: readonly Question[] = [
  ...[10, 20, 30, 40, 50].map((limit) =>
    ranked(`What is below difficulty ${limit}?`, { difficulty: { to: limit } }, below(limit)),
  ),
  ...[100, 500, 1_000].map((limit) =>
    ranked(`What has ${limit} searches or more?`, { volume: { from: limit } }, from(limit)),
  ),
  ...words.map((word) => ranked(`What is there with “${word}”?`, { contains: [word] }, has(word))),
  ...words.map((word) =>
    counted(
      `How much is “${word}” without “how”?`,
      { contains: [word], excludes: ['how'] },
      (one) => has(word)(one) && !has('how')(one),
    ),
  ),
  ...['informational', 'commercial', 'transactional', 'navigational'].map((intent) =>
    counted(`How much is ${intent}?`, { intents: [intent] }, (one) => one.intent.includes(intent)),
  ),
  ...[2, 3, 6].map((count) =>
    counted(
      `How many keywords have ${count} words?`,
      { words: { from: count, to: count } },
      (one) => wordsIn(one.name) === count,
    ),
  ),
  described('How large is all of it?', () => undefined),
  ...[0, 1, 2, 3].map((nth) =>
    described(`What is in the pillar topic that is ${nth + 1}. by volume?`, (names) => names[nth]),
  ),
  ordered('Which clusters have most volume?', 'clusters', 'volume'),
  ordered('Which clusters have most keywords?', 'clusters', 'keywords'),
  ordered('Which pillar topics have most volume?', 'pillars', 'volume'),
  ordered('Which pillar topics have most keywords?', 'pillars', 'keywords'),
  ...['widget', 'html', 'calendar'].map(searched),
  ...[0, 1, 2].map((nth) => inLargest(`Which keywords lead the pillar topic in place ${nth + 1}?`, 'keywords', nth)),
  ...[0, 1].map((nth) => inLargest(`Which clusters lead the pillar topic in place ${nth + 1}?`, 'clusters', nth)),
  planned,
  open,
  ...[0, 4, 7].map(briefed),
  ...others,
];

// Shows P28.2, P28.5, P28.7.
describe.runIf(isHere)('fifty questions', () => {
  test('there are fifty of them, and some about briefs', () => expect(questions).toHaveLength(54));
  test.each(questions)('%s', async (question, answer) => {
    for (const costs of isLong ? [firstCosts, laterCosts] : [firstCosts]) {
      [calls, largest, cpuMs] = [0, 0, 0];
      await server.db.deleteFrom('rate_limits').execute();
      await answer();
      expect(calls).toBeLessThanOrEqual(3);
      expect(largest).toBeLessThanOrEqual(6_700);
      costs.push({ question, ms: cpuMs });
    }
  });
});
