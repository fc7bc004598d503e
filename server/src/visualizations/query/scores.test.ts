import { decodeSlice } from '@kc/pack/slice/slice-wire';
import type { ScoreCheck } from '@kc/rules/score-shapes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

const keywords = [
  { keyword: 'trail', volume: 300, difficulty: 50 },
  { keyword: 'road', volume: 200, difficulty: 10 },
  { keyword: 'spikes', volume: 100 },
  { keyword: 'sandals', difficulty: 20 },
];
let shown: ShownFile;

beforeAll(async () => {
  const leaves = (names: readonly string[]) => names.map((name) => ({ name }));
  shown = await showFile({
    keywords,
    hierarchy: {
      name: 'shop',
      children: [
        { name: 'shoes', type: 'cluster', children: leaves(['trail', 'road', 'spikes']) },
        { name: 'summer', type: 'cluster', children: leaves(['sandals']) },
      ],
    },
  });
});
afterAll(() => shown.stop());

/** The scores by name: of the root and everything below it. */
async function scoresOf(score: string, more = ''): Promise<Record<string, number>> {
  const name = `score=${score}`;
  const answer = await shown.get(`slice?node=0&${new URLSearchParams({ field: name })}${more}`);
  expect(answer.status).toBe(200);
  const slice = decodeSlice(new Uint8Array(await answer.arrayBuffer()));
  const [field] = slice.fields;
  if (field?.kind !== 'number') expect.fail();
  const { names, nameStart } = slice;
  const text = (row: number) => new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1]));
  return Object.fromEntries(Array.from({ length: slice.rows }, (_, row) => [text(row), field.value[row]!]));
}

async function check(body: object): Promise<ScoreCheck> {
  const answer = await shown.send('score-check', body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as ScoreCheck;
}

test('a slice contains a score in each roll-up, worked out by hand', async () => {
  const ease = 'volume*(1-difficulty/100)';
  const own = { trail: 150, road: 180, spikes: Number.NaN, sandals: Number.NaN };
  // The means: 30 for shoes, 80 / 3 for all.
  const root = 600 * (1 - Math.fround(80 / 3) / 100);
  expect(await scoresOf(`branch.${ease}`)).toEqual({ shop: root, shoes: 420, summer: Number.NaN, ...own });
  expect(await scoresOf(`sum.${ease}`)).toEqual({ shop: 330, shoes: 330, summer: Number.NaN, ...own });
  expect(await scoresOf(`mean.${ease}`)).toEqual({ shop: 165, shoes: 165, summer: Number.NaN, ...own });
  expect(await scoresOf(`max.${ease}`)).toEqual({ shop: 180, shoes: 180, summer: Number.NaN, ...own });
});

test('under a filter, a score is that of what the filter keeps', async () => {
  expect(await scoresOf('sum.volume', '&filter=has-a')).toEqual({
    shop: 500,
    shoes: 500,
    trail: 300,
    road: 200,
    summer: Number.NaN,
    sandals: Number.NaN,
  });
});

test('a filter keeps the keywords whose score is in a range', async () => {
  const range = encodeURIComponent('in-score=branch..volume**(1.-difficulty/100)-160_');
  expect(Object.keys(await scoresOf('sum.volume', `&filter=${range}`))).toEqual(['shop', 'shoes', 'road']);
});

test('children are ranked by a score, the unknown ones last', async () => {
  const by = (descending: string) =>
    scoresOf('sum.volume', `&by=${encodeURIComponent('field:score=sum.-volume')}${descending}&budget=2`);
  expect(Object.keys(await by('&descending=1'))).toEqual(['shop', 'shoes']);
  expect(Object.keys(await by(''))).toEqual(['shop', 'shoes']);
});

test('each score and roll-up has an answer of its own, and another spelling of a score is refused', async () => {
  const tag = async (score: string) =>
    (await shown.get(`slice?node=0&${new URLSearchParams({ field: `score=${score}` })}`)).headers.get('etag');
  expect(new Set([await tag('sum.volume'), await tag('mean.volume'), await tag('sum.volume*2')]).size).toBe(3);
  for (const score of ['sum.volume * 2', 'sum.banana', 'median.volume', 'volume', '']) {
    const answer = await shown.get(`slice?node=0&${new URLSearchParams({ field: `score=${score}` })}`);
    expect([score, answer.status]).toEqual([score, 422]);
  }
});

test('a check counts the rows of a level with a score, says what the others lack, and names the highest', async () => {
  expect(await check({ score: 'branch.volume * (1 − difficulty ÷ 100)', level: 'clusters' })).toEqual({
    isValid: true,
    score: 'branch.volume*(1-difficulty/100)',
    known: 1,
    unknown: 1,
    missing: ['volume'],
    bins: [1],
    edges: [420, 420],
    isLog: false,
    top: [{ node: expect.any(Number), name: 'shoes', score: 420 }],
  });
  const below = await check({ score: 'sum.volume*difficulty', level: 'keywords', filter: 'volume-150_' });
  expect(below).toMatchObject({ known: 2, unknown: 0, missing: [] });
});

test('a check of a wrong formula says where it is wrong, and of a figure that the file lacks too', async () => {
  expect(await check({ score: 'branch.volume * (1 - dificulty / 100)', level: 'clusters' })).toEqual({
    isValid: false,
    problem: { kind: 'unknown-name', at: 15, length: 9, text: 'dificulty', suggestion: 'difficulty' },
  });
  expect(await check({ score: 'sum.cpc', level: 'keywords' })).toMatchObject({
    isValid: false,
    problem: { kind: 'missing-figure', at: 1, text: 'cpc' },
  });
});

test('a check of a node that does not exist or is not kept is refused', async () => {
  for (const more of [{ within: 1000 }, { within: 1, filter: 'has-none' }]) {
    const answer = await shown.send('score-check', { score: 'sum.volume', level: 'keywords', ...more });
    expect(((await answer.json()) as { data: { code: string } }).data.code).toBe('visualization/node-not-found');
  }
});
