import { createHash } from 'node:crypto';
import type { Brief } from '@kc/rules/brief';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';

let server: PlannedServer;
let shop: string;
const now = Date.UTC(2026, 10, 26, 9);

type Figures = {
  readonly search_volume?: number;
  readonly keyword_difficulty?: number;
  readonly cpc?: number;
  readonly position?: number;
  readonly intent?: string;
  readonly url?: string;
  readonly serp_urls?: readonly string[];
};
const figures: Readonly<Record<string, Figures>> = {
  'trail boots': {
    ...{ search_volume: 3000, keyword_difficulty: 40, cpc: 1.5, position: 7, intent: 'commercial' },
    ...{ url: 'https://shop.example/boots', serp_urls: ['https://a.example/1', 'https://b.example/2'] },
  },
  'how to lace boots': {
    ...{ search_volume: 400, keyword_difficulty: 0, intent: 'informational' },
    ...{ url: 'https://shop.example/boots', serp_urls: ['https://c.example/3', 'https://a.example/1'] },
  },
  'trail | spikes': { search_volume: 50, position: 3, url: 'javascript://%0Aalert(1)' },
  '<img src=x onerror=alert(1)>': {},
  flats: { search_volume: 20 },
  laces: { search_volume: 10 },
};
const keyword = (name: string) => ({ name, type: 'keyword' });
const hierarchy = {
  name: 'shoes',
  type: 'root',
  children: [
    {
      name: 'outdoor',
      type: 'pillar',
      children: [
        {
          name: 'trail',
          type: 'cluster',
          children: ['trail boots', 'how to lace boots', 'trail | spikes', '<img src=x onerror=alert(1)>'].map(keyword),
        },
        { name: 'road', type: 'cluster', children: ['flats', 'laces'].map(keyword) },
      ],
    },
  ],
};
const file = { keywords: Object.entries(figures).map(([name, of]) => ({ keyword: name, ...of })), hierarchy };
const outdoor = nodeAt('shoes', 'outdoor');
const trail = nodeAt('shoes', 'outdoor > trail');

beforeAll(async () => {
  server = await startPlanned(() => now);
});
beforeEach(async () => {
  await server.people();
  shop = await server.upload(file);
});
afterAll(() => server.stop());

const ask = (path: string, who = 'ann') => server.raw(who, `/visualizations/${shop}/${path}`);
const briefs = async (query: string): Promise<Brief[]> => (await (await ask(`briefs.json?${query}`)).json()) as Brief[];
const add = (node: string, set: object = {}, more: object = {}) =>
  server.change('ann', shop, { targets: [{ node }], set, ...more });
const planTrail = () =>
  add(
    trail,
    {
      status: 'planned',
      assignee: 'Lena',
      url: '/trail',
      contentType: 'Guide',
      due: '2027-02',
      note: 'Say *why*\n# now',
    },
    { addTags: ['spring'] },
  );

// Shows P24.17.
test('a brief has the target, the keywords with their figures, questions and what ranks; what is unknown is no figure', async () => {
  await planTrail();
  const answer = await ask('briefs.md');
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('shoes-briefs-2026-11-26.md');
  const opens = `${server.app.url}/visualization?v=${shop}&sel=${trail}&panel=plan`;
  expect(
    (await answer.text()).replace(/\]\(http:[^)]*\/visualization/, `](${server.app.url}/visualization`),
  ).toBe(`# trail

outdoor › trail

[Open in the explorer](${opens})

## Target

- Status: Planned
- Content type: Guide
- URL: /trail
- Owner: Lena
- Due: February 2027
- Tags: spring

> Say \\*why\\*  
> \\# now  

## Figures

- Keywords: 4
- Volume: 3,450, known for 3 of 4
- Difficulty: 20, known for 98.6 %
- CPC: 1.50
- Intent: Informational 50 %, Commercial 50 %, known for 2 of 4

## Primary keyword

| Keyword | Volume | Difficulty | CPC | Position | Intent |
| --- | ---: | ---: | ---: | ---: | --- |
| trail boots | 3,000 | 40 | 1.50 | 7 | Commercial |

## Supporting keywords

| Keyword | Volume | Difficulty | Position | Intent |
| --- | ---: | ---: | ---: | --- |
| how to lace boots | 400 | 0 | – | Informational |
| trail \\| spikes | 50 | – | 3 | – |
| \\<img src=x onerror=alert(1)\\> | – | – | – | – |

## Questions

| Keyword | Volume | Difficulty | Intent |
| --- | ---: | ---: | --- |
| how to lace boots | 400 | 0 | Informational |

## Pages that rank best for its keywords

| Page | Keywords | Best position |
| --- | ---: | ---: |
| https://shop.example/boots | 2 | 7 |
| javascript://%0Aalert(1) | 1 | 3 |

The page is known for 3 of its keywords.

## Pages in the search results

| Page | Keywords | Best position |
| --- | ---: | ---: |
| a.example/1 | 2 | 1 |
| c.example/3 | 1 | 1 |

Results are known for 2 of its keywords.

And 1 more page.

– means unknown. It is never 0.
`);
});

