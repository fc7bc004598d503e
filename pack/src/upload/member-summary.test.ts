import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { summariseMembers } from './member-summary.ts';

const summary = (text: string, isWhole = true) => summariseMembers(new TextEncoder().encode(text), isWhole);

test('members of keywords come first, then those of nodes alone, with what they are by their names', () => {
  const keywords = [
    { id: 1, keyword: 'a', search_volume: 5, Reach: 'n/a', url: 'https://x.com', intent: ['Informational', 'x'] },
    { keyword: 'b', search_volume: null, Reach: '7', trend: [null, 9, 12], 'Searches: May 2025': 3 },
    'c',
  ];
  const hierarchy = { name: 'r', type: 'root', children: [{ name: 'a', reach: 9, owner: 'Zoe' }] };
  expect(summary(JSON.stringify({ keywords, hierarchy }))).toEqual({
    isWhole: true,
    keywords: 3,
    nodes: 2,
    members: [
      { name: 'search_volume', meaning: 'volume', sample: '5', known: 1, entries: 3, numbers: 1, intents: 0 },
      { name: 'Reach', meaning: 'keep', sample: '7', known: 1, entries: 3, numbers: 1, intents: 0 },
      { name: 'url', meaning: 'named', sample: 'https://x.com', known: 1, entries: 3, numbers: 0, intents: 0 },
      { name: 'intent', meaning: 'intent', sample: 'Informational', known: 1, entries: 3, numbers: 0, intents: 1 },
      { name: 'trend', meaning: 'named', sample: '9', known: 1, entries: 3, numbers: 1, intents: 0 },
      { name: 'owner', meaning: 'keep', sample: 'Zoe', known: 1, entries: 2, numbers: 0, intents: 0 },
    ],
  });
});

test('of click rates the greatest number without a percent sign is told', () => {
  const keywords = [0.02, '0.5', '40%', null].map((ctr) => ({ keyword: 'a', ctr, reach: 9 }));
  const { members } = summary(JSON.stringify({ keywords, hierarchy: { name: 'r' } }));
  expect(members.map(({ name, greatest }) => [name, greatest])).toEqual([
    ['ctr', 0.5],
    ['reach', undefined],
  ]);
});

test('of difficulties the greatest number and a fraction are told', () => {
  const keywords = [0, 1, '0.42', 0.5, '7%'].map((kd) => ({ keyword: 'a', kd }));
  const { members } = summary(JSON.stringify({ keywords, hierarchy: { name: 'r' } }));
  expect(members).toMatchObject([{ name: 'kd', greatest: 1, fraction: 0.42 }]);
});

test('members inside nested objects count as members of the entry', () => {
  const keywords = [{ keyword: 'a', keyword_info: { search_volume: 5, reach: 2 } }];
  const { members } = summary(JSON.stringify({ keywords, hierarchy: { name: 'r' } }));
  expect(members.map(({ name, known }) => [name, known])).toEqual([
    ['search_volume', 1],
    ['reach', 1],
  ]);
});

test('of the known values, numbers and search intents are counted, also where they are texts or codes', () => {
  const values = ['1,300', 'n/a', 2, 'I', 'about ten', 'IC', '1,0', 900, ['Commercial', '7'], null];
  const keywords = values.map((x, at) => ({ keyword: `k${at}`, x }));
  const [x] = summary(JSON.stringify({ keywords, hierarchy: { name: 'r' } })).members;
  // Numbers: 1,300, 2, 1,0 and 900. Intents: 2 and "1,0" as codes, I, IC and Commercial.
  expect(x).toMatchObject({ known: 8, numbers: 4, intents: 5 });
});

test('of a beginning, what is complete counts; a fault ends it, and hostile names and values are cut', () => {
  const text = `{"keywords":[{"keyword":"a","x":"${'y'.repeat(500)}"},{"keyword":"b","x":`;
  expect(summary(text, false).members).toEqual([
    { name: 'x', meaning: 'keep', sample: 'y'.repeat(80), known: 1, entries: 2, numbers: 0, intents: 0 },
  ]);
  expect(summary(`${text}]`).members[0]).toMatchObject({ known: 1 });
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, at]));
  expect(summary(JSON.stringify({ keywords: [many] })).members).toHaveLength(64);
});

const real = new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url);

test('the real file has the members that an independent reader counts', (context) => {
  if (!existsSync(real)) context.skip('not on this machine: the real data');
  const bytes = new Uint8Array(readFileSync(real));
  const { keywords } = JSON.parse(new TextDecoder().decode(bytes)) as { keywords: Record<string, unknown>[] };
  const { members } = summariseMembers(bytes, true);
  const known = Object.fromEntries(members.map((member) => [member.name, member.known]));
  expect(members).toHaveLength(7);
  expect(known).toMatchObject({ search_volume: 27_640, keyword_difficulty: 487, intent: 503, serp_features: 503 });
  expect(members.every(({ entries }) => entries === keywords.length)).toBe(true);
  expect(members.every(({ meaning }) => meaning !== 'keep')).toBe(true);
});