test('what an entry has does not depend on what else is asked for', async () => {
  await planTrail();
  await add(outdoor);
  const all = await briefs('');
  expect(all.map(({ title, supporting }) => [title, supporting.shown.map(({ name }) => name)])).toEqual([
    ['outdoor', ['flats', 'laces']],
    ['trail', ['how to lace boots', 'trail | spikes', '<img src=x onerror=alert(1)>']],
  ]);
  // The keyword that stands for the pillar belongs to the cluster.
  expect(all[0]!.primary).toMatchObject({ name: 'trail boots', volume: 3000, isListed: false });
  expect(await briefs(`nodes=${outdoor}`)).toEqual(all.slice(0, 1));
  expect(await briefs(`nodes=${trail}.${outdoor}`)).toEqual(all);
  expect((await ask(`briefs.html?nodes=${trail}`)).headers.get('content-disposition')).toContain(
    'shoes-trail-brief-2026-11-26.html',
  );
  // A node that nobody planned has a brief without a target.
  for (const of of ['plan', 'clusters']) {
    const road = await briefs(`of=${of}&nodes=${nodeAt('shoes', 'outdoor > road')}`);
    expect(road.map(({ title, target, supporting }) => [title, target, supporting.shown.length])).toEqual([
      ['road', [], 1],
    ]);
  }
  expect(await briefs(`nodes=${'0'.repeat(16)}`)).toEqual([]);
});

// Shows P24.18.
test('so many keywords are listed as are asked for, and the others are counted', async () => {
  await planTrail();
  const [brief] = await briefs('top=1');
  expect(brief!.supporting).toEqual({
    shown: [{ name: 'how to lace boots', volume: 400, difficulty: 0, intents: ['informational'] }],
    more: 2,
  });
  expect(await (await ask('briefs.md?top=1')).text()).toContain('And 2 more keywords.');
  const outline = await (await ask('outline.md?top=1')).text();
  expect(outline).toContain('- trail boots (3,000, KD 40)\n\nAnd 3 more keywords.\n');
  expect(outline).not.toContain('how to lace');
  expect(await (await ask('outline.md?top=4')).text()).not.toContain('more keyword');
  for (const query of ['top=0', 'top=x', 'top=1001', 'nodes=', 'nodes=x', `nodes=${`${trail}.`.repeat(301)}${trail}`]) {
    expect([query, (await ask(`briefs.md?${query}`)).status]).toEqual([query, 422]);
  }
  expect((await ask('briefs.html', 'bob')).status).toBe(404);
});

// Shows P24.19.
test('as a page, a brief loads and runs nothing, whatever a keyword says', async () => {
  await planTrail();
  await add(outdoor);
  const answer = await ask('briefs.html');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await answer.text();
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page)!;
  const hash = createHash('sha256').update(style!).digest('base64');
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(page.match(/<(?:script|img|iframe|link|object|form)\b|<[^>]*\s(?:on\w+|style)=/gi)).toBeNull();
  expect(page).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>');
  // Only addresses of pages can be opened.
  expect([...page.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!.replace(/^http:.*$/, 'explorer'))).toEqual([
    ...['#brief-1', '#brief-2'],
    ...['explorer', 'explorer', 'https://shop.example/boots'],
  ]);
  expect(page.match(/<article /g)).toHaveLength(2);
});

test('an entry that the upload does not have has a brief with what was planned', async () => {
  await planTrail();
  const children = [{ name: 'road', type: 'cluster', children: [keyword('flats')] }];
  shop = await server.upload({ ...file, hierarchy: { ...hierarchy, children } });
  const text = await (await ask('briefs.md')).text();
  expect(text).toContain(
    '# trail\n\noutdoor › trail\n\nThis upload does not have it.\n\n## Target\n\n- Status: Planned',
  );
  expect(text).toContain('## Figures when it was last found\n\n- Keywords: 4\n- Volume: 3,450\n');
});
